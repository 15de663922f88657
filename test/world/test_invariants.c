/* Worlds of many balls: energy, momentum, no overlap, reversal of time, mirror images, order.
 *
 * Random starts have a fixed seed. CAROM_TEST_SCALE scales the numbers of events. */
#include <carom/carom.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/mechanics/worlds.h"
#include "support/scale.h"

#define SEED 20240612u

static double energy_of(const CaromWorld *world) {
    double kinetic, potential;
    carom_world_energy(world, &kinetic, &potential);
    return kinetic + potential;
}

static CaromWorldRun run_for(CaromWorld *world, double time, long events) {
    CaromWorldRun run = {.time = time, .events = events};
    assert_int_equal(carom_world_run(world, &run), CAROM_OK);
    assert_string_equal(run.message, "");
    return run;
}

/* Elastic balls without friction keep their energy, with and without gravity. */
static void test_elastic_energy(void **state) {
    (void)state;
    for (int heavy = 0; heavy < 2; heavy++) {
        Random random = random_start(SEED, (uint64_t)heavy);
        TestWorld given;
        worlds_begin(&given, 0, 1);
        worlds_fill_box(&given, 20, 0.15, &random);
        given.setup.gravity[2] = heavy ? -1 : 0;
        CaromWorld *world = worlds_create(&given);
        double before = energy_of(world);
        CaromWorldRun run = run_for(world, 0, scaled(100000));
        assert_int_equal(run.end, CAROM_WORLD_END_EVENTS);
        /* measured after 1e5 events: up to 7e-14 */
        check_close(energy_of(world) / before, 1, 1e-11);
        carom_world_destroy(world);
    }
}

typedef struct Watch {
    double energy, worst_rise, deepest;
    const TestWorld *given;
} Watch;

static int watch_event(void *user, const CaromWorld *world, const CaromWorldEvent *event) {
    Watch *watch = user;
    (void)event;
    double energy = energy_of(world);
    watch->worst_rise = larger(watch->worst_rise, energy - watch->energy);
    watch->energy = energy;
    for (int i = 0; i < watch->given->setup.body_count; i++) {
        CaromMotion a = worlds_ball(world, i);
        double r = watch->given->bodies[i].shape.radius;
        for (int k = 0; k < 3; k++) {
            watch->deepest = larger(watch->deepest, fabs(a.position[k]) + r - 1);
        }
        for (int j = 0; j < i; j++) {
            CaromMotion b = worlds_ball(world, j);
            double d = hypot(hypot(a.position[0] - b.position[0], a.position[1] - b.position[1]),
                             a.position[2] - b.position[2]);
            watch->deepest = larger(watch->deepest, r + watch->given->bodies[j].shape.radius - d);
        }
    }
    return 0;
}

/* With friction and e < 1 the energy never rises, and nothing overlaps, until the balls lie on the
 * floor of the box. */
static void test_energy_never_rises(void **state) {
    (void)state;
    for (int i = 0; i < 4; i++) {
        Random random = random_start(SEED, (uint64_t)(10 + i));
        TestWorld given;
        worlds_begin(&given, 0.3, 0.8);
        worlds_fill_box(&given, 16, 0.12, &random);
        given.setup.gravity[2] = i < 3 ? -2 : 0;
        CaromWorld *world = worlds_create(&given);
        Watch watch = {.energy = energy_of(world), .given = &given};
        double before = watch.energy;
        CaromWorldRun run = {
            .time = 50, .events = scaled(5000), .visit = watch_event, .user = &watch};
        assert_int_equal(carom_world_run(world, &run), CAROM_OK);
        /* rounding of the sums */
        check_close(larger(watch.worst_rise, 0) / fabs(before), 0, 1e-13);
        /* contacts that press each other are up to 1e-6 of the radius deep */
        assert_true(watch.deepest < 2e-7);
        carom_world_destroy(world);
    }
}

