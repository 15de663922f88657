/* Worlds that cannot be, and worlds that could run for ever: each is refused by name or ends with a
 * reason. */
#include <carom/carom.h>
#include <stdlib.h>

#include "support/check.h"
#include "support/mechanics/worlds.h"
#include "support/scale.h"

/* The setup must be refused with these words. */
static void check_refused(const TestWorld *given, const char *words) {
    CaromWorldSetup setup = given->setup;
    CaromWorld *world = (CaromWorld *)&setup;
    const char *message;
    setup.bodies = given->bodies;
    setup.planes = given->planes;
    setup.cushions = given->cushions;
    setup.surfaces = given->surfaces;
    assert_int_equal(carom_world_create(&setup, NULL, &world, &message), CAROM_INVALID_INPUT);
    assert_string_equal(message, words);
    assert_null(world);
}

/* Two balls on a table. */
static void two_balls(TestWorld *given) {
    worlds_begin(given, 0.2, 0.5);
    worlds_add_table(given, 0.2, 0.01, 0.01);
    worlds_add_ball(given, 1, 0.1, 0, 0, 0.1);
    worlds_add_ball(given, 1, 0.1, 0.5, 0, 0.1);
}

static void test_refused(void **state) {
    (void)state;
    TestWorld given;
    two_balls(&given);
    given.bodies[1].body.position[0] = 0.19;
    check_refused(&given, "bodies[].position: two bodies overlap");
    two_balls(&given);
    given.bodies[1].body.position[2] = 0.09;
    check_refused(&given, "bodies[].position: a body is inside a plane");
    two_balls(&given);
    given.bodies[0].body.mass = 0;
    check_refused(&given, "bodies[].mass is not > 0");
    two_balls(&given);
    given.bodies[0].body.velocity[1] = NAN;
    check_refused(&given, "bodies[].velocity is not finite");
    two_balls(&given);
    given.bodies[0].body.inertia[4] *= 1.1;
    check_refused(&given, "bodies[].inertia: that of a ball must be a multiple of 1");
    two_balls(&given);
    given.bodies[0].material = 2;
    check_refused(&given, "bodies[].material is out of range");
    two_balls(&given);
    given.surfaces[1].mu_roll = -1;
    check_refused(&given, "surfaces[].mu_roll is not >= 0");
    two_balls(&given);
    given.setup.gravity[0] = INFINITY;
    check_refused(&given, "gravity is not finite");
    two_balls(&given);
    given.setup.rest = -1;
    check_refused(&given, "rest is not > 0");
    two_balls(&given);
    given.setup.body_count = 0;
    check_refused(&given, "setup: a count is out of range, or a pointer is missing");
    two_balls(&given);
    given.setup.cushion_count = 1;
    given.cushions[0] = (CaromCushion){.point = {1, 0, 0.13}, .normal = {-1, 0, 0.1}};
    check_refused(&given, "cushions[].normal is not horizontal");
    two_balls(&given);
    given.setup.cushion_count = 1;
    given.cushions[0] = (CaromCushion){.point = {0.55, 0, 0.13}, .normal = {-1, 0, 0}};
    check_refused(&given, "bodies[].position: a body is inside a cushion");
    /* a ball on the wrong side of a cushion, below its nose */
    two_balls(&given);
    given.setup.cushion_count = 1;
    given.cushions[0] = (CaromCushion){.point = {0.2, 0, 0.13}, .normal = {-1, 0, 0}};
    check_refused(&given, "bodies[].position: a body is behind a cushion");
    /* a box around the other ball; a box in the table; two boxes near each other */
    double corners[24];
    for (int i = 0; i < 24; i++) {
        corners[i] = (i / 3 >> i % 3 & 1 ? 0.2 : -0.2);
    }
    two_balls(&given);
    given.bodies[1].shape = carom_shape_vertices(corners, 8);
    given.bodies[1].body.position[2] = 0.2;
    given.bodies[1].body.position[0] = 0.29;
    check_refused(&given, "bodies[].position: two bodies overlap");
    given.bodies[1].body.position[0] = 0.5;
    given.bodies[1].body.position[2] = 0.19;
    check_refused(&given, "bodies[].position: a body is inside a plane");
    given.bodies[1].body.position[2] = 0.2;
    given.bodies[0] = given.bodies[1];
    given.bodies[0].body.position[0] = 0;
    check_refused(&given, "bodies[].position: the spheres about two convex bodies overlap; "
                          "convex bodies cannot meet");
    two_balls(&given);
    given.bodies[1].shape = carom_shape_vertices(corners, 0);
    check_refused(&given, "shape: there is neither a radius nor a vertex");
    given.bodies[1].body.position[2] = 2;
    double *many = calloc(3 * (CAROM_WORLD_VERTICES + 1), sizeof *many);
    assert_non_null(many);
    many[0] = 1;
    given.bodies[1].shape = carom_shape_vertices(many, CAROM_WORLD_VERTICES + 1);
    check_refused(&given, "bodies[].shape: more than 1000 vertices");
    free(many);
}

