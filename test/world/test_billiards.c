/* Billiards: the shot by cue, cushions, pockets, a break.
 *
 * Oracles: carom_solve() on bodies that the test puts together itself, geometry, symmetry. */
#include <carom/carom.h>
#include <string.h>

#include "support/check.h"
#include "support/mechanics/worlds.h"

static const double R = 0.028575, NOSE = 0.036, LONG = 2.54, SHORT = 1.27;

/* An empty table; materials as in worlds.h, cushions like the cloth. */
static void begin_table(TestWorld *given, double mu, double e, double mu_balls, double e_balls) {
    worlds_begin(given, mu, e);
    given->surfaces[0].contact = (CaromContact){.mu = mu_balls, .e = e_balls};
    worlds_add_table(given, mu, 0.01, 0.02);
    for (int i = 0; i < 4; i++) {
        double side = i % 2 == 0 ? 1 : -1;
        CaromCushion *cushion = &given->cushions[i];
        cushion->point[i / 2] = side * (i / 2 == 0 ? LONG : SHORT) / 2;
        cushion->point[2] = NOSE;
        cushion->normal[i / 2] = -side;
        cushion->material = 1;
    }
    given->setup.cushion_count = 4;
}

/* The massé shot of Jia, Mason and Erdmann by the world, and by bodies and sites. */
static void test_shot(void **state) {
    (void)state;
    const double r = 0.0305, m = 0.1701;
    const CaromCue cue = {
        .mass = 0.5018,
        .velocity = {-0.276100382989897 * 3.089095, -0.138780695074489 * 3.089095,
                     -0.951056516295154 * 3.089095},
        .offset = {0.480151, -0.102889, 0.871131},
        .contact = {.mu = 0.7, .e = 0.656532, .stiffness = 1, .stiffness_ratio = 7}};
    const CaromContact cloth = {
        .mu = 0.152479, .e = 0.51625, .stiffness = 0.8, .stiffness_ratio = 10};
    TestWorld given;
    begin_table(&given, 0.152479, 0.51625, 0.1, 0.9);
    given.surfaces[1].contact = cloth;
    worlds_add_ball(&given, m, r, 0, 0, r);
    CaromWorld *world = worlds_create(&given);
    CaromWorldRun run = {0};
    assert_int_equal(carom_world_shoot(world, 0, &cue, &run), CAROM_OK);
    assert_int_equal(run.impact_count, 1);
    CaromMotion got = worlds_ball(world, 0);

    CaromBody bodies[3] = {given.bodies[0].body, carom_body_default(), carom_body_fixed()};
    bodies[1].mass = cue.mass;
    memcpy(bodies[1].velocity, cue.velocity, sizeof cue.velocity);
    memcpy(bodies[1].guide, cue.velocity, sizeof cue.velocity);
    CaromSite sites[2] = {{.first = 1, .second = 0, .normal = {0.480151, -0.102889, 0.871131}},
                          {.first = 0, .second = 2, .normal = {0, 0, 1}}};
    double length = sqrt(0.480151 * 0.480151 + 0.102889 * 0.102889 + 0.871131 * 0.871131);
    for (int k = 0; k < 3; k++) {
        sites[0].point[k] = bodies[0].position[k] + r * sites[0].normal[k] / length;
    }
    const CaromContact contacts[2] = {cue.contact, cloth};
    double W[36], v[6], impulse[6];
    assert_int_equal(carom_bodies_contact_space(bodies, 3, sites, 2, W, v, NULL), CAROM_OK);
    CaromProblem problem = {.model = CAROM_MODEL_COMPLIANT,
                            .contact_count = 2,
                            .inverse_inertia = W,
                            .velocity = v,
                            .contacts = contacts};
    CaromResult result = {.impulse = impulse};
    assert_int_equal(carom_solve(&problem, NULL, &result), CAROM_OK);
    carom_bodies_apply(bodies, sites, 2, impulse);
    for (int k = 0; k < 3; k++) {
        check_close(got.velocity[k], bodies[0].velocity[k], 1e-10);
        check_close(got.angular_velocity[k], bodies[0].angular_velocity[k], 1e-8);
    }
    /* it moves away along (-x), and its path bends: the slip is not along the velocity */
    assert_true(got.velocity[0] < -1);
    assert_int_equal(run.status, CAROM_OK);
    CaromCue away = cue;
    for (int k = 0; k < 3; k++) {
        away.velocity[k] *= -1;
    }
    assert_int_equal(carom_world_shoot(world, 0, &away, &run), CAROM_NOT_APPROACHING);
    carom_world_destroy(world);
}

typedef struct CushionHit {
    double gap_error, energy;
    int contacts;
} CushionHit;

static int see_cushion(void *user, const CaromWorld *world, const CaromWorldEvent *event) {
    CushionHit *hit = user;
    if (event->kind == CAROM_WORLD_IMPACT &&
        (event->impact->touching[0].partner == CAROM_PARTNER_CUSHION ||
         event->impact->touching[event->impact->contact_count - 1].partner ==
             CAROM_PARTNER_CUSHION)) {
        double x = event->impact->before[0].position[0];
        double reach = sqrt(R * R - (NOSE - R) * (NOSE - R));
        hit->gap_error = fabs(LONG / 2 - x - reach);
        hit->contacts = event->impact->contact_count;
        carom_world_energy(world, &hit->energy, NULL);
        return 1;
    }
    return 0;
}