/* A cloud of balls without anything immovable keeps momentum and angular momentum. */
static void test_momentum(void **state) {
    (void)state;
    Random random = random_start(SEED, 20);
    TestWorld given;
    worlds_begin(&given, 0.3, 0.7);
    worlds_fill_box(&given, 30, 0.15, &random);
    given.setup.plane_count = 0;
    for (int i = 0; i < 30; i++) { /* towards each other */
        for (int k = 0; k < 3; k++) {
            given.bodies[i].body.velocity[k] -= 3 * given.bodies[i].body.position[k];
        }
    }
    double sums[2][6];
    CaromWorld *world = worlds_create(&given);
    long impacts = 0;
    for (int after = 0; after < 2; after++) {
        memset(sums[after], 0, sizeof sums[after]);
        for (int i = 0; i < 30; i++) {
            const CaromBody *body = &given.bodies[i].body;
            CaromMotion m = worlds_ball(world, i);
            const double *x = m.position, *v = m.velocity;
            for (int k = 0; k < 3; k++) {
                int a = (k + 1) % 3, b = (k + 2) % 3;
                sums[after][k] += body->mass * v[k];
                sums[after][3 + k] += body->mass * (x[a] * v[b] - x[b] * v[a]) +
                                      body->inertia[0] * m.angular_velocity[k];
            }
        }
        if (!after) {
            CaromWorldRun run = run_for(world, 0, 100000);
            assert_int_equal(run.end, CAROM_WORLD_END_IDLE);
            impacts = run.impact_count;
        }
    }
    assert_true(impacts > 30);
    for (int k = 0; k < 6; k++) {
        check_close(sums[1][k], sums[0][k], 1e-12);
    }
    carom_world_destroy(world);
}

/* A setup whose bodies are those of a world now, with velocities times a factor. */
static void copy_state(const CaromWorld *world, double factor, TestWorld *given) {
    for (int i = 0; i < given->setup.body_count; i++) {
        CaromMotion m = worlds_ball(world, i);
        for (int k = 0; k < 3; k++) {
            given->bodies[i].body.position[k] = m.position[k];
            given->bodies[i].body.velocity[k] = factor * m.velocity[k];
            given->bodies[i].body.angular_velocity[k] = factor * m.angular_velocity[k];
        }
    }
}

/* The largest distance of the balls of two worlds. */
static double distance_of(const CaromWorld *a, const CaromWorld *b, int count, const double sign[3],
                          const int *order) {
    double worst = 0;
    for (int i = 0; i < count; i++) {
        CaromMotion p = worlds_ball(a, i), q = worlds_ball(b, order ? order[i] : i);
        for (int k = 0; k < 3; k++) {
            worst = larger(worst, fabs(p.position[k] - sign[k] * q.position[k]));
        }
    }
    return worst;
}

static const double plain[3] = {1, 1, 1};

/* Run elastic balls without friction for a time, reverse them, and run them back. A disturbance of
 * 1e-12, run alongside, measures the growth of errors: the return is as good as rounding
 * times that growth allows. */
static void test_time_reversal(void **state) {
    (void)state;
    Random random = random_start(SEED, 30);
    TestWorld given, disturbed, back;
    worlds_begin(&given, 0, 1);
    worlds_fill_box(&given, 20, 0.12, &random);
    given.setup.gravity[2] = -1;
    disturbed = given;
    for (int i = 0; i < 20; i++) {
        double change[3];
        random_vector(&random, 1e-12, change);
        for (int k = 0; k < 3; k++) {
            disturbed.bodies[i].body.position[k] += change[k];
        }
    }
    CaromWorld *start = worlds_create(&given), *forth = worlds_create(&given);
    CaromWorld *beside = worlds_create(&disturbed);
    const double time = 6;
    CaromWorldRun run = run_for(forth, time, 0);
    run_for(beside, time, 0);
    double growth = distance_of(forth, beside, 20, plain, NULL) / 1e-12;
    back = given;
    copy_state(forth, -1, &back);
    CaromWorld *returned = worlds_create(&back);
    run_for(returned, time, 0);
    double error = distance_of(start, returned, 20, plain, NULL);
    print_message("%ld impacts, growth of errors %.2g, error of the return %.2g\n",
                  run.impact_count, growth, error);
    assert_true(run.impact_count > 40);
    /* measured: error/growth 5e-16 */
    assert_true(error < 1e-13 * growth);
    assert_true(error < 1e-4);
    CaromWorld *all[] = {start, forth, beside, returned};
    for (int i = 0; i < 4; i++) {
        carom_world_destroy(all[i]);
    }
}