static CaromWorldEnd end_of(CaromWorld *world, double time, long events) {
    CaromWorldRun run = {.time = time, .events = events};
    assert_int_equal(carom_world_run(world, &run), CAROM_OK);
    carom_world_destroy(world);
    return run.end;
}

static void test_nothing_moves(void **state) {
    (void)state;
    TestWorld given;
    two_balls(&given);
    assert_int_equal(end_of(worlds_create(&given), 0, 0), CAROM_WORLD_END_REST);
    /* without gravity balls that do not move fly at no speed: nothing will happen */
    given.setup.gravity[2] = 0;
    assert_int_equal(end_of(worlds_create(&given), 0, 0), CAROM_WORLD_END_IDLE);
    assert_int_equal(end_of(worlds_create(&given), 3, 0), CAROM_WORLD_END_TIME);
    /* a ball that falls past everything */
    two_balls(&given);
    given.setup.plane_count = 0;
    assert_int_equal(end_of(worlds_create(&given), 0, 0), CAROM_WORLD_END_IDLE);
}

/* A visitor that wants to stop, and a world that is gone on with. */
static int stop_at_once(void *user, const CaromWorld *world, const CaromWorldEvent *event) {
    (void)world;
    *(CaromWorldEventKind *)user = event->kind;
    return 1;
}

static void test_stops(void **state) {
    (void)state;
    TestWorld given;
    two_balls(&given);
    given.bodies[0].body.velocity[0] = 1;
    CaromWorld *world = worlds_create(&given);
    CaromWorldEventKind kind = CAROM_WORLD_POCKET;
    CaromWorldRun run = {.visit = stop_at_once, .user = &kind};
    assert_int_equal(carom_world_run(world, &run), CAROM_OK);
    assert_int_equal(run.end, CAROM_WORLD_END_STOPPED);
    assert_int_equal(run.event_count, 1);
    assert_int_equal(kind, CAROM_WORLD_ROLLING);
    assert_int_equal(end_of(world, 0, 0), CAROM_WORLD_END_REST);
    assert_int_equal(carom_world_run(NULL, &run), CAROM_INVALID_INPUT);
    assert_int_equal(run.end, CAROM_WORLD_END_FAILED);
    assert_int_equal(carom_world_run(NULL, NULL), CAROM_INVALID_INPUT);
    assert_int_equal(carom_world_size(NULL), 0);
    assert_true(isnan(carom_world_time(NULL)));
}

/* Bounces that accumulate everywhere: balls between floor, walls and each other, e = 0.2, heaped up
 * in a corner; balls on top of each other; a ball on a slope. All go on to the end, at a bounded
 * number of events per time. */
