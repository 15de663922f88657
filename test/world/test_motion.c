/* Balls in closed form: bounces, sliding, rolling, spinning, stun shots.
 *
 * Oracles: textbook formulas, and carom_rolling_path(), which shares no code with the world. */
#include <carom/carom.h>

#include "support/check.h"
#include "support/mechanics/worlds.h"

#define SEED 20240611u

static const double G = 9.81, R = 0.028575;

/* Run to the end, which must be this one. */
static CaromWorldRun run_to(CaromWorld *world, double time, CaromWorldEnd end) {
    CaromWorldRun run = {.time = time, .events = 100000};
    assert_int_equal(carom_world_run(world, &run), CAROM_OK);
    assert_string_equal(carom_world_end_string(run.end), carom_world_end_string(end));
    return run;
}

/* A rolling ball with deceleration a = 5/7 mu_roll g comes to rest after v^2/(2 a). */
static void test_rolls_to_rest(void **state) {
    (void)state;
    TestWorld given;
    worlds_begin(&given, 0.2, 0.5);
    worlds_add_table(&given, 0.2, 0.01, 0.01);
    CaromBody *ball = worlds_add_ball(&given, 0.17, R, 0.1, 0.2, R);
    ball->velocity[0] = 1.5;
    ball->angular_velocity[1] = 1.5 / R;
    CaromWorld *world = worlds_create(&given);
    assert_int_equal(worlds_ball(world, 0).phase, CAROM_PHASE_ROLLING);
    run_to(world, 0, CAROM_WORLD_END_REST);
    double a = 5.0 / 7 * 0.01 * G;
    /* errors: 3e-16 */
    check_close(carom_world_time(world), 1.5 / a, 1e-13);
    CaromMotion last = worlds_ball(world, 0);
    check_close(last.position[0], 0.1 + 1.5 * 1.5 / 2 / a, 1e-13);
    check_close(last.position[1], 0.2, 0);
    check_close(last.position[2], R, 0);
    carom_world_destroy(world);
}

/* A ball that starts without spin rolls at 5/7 of its speed, whatever the friction. */
static void test_slides_then_rolls(void **state) {
    (void)state;
    TestWorld given;
    worlds_begin(&given, 0.2, 0.5);
    worlds_add_table(&given, 0.2, 0, 0);
    worlds_add_ball(&given, 0.17, R, 0, 0, R)->velocity[1] = 7;
    CaromWorld *world = worlds_create(&given);
    assert_int_equal(worlds_ball(world, 0).phase, CAROM_PHASE_SLIDING);
    run_to(world, 2 * 7 / (7 * 0.2 * G) + 1, CAROM_WORLD_END_TIME);
    CaromMotion last = worlds_ball(world, 0);
    assert_int_equal(last.phase, CAROM_PHASE_ROLLING);
    check_close(last.velocity[1], 5, 1e-14);
    check_close(last.angular_velocity[0], -5 / R, 1e-12);
    carom_world_destroy(world);
}

/* The spin about the vertical falls at 5 mu_spin g/(2 R). */
static void test_spin_ends(void **state) {
    (void)state;
    TestWorld given;
    worlds_begin(&given, 0.2, 0.5);
    worlds_add_table(&given, 0.2, 0.01, 0.03);
    worlds_add_ball(&given, 0.17, R, 0, 0, R)->angular_velocity[2] = -80;
    CaromWorld *world = worlds_create(&given);
    assert_int_equal(worlds_ball(world, 0).phase, CAROM_PHASE_SPINNING);
    CaromWorldRun run = run_to(world, 0, CAROM_WORLD_END_REST);
    assert_int_equal(run.event_count, 1);
    check_close(carom_world_time(world), 80 * 2 * R / (5 * 0.03 * G), 1e-14);
    carom_world_destroy(world);
}

