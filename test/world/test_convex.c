/* A convex body over planes in a world, and the impulse-level law.
 *
 * Oracle: flight, touch and impact one after another, put together here. */
#include <carom/carom.h>
#include <string.h>

#include "support/check.h"
#include "support/math/random.h"
#include "support/mechanics/worlds.h"

#define SEED 20240616u

static const double corners[24] = {-1, -0.5, -0.3, 1, -0.5, -0.3, -1, 0.5, -0.3, 1, 0.5, -0.3,
                                   -1, -0.5, 0.3,  1, -0.5, 0.3,  -1, 0.5, 0.3,  1, 0.5, 0.3};

static CaromBody box_at(double height) {
    CaromBody box = carom_body_default();
    const double size[3] = {2, 1, 0.6};
    assert_int_equal(carom_solid_inertia(CAROM_SOLID_BOX, 1, size, box.inertia, NULL), CAROM_OK);
    box.position[2] = height;
    return box;
}

/* One box over the plane z = 0. */
static CaromWorld *world_of(const CaromBody *box, const CaromSurface *surface) {
    const CaromWorldBody body = {.body = *box, .shape = carom_shape_vertices(corners, 8)};
    const CaromWorldPlane floor = {.plane = {.normal = {0, 0, 1}}};
    const CaromWorldSetup setup = {.bodies = &body,
                                   .body_count = 1,
                                   .planes = &floor,
                                   .plane_count = 1,
                                   .surfaces = surface,
                                   .material_count = 1,
                                   .gravity = {0, 0, -9.81}};
    CaromWorld *world;
    const char *message;
    CaromStatus status = carom_world_create(&setup, NULL, &world, &message);
    assert_string_equal(message, "");
    assert_int_equal(status, CAROM_OK);
    return world;
}

/* Ten bounces of tumbling boxes, corner by corner. */
static void test_tumbles(void **state) {
    (void)state;
    const double gravity[3] = {0, 0, -9.81};
    const CaromPlane floor = {.normal = {0, 0, 1}};
    const CaromSurface surface = {.contact = {.mu = 0.4, .e = 0.9}};
    const CaromShape shape = carom_shape_vertices(corners, 8);
    Random random = random_start(SEED, 0);
    double worst = 0;
    for (int i = 0; i < 20; i++) {
        CaromBody box = box_at(4), ground = carom_body_fixed();
        random_vector(&random, 2, box.velocity);
        random_vector(&random, 5, box.angular_velocity);
        CaromWorld *world = world_of(&box, &surface);
        CaromWorldRun run = {.events = 10};
        assert_int_equal(carom_world_run(world, &run), CAROM_OK);
        double time = 0;
        for (long k = 0; k < run.event_count; k++) {
            CaromTouch touch;
            assert_int_equal(carom_flight_touch(&box, gravity, &shape, &floor, 100, &touch, NULL),
                             CAROM_OK);
            box = touch.body;
            time += touch.time;
            assert_int_equal(carom_bodies_collide(&box, &ground, touch.point, floor.normal,
                                                  &surface.contact, NULL),
                             CAROM_OK);
        }
        CaromMotion motion, later;
        assert_int_equal(carom_world_motion(world, 0, &motion, NULL), CAROM_OK);
        /* the centre is on its parabola */
        later = motion;
        carom_motion_advance(&later, motion.time + 0.1);
        check_close(later.velocity[2], motion.velocity[2] - 0.981, 1e-14);
        worst = larger(worst, fabs(carom_world_time(world) - time));
        for (int k = 0; k < 3; k++) {
            worst = larger(worst, fabs(motion.position[k] - box.position[k]));
            worst = larger(worst, fabs(motion.velocity[k] - box.velocity[k]));
        }
        carom_world_destroy(world);
    }
    /* ten bounces of a box let rounding grow */
    check_close(worst, 0, 1e-7);
}

static int count_contacts(void *user, const CaromWorld *world, const CaromWorldEvent *event) {
    (void)world;
    if (event->impact) {
        *(int *)user = event->impact->contact_count;
    }
    return 0;
}