/* The nose is above the centre: the ball is pressed on the table, which acts, too. */
static void test_cushion(void **state) {
    (void)state;
    TestWorld given;
    begin_table(&given, 0.2, 0.8, 0.05, 0.95);
    CaromBody *ball = worlds_add_ball(&given, 0.17, R, 0, 0.1, R);
    ball->velocity[0] = 2;
    ball->velocity[1] = 0.5;
    ball->angular_velocity[0] = -0.5 / R;
    ball->angular_velocity[1] = 2 / R;
    CaromWorld *world = worlds_create(&given);
    CushionHit hit = {0};
    CaromWorldRun run = {.time = 20, .visit = see_cushion, .user = &hit};
    assert_int_equal(carom_world_run(world, &run), CAROM_OK);
    assert_int_equal(run.end, CAROM_WORLD_END_STOPPED);
    assert_int_equal(hit.contacts, 2);
    check_close(hit.gap_error, 0, 1e-15);
    CaromMotion after = worlds_ball(world, 0);
    assert_true(after.velocity[0] < 0 && after.velocity[1] > 0 && after.velocity[2] >= 0);
    carom_world_destroy(world);
}

/* Without friction and loss the energy stays, on the table and over it, at the nose and above. */
static void test_elastic_table(void **state) {
    (void)state;
    Random random = random_start(20240614u, 0);
    TestWorld given;
    begin_table(&given, 0, 1, 0, 1);
    given.surfaces[1].mu_roll = given.surfaces[1].mu_slide = given.surfaces[1].mu_spin = 0;
    for (int i = 0; i < 6; i++) {
        CaromBody *ball = worlds_add_ball(&given, 0.17, R, -1 + 0.35 * i, 0.3 * (i % 3) - 0.3,
                                          R * (i < 3 ? 1 : 3));
        random_vector(&random, 1, ball->velocity);
        ball->velocity[2] = 0;
    }
    CaromWorld *world = worlds_create(&given);
    double kinetic, potential, before;
    carom_world_energy(world, &kinetic, &potential);
    before = kinetic + potential;
    CaromWorldRun run = {.time = 20, .events = 4000};
    assert_int_equal(carom_world_run(world, &run), CAROM_OK);
    assert_true(run.impact_count > 100);
    carom_world_energy(world, &kinetic, &potential);
    /* measured: 1.2e-15 */
    check_close((kinetic + potential) / before, 1, 1e-12);
    for (int i = 0; i < 6; i++) {
        CaromMotion m = worlds_ball(world, i);
        assert_true(fabs(m.position[0]) < LONG / 2 && fabs(m.position[1]) < SHORT / 2);
        assert_true(m.position[2] > R * (1 - 1e-6));
    }
    carom_world_destroy(world);
}

static void test_pocket(void **state) {
    (void)state;
    TestWorld given;
    begin_table(&given, 0.2, 0.8, 0.05, 0.95);
    CaromBody *ball = worlds_add_ball(&given, 0.17, R, 0, 0, R);
    ball->velocity[0] = 1;
    ball->angular_velocity[1] = 1 / R;
    const CaromPocket pocket = {.point = {0.5, 0.03, 7}, .radius = 0.05};
    CaromWorldSetup setup = given.setup;
    setup.bodies = given.bodies;
    setup.planes = given.planes;
    setup.cushions = given.cushions;
    setup.surfaces = given.surfaces;
    setup.pockets = &pocket;
    setup.pocket_count = 1;
    CaromWorld *world;
    assert_int_equal(carom_world_create(&setup, NULL, &world, NULL), CAROM_OK);
    CaromWorldRun run = {.time = 0};
    assert_int_equal(carom_world_run(world, &run), CAROM_OK);
    assert_int_equal(run.end, CAROM_WORLD_END_REST);
    assert_int_equal(run.event_count, 1);
    CaromMotion last = worlds_ball(world, 0);
    assert_int_equal(last.phase, CAROM_PHASE_POCKETED);
    check_close(last.position[0], 0.5 - 0.04, 1e-14);
    double a = 5.0 / 7 * 0.01 * 9.81;
    check_close(carom_world_time(world), (1 - sqrt(1 - 2 * a * 0.46)) / a, 1e-14);
    carom_world_destroy(world);
}

/* A symmetric break stays symmetric: rack of 6, all 11 contacts of the balls and 7 of the table at
 * once. */
static void test_symmetric_break(void **state) {
    (void)state;
    TestWorld given;
    begin_table(&given, 0.2, 0.5, 0.05, 0.95);
    worlds_add_ball(&given, 0.17, R, -0.6, 0, R)->velocity[0] = 4;
    int mirror[7] = {0}, count = 1;
    for (int row = 0; row < 3; row++) {
        for (int k = 0; k <= row; k++) {
            mirror[count] = count + row - 2 * k;
            worlds_add_ball(&given, 0.17, R, 0.6 + row * sqrt(3) * R, (2 * k - row) * R, R);
            count++;
        }
    }
    CaromWorld *world = worlds_create(&given);
    CaromWorldRun run = {.time = 0.6};
    assert_int_equal(carom_world_run(world, &run), CAROM_OK);
    assert_true(run.impact_count >= 1);
    for (int i = 0; i < count; i++) {
        CaromMotion a = worlds_ball(world, i), b = worlds_ball(world, mirror[i]);
        /* measured: 2.5e-17 */
        check_close(a.position[0], b.position[0], 1e-9);
        check_close(a.position[1], -b.position[1], 1e-9);
    }
    carom_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shot),
        cmocka_unit_test(test_cushion),
        cmocka_unit_test(test_elastic_table),
        cmocka_unit_test(test_pocket),
        cmocka_unit_test(test_symmetric_break),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