/* The mirror image of a world goes on as its mirror image. */
static void test_mirror(void **state) {
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        Random random = random_start(SEED, (uint64_t)(40 + axis));
        TestWorld given, mirrored;
        worlds_begin(&given, 0.2, 0.9);
        worlds_fill_box(&given, 12, 0.15, &random);
        given.setup.gravity[2] = -1;
        mirrored = given;
        double sign[3] = {1, 1, 1};
        sign[axis] = -1;
        mirrored.setup.gravity[2] *= sign[2];
        for (int i = 0; i < 12; i++) {
            CaromBody *body = &mirrored.bodies[i].body;
            for (int k = 0; k < 3; k++) {
                body->position[k] *= sign[k];
                body->velocity[k] *= sign[k];
                body->angular_velocity[k] *= -sign[k];
            }
        }
        CaromWorld *a = worlds_create(&given), *b = worlds_create(&mirrored);
        CaromWorldRun run = run_for(a, 1.5, 0);
        run_for(b, 1.5, 0);
        assert_true(run.impact_count > 10);
        /* measured: up to 1e-13 */
        check_close(distance_of(a, b, 12, sign, NULL), 0, 1e-11);
        carom_world_destroy(a);
        carom_world_destroy(b);
    }
}

/* The order of the bodies changes nothing: not one bit, in free flight and impacts of two. */
static void test_order(void **state) {
    (void)state;
    Random random = random_start(SEED, 50);
    TestWorld given, shuffled;
    int order[40];
    worlds_begin(&given, 0.2, 0.9);
    worlds_fill_box(&given, 40, 0.1, &random);
    given.setup.gravity[2] = -1;
    shuffled = given;
    for (int i = 0; i < 40; i++) {
        order[i] = (7 * i + 3) % 40;
        shuffled.bodies[order[i]] = given.bodies[i];
    }
    CaromWorld *a = worlds_create(&given), *b = worlds_create(&shuffled);
    CaromWorldRun run = run_for(a, 4, 0), again = run_for(b, 4, 0);
    assert_true(run.impact_count > 200);
    assert_int_equal(run.impact_count, again.impact_count);
    check_close(distance_of(a, b, 40, plain, order), 0, 0);
    carom_world_destroy(a);
    carom_world_destroy(b);
}

/* One world in the caller's memory, one allocated: the same bits; and the memory asked for is
 * enough (sanitizers look). */
static void test_memory(void **state) {
    (void)state;
    Random random = random_start(SEED, 60);
    TestWorld given;
    worlds_begin(&given, 0.2, 0.9);
    worlds_fill_box(&given, 10, 0.1, &random);
    CaromWorldSetup setup = given.setup;
    setup.bodies = given.bodies;
    setup.planes = given.planes;
    setup.surfaces = given.surfaces;
    void *memory = malloc(carom_world_size(&setup));
    assert_non_null(memory);
    CaromWorld *a = worlds_create(&given), *b;
    assert_int_equal(carom_world_create(&setup, memory, &b, NULL), CAROM_OK);
    run_for(a, 5, 0);
    run_for(b, 2, 0);
    run_for(b, 5, 0);
    check_close(distance_of(a, b, 10, plain, NULL), 0, 0);
    carom_world_destroy(a);
    carom_world_destroy(b);
    free(memory);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elastic_energy), cmocka_unit_test(test_energy_never_rises),
        cmocka_unit_test(test_momentum),       cmocka_unit_test(test_time_reversal),
        cmocka_unit_test(test_mirror),         cmocka_unit_test(test_order),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