static void test_accumulating(void **state) {
    (void)state;
    Random random = random_start(20240613u, 0);
    TestWorld given;
    worlds_begin(&given, 0.1, 0.2);
    worlds_fill_box(&given, 12, 0.3, &random);
    given.setup.gravity[0] = -3;
    given.setup.gravity[1] = -4;
    given.setup.gravity[2] = -9;
    CaromWorldEnd end = end_of(worlds_create(&given), 3, scaled(5000));
    assert_true(end == CAROM_WORLD_END_TIME || end == CAROM_WORLD_END_EVENTS);
    /* inelastic collapse without gravity: three balls in a row between walls */
    worlds_begin(&given, 0, 0.05);
    const double left[3] = {-1, 0, 0}, right[3] = {1, 0, 0};
    worlds_add_plane(&given, left, right);
    worlds_add_plane(&given, right, left);
    for (int i = 0; i < 5; i++) {
        worlds_add_ball(&given, 1, 0.1, -0.8 + 0.4 * i, 0, 0)->velocity[0] = 2 - i;
    }
    end = end_of(worlds_create(&given), 1000, scaled(100000));
    assert_true(end == CAROM_WORLD_END_TIME || end == CAROM_WORLD_END_EVENTS);
    /* a pile of three under gravity, e = 0 */
    worlds_begin(&given, 0.2, 0);
    worlds_add_table(&given, 0.2, 0.01, 0.01);
    worlds_add_ball(&given, 1, 0.1, 0, 0, 0.1);
    worlds_add_ball(&given, 1, 0.1, 0.2, 0, 0.1);
    worlds_add_ball(&given, 1, 0.1, 0.1, 0, 0.4);
    end = end_of(worlds_create(&given), 2, scaled(20000));
    assert_true(end == CAROM_WORLD_END_TIME || end == CAROM_WORLD_END_EVENTS ||
                end == CAROM_WORLD_END_REST);
}

/* Three balls on top of each other. Rounding puts them 1e-29 m off the vertical; the couplings of
 * that must not make them slip, which the solver of the impacts could not follow. */
static void test_stack(void **state) {
    (void)state;
    TestWorld given;
    const double r = 0.028575;
    worlds_begin(&given, 0.05, 0.95);
    worlds_add_table(&given, 0.2, 0.01, 0.02);
    given.surfaces[1].contact = (CaromContact){.mu = 0.2, .e = 0.5};
    worlds_add_ball(&given, 0.17, r, 0, 0, 0.028575);
    worlds_add_ball(&given, 0.17, r, 0, 0, 0.085725);
    worlds_add_ball(&given, 0.17, r, 0, 0, 0.142875);
    CaromWorld *world = worlds_create(&given);
    CaromWorldRun run = {.time = 0.05};
    assert_int_equal(carom_world_run(world, &run), CAROM_OK);
    assert_int_equal(run.end, CAROM_WORLD_END_TIME);
    assert_true(run.impact_count > 100);
    for (int i = 0; i < 3; i++) {
        CaromBody ball;
        assert_int_equal(carom_world_body(world, i, &ball, NULL), CAROM_OK);
        check_close(ball.position[0], 0, 1e-12);
        check_close(ball.position[2], r * (2 * i + 1), 1e-3 * r); /* 1.2e-4 */
    }
    carom_world_destroy(world);
}

/* Very many balls at rest on a table, one of them shot into them. */
static void test_many(void **state) {
    (void)state;
    int side = 316, count = side * side + 1;
    CaromWorldBody *bodies = calloc((size_t)count, sizeof *bodies);
    assert_non_null(bodies);
    TestWorld given;
    two_balls(&given);
    for (int i = 0; i < count; i++) {
        bodies[i] = given.bodies[0];
        bodies[i].body.position[0] = i < count - 1 ? 0.3 * (i % side) : -1;
        bodies[i].body.position[1] = i < count - 1 ? 0.3 * (i / side) : 0;
    }
    bodies[count - 1].body.velocity[0] = 5;
    CaromWorldSetup setup = given.setup;
    CaromWorld *world;
    setup.bodies = bodies;
    setup.body_count = count;
    setup.planes = given.planes;
    setup.surfaces = given.surfaces;
    assert_int_equal(carom_world_create(&setup, NULL, &world, NULL), CAROM_OK);
    assert_int_equal(end_of(world, 0, 1000), CAROM_WORLD_END_EVENTS);
    free(bodies);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused), cmocka_unit_test(test_nothing_moves),
        cmocka_unit_test(test_stops),   cmocka_unit_test(test_accumulating),
        cmocka_unit_test(test_stack),   cmocka_unit_test(test_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