/* Sliding and rolling against carom_rolling_path(), at random times. */
static void test_follows_rolling_path(void **state) {
    (void)state;
    Random random = random_start(SEED, 0);
    double worst = 0;
    for (int i = 0; i < 200; i++) {
        TestWorld given;
        worlds_begin(&given, 0.2, 0.5);
        worlds_add_table(&given, 0.15, 0.02, 0);
        CaromBody *ball = worlds_add_ball(&given, 0.17, R, 0, 0, R);
        random_vector(&random, 3, ball->velocity);
        random_vector(&random, 100, ball->angular_velocity);
        ball->velocity[2] = 0;
        CaromTable table = {.radius = R, .mu_slide = 0.15, .mu_roll = 0.02, .gravity = G};
        CaromRollingState start = {.position = {0, 0, R}}, expected;
        for (int k = 0; k < 3; k++) {
            start.velocity[k] = ball->velocity[k];
            start.angular_velocity[k] = ball->angular_velocity[k];
        }
        CaromRollingPath path;
        assert_int_equal(carom_rolling_path(&table, &start, &path, NULL), CAROM_OK);
        CaromWorld *world = worlds_create(&given);
        double time = random_between(&random, 0, path.begin[2]);
        run_to(world, time, CAROM_WORLD_END_TIME);
        assert_int_equal(carom_rolling_at(&path, time, &expected, NULL, NULL), CAROM_OK);
        CaromMotion got = worlds_ball(world, 0);
        for (int k = 0; k < 3; k++) {
            worst = larger(worst, fabs(got.position[k] - expected.position[k]));
            worst = larger(worst, fabs(got.velocity[k] - expected.velocity[k]));
            worst = larger(worst, R * fabs(got.angular_velocity[k] - expected.angular_velocity[k]));
        }
        carom_world_destroy(world);
    }
    /* measured: 7e-15 */
    check_close(worst, 0, 1e-13);
}

/* A ball dropped from h bounces at e: the bounces accumulate at sqrt(2 h/g) (1 + e)/(1 - e). */
static void test_bounces_accumulate(void **state) {
    (void)state;
    TestWorld given;
    worlds_begin(&given, 0.2, 0.5);
    worlds_add_table(&given, 0.2, 0.01, 0.01);
    worlds_add_ball(&given, 1, 0.1, 0, 0, 0.1 + 0.5);
    CaromWorld *world = worlds_create(&given);
    CaromWorldRun run = run_to(world, 0, CAROM_WORLD_END_REST);
    double fall = sqrt(2 * 0.5 / G), speed = sqrt(2 * 0.5 * G), rest = 1e-3 * sqrt(G * 0.1);
    int bounces = (int)ceil(log(rest / speed) / log(0.5));
    assert_int_equal(run.impact_count, bounces);
    double left = pow(0.5, bounces);
    check_close(carom_world_time(world), fall * (3 - 4 * left), 1e-13);
    check_close(worlds_ball(world, 0).position[2], 0.1, 1e-15);
    carom_world_destroy(world);
}

/* Stun: a ball that slides without spin into an equal one stops, and the other goes on. */
static void test_stun_shot(void **state) {
    (void)state;
    TestWorld given;
    worlds_begin(&given, 0, 1);
    worlds_add_table(&given, 0, 0, 0);
    worlds_add_ball(&given, 0.17, R, -1, 0, R)->velocity[0] = 2;
    worlds_add_ball(&given, 0.17, R, 0, 0, R);
    CaromWorld *world = worlds_create(&given);
    CaromWorldRun run = run_to(world, 1, CAROM_WORLD_END_TIME);
    assert_int_equal(run.impact_count, 1);
    double hit = (1 - 2 * R) / 2;
    check_close(worlds_ball(world, 0).position[0], -2 * R, 1e-15);
    check_close(worlds_ball(world, 0).velocity[0], 0, 1e-15);
    check_close(worlds_ball(world, 1).position[0], 2 * (1 - hit), 1e-14);
    carom_world_destroy(world);
}

/* A ball on a slope stays on it by small bounces: it rolls at 5/7 of the acceleration, or slides
 * with friction, and does not get into the plane. */