/* A box that lands flat: four vertices at once, no spin; its bounces accumulate, and it rests. */
static void test_lands_flat(void **state) {
    (void)state;
    const CaromSurface surface = {.contact = {.mu = 0.4, .e = 0.5}};
    CaromBody box = box_at(1);
    CaromWorld *world = world_of(&box, &surface);
    int contacts = 0;
    CaromWorldRun run = {.visit = count_contacts, .user = &contacts};
    assert_int_equal(carom_world_run(world, &run), CAROM_OK);
    assert_string_equal(carom_world_end_string(run.end), "rest");
    assert_int_equal(contacts, 4);
    CaromMotion motion;
    assert_int_equal(carom_world_motion(world, 0, &motion, NULL), CAROM_OK);
    check_close(motion.position[2], 0.3, 2e-7);
    for (int k = 0; k < 3; k++) {
        check_close(motion.angular_velocity[k], 0, 1e-10);
    }
    carom_world_destroy(world);
}

/* Energy never rises from event to event. */
static int watch_energy(void *user, const CaromWorld *world, const CaromWorldEvent *event) {
    double *energy = user, kinetic, potential;
    (void)event;
    carom_world_energy(world, &kinetic, &potential);
    assert_true(kinetic + potential <= *energy + 1e-9);
    *energy = kinetic + potential;
    return 0;
}

/* Boxes thrown with spin come to rest on a face, at a height of half of one of its sides, whether
 * they are run in one go or in many. */
static void test_comes_to_rest(void **state) {
    (void)state;
    const CaromSurface surface = {.contact = {.mu = 0.4, .e = 0.4}, .mu_slide = 0.4};
    Random random = random_start(SEED, 1);
    for (int i = 0; i < 5; i++) {
        CaromBody box = box_at(3);
        random_vector(&random, 1, box.velocity);
        random_vector(&random, 4, box.angular_velocity);
        double energy = INFINITY;
        CaromWorld *world = world_of(&box, &surface), *again = world_of(&box, &surface);
        CaromWorldRun run = {.visit = watch_energy, .user = &energy}, part = {0};
        assert_int_equal(carom_world_run(world, &run), CAROM_OK);
        assert_string_equal(carom_world_end_string(run.end), "rest");
        CaromMotion motion, other;
        assert_int_equal(carom_world_motion(world, 0, &motion, NULL), CAROM_OK);
        double z = motion.position[2];
        double off = fmin(fabs(z - 0.3), fmin(fabs(z - 0.5), fabs(z - 1)));
        check_close(off, 0, 1e-5);
        for (int k = 1; k < 100 && part.end != CAROM_WORLD_END_REST; k++) {
            part = (CaromWorldRun){.time = 0.25 * k};
            assert_int_equal(carom_world_run(again, &part), CAROM_OK);
        }
        assert_int_equal(carom_world_motion(again, 0, &other, NULL), CAROM_OK);
        check_close(other.position[2], z, 1e-5);
        carom_world_destroy(world);
        carom_world_destroy(again);
    }
}

/* Three balls in a row by the impulse-level law: the first two stop at e = 0 in the middle. */
static void test_impulse_law(void **state) {
    (void)state;
    TestWorld given;
    worlds_begin(&given, 0, 1);
    given.setup.several_rigid = 1;
    worlds_add_ball(&given, 1, 0.1, -1, 0, 0)->velocity[0] = 1;
    worlds_add_ball(&given, 1, 0.1, 0, 0, 0);
    worlds_add_ball(&given, 1, 0.1, 0.2, 0, 0);
    CaromWorld *world = worlds_create(&given);
    CaromWorldRun run = {.time = 2};
    assert_int_equal(carom_world_run(world, &run), CAROM_OK);
    assert_int_equal(run.impact_count, 1);
    /* Newton's law with e = 1 at the first contact, no approach at the second: the last two leave
     * together at 2/3, the first comes back at 1/3; energy and momentum are kept */
    check_close(worlds_ball(world, 0).velocity[0], -1.0 / 3, 1e-14);
    check_close(worlds_ball(world, 1).velocity[0], 2.0 / 3, 1e-14);
    check_close(worlds_ball(world, 2).velocity[0], 2.0 / 3, 1e-14);
    carom_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tumbles),
        cmocka_unit_test(test_lands_flat),
        cmocka_unit_test(test_comes_to_rest),
        cmocka_unit_test(test_impulse_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