static void test_slope(void **state) {
    (void)state;
    const double angle = 0.3, r = 0.1;
    for (int i = 0; i < 4; i++) {
        double mu = i < 2 ? 0.5 : 0.05, e = i % 2 == 0 ? 0.5 : 0.9;
        TestWorld given;
        worlds_begin(&given, mu, e);
        worlds_add_table(&given, mu, 0, 0);
        given.setup.gravity[0] = G * sin(angle);
        given.setup.gravity[2] = -G * cos(angle);
        worlds_add_ball(&given, 1, r, 0, 0, r);
        CaromWorld *world = worlds_create(&given);
        CaromWorldRun run = run_to(world, 1, CAROM_WORLD_END_TIME);
        CaromMotion last = worlds_ball(world, 0);
        double rolls = 5.0 / 7 * G * sin(angle), slides = G * (sin(angle) - mu * cos(angle));
        double expected = (i < 2 ? rolls : slides) / 2;
        /* measured: 4.3e-5 */
        check_close(last.position[0] / expected, 1, 2e-4);
        check_close(last.position[2], r, 2e-6 * r);
        assert_true(run.impact_count < 20000);
        carom_world_destroy(world);
    }
}

/* Two balls with different accelerations: one thrown up over the table, one rolling under it. The
 * meeting is the first root of a quartic; oracle: bisection of the distance in small steps. */
static void test_meeting_of_quartic(void **state) {
    (void)state;
    Random random = random_start(SEED, 1);
    int met = 0;
    for (int i = 0; i < 300; i++) {
        TestWorld given;
        worlds_begin(&given, 0, 1);
        worlds_add_table(&given, 0.2, 0.3, 0);
        CaromBody *a = worlds_add_ball(&given, 1, 0.1, 0, 0, 0.1);
        a->velocity[0] = random_between(&random, 0.5, 2);
        a->angular_velocity[1] = a->velocity[0] / 0.1;
        CaromBody *b = worlds_add_ball(&given, 1, 0.1, random_between(&random, 0.2, 0.6), 0,
                                       random_between(&random, 0.4, 0.7));
        b->velocity[2] = random_between(&random, 0, 2);
        b->velocity[0] = random_between(&random, -0.5, 0.5);
        CaromWorld *world = worlds_create(&given);
        CaromMotion first = worlds_ball(world, 0), second = worlds_ball(world, 1);
        double floor_time = (b->velocity[2] + sqrt(b->velocity[2] * b->velocity[2] +
                                                   2 * G * (b->position[2] - 0.1))) /
                            G;
        double end = fmin(first.end, floor_time), found = INFINITY;
        for (double t = 0; t < end && isinf(found); t += 1e-4) {
            CaromMotion p = first, q = second;
            carom_motion_advance(&p, t);
            carom_motion_advance(&q, t);
            found = hypot(p.position[0] - q.position[0], p.position[2] - q.position[2]) < 0.2
                        ? t
                        : found;
        }
        if (found < end - 1e-3) {
            CaromWorldRun run = {.time = 10, .events = 1};
            assert_int_equal(carom_world_run(world, &run), CAROM_OK);
            assert_int_equal(run.impact_count, 1);
            check_close(carom_world_time(world), found, 1.1e-4);
            CaromMotion p = worlds_ball(world, 0), q = worlds_ball(world, 1);
            check_close(hypot(p.position[0] - q.position[0], p.position[2] - q.position[2]), 0.2,
                        2e-14); /* measured: 2e-15 */
            met++;
        }
        carom_world_destroy(world);
    }
    assert_true(met > 50);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rolls_to_rest),      cmocka_unit_test(test_slides_then_rolls),
        cmocka_unit_test(test_spin_ends),          cmocka_unit_test(test_follows_rolling_path),
        cmocka_unit_test(test_bounces_accumulate), cmocka_unit_test(test_stun_shot),
        cmocka_unit_test(test_meeting_of_quartic), cmocka_unit_test(test_slope),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
