/* Bench procedures against closed forms, and tracks of motions that are known. */
#include <math.h>
#include <stddef.h>

#include <carom/carom.h>
#include <carom/measure.h>

#include "support/check.h"
#include "support/math/random.h"

static void check_measured(CaromMeasured measured, double value, double error) {
    check_close(measured.value, value, 1e-12);
    check_close(measured.standard_error, error, 1e-12);
}

/* Values and propagated errors, by hand. */
static void test_bench(void **state) {
    (void)state;
    CaromMeasured m;
    const double one[] = {1}, drops[] = {1, 1}, bounces[] = {0.64, 0.81};
    const char *message;
    assert_int_equal(carom_measure_drop(one, bounces, 1, 0.01, &m, &message), CAROM_OK);
    check_measured(m, 0.8, 0.5 * 0.8 * 0.01 * hypot(1, 1 / 0.64));
    carom_measure_drop(one, bounces, 1, 0, &m, &message);
    assert_true(isnan(m.standard_error)); /* one repetition and no sigma tell nothing */
    carom_measure_drop(drops, bounces, 2, 0, &m, &message);
    check_measured(m, 0.85, 0.05); /* scatter 0.0707 over sqrt 2 */
    const double heights[] = {1, 0.25, 0.0625}, times[] = {0, 1, 1.5, 1.75};
    carom_measure_heights(heights, 3, 0, &m, &message);
    check_close(m.value, 0.5, 1e-14);
    carom_measure_times(times, 4, 0, &m, &message);
    check_close(m.value, 0.5, 1e-14);
    /* two flights: e = t2/t1, sigma by hand from three times */
    carom_measure_times(times, 3, 0.01, &m, &message);
    check_measured(m, 0.5, 0.01 * sqrt(0.25 + 2.25 + 1));
    carom_measure_pendulum(one, bounces, 1, 0, 0, &m, &message);
    check_close(m.value, 0.8, 1e-14);
    carom_measure_pendulum(one, bounces, 1, 0, 1, &m, &message);
    check_close(m.value, 0.6, 1e-14);
    const double angle[] = {atan(0.25)}, height[] = {0.03}, distance[] = {1.5};
    carom_measure_tilt(angle, 1, 0.01, &m, &message);
    check_measured(m, 0.25, 0.01 * 1.0625);
    carom_measure_ramp(height, distance, 1, 0, 0, &m, &message);
    check_close(m.value, 0.02, 1e-16);
    carom_measure_ramp(height, distance, 1, 0, 1, &m, &message);
    check_close(m.value, 0.028, 1e-16);
    carom_measure_springs(2, (CaromMeasured){100, 1}, (CaromMeasured){0.5, 0.01},
                          (CaromMeasured){0.3, 0}, (CaromMeasured){2, 0}, &m, &message);
    check_measured(m, 4, 4 * hypot(0.005, 0.5 * 0.01 / 0.16));
    carom_measure_poisson((CaromMeasured){0.3, 0.02}, &m, &message);
    check_measured(m, 17.0 / 14, 0.02 / 0.98);
}

static void test_refusals(void **state) {
    (void)state;
    CaromMeasured m = {0};
    const double drop[] = {1}, higher[] = {2}, negative[] = {-1}, falling[] = {0, 2, 1};
    const char *message = NULL;
    assert_int_equal(carom_measure_drop(drop, higher, 1, 0, &m, &message), CAROM_INVALID_INPUT);
    assert_string_equal(message, "a bounce is higher than its drop");
    assert_true(isnan(m.value) && isnan(m.standard_error));
    assert_int_equal(carom_measure_drop(drop, negative, 1, 0, &m, &message), CAROM_INVALID_INPUT);
    assert_int_equal(carom_measure_times(falling, 3, 0, &m, &message), CAROM_INVALID_INPUT);
    assert_int_equal(carom_measure_tilt(higher, 1, 0, &m, &message), CAROM_INVALID_INPUT);
    assert_int_equal(carom_measure_poisson((CaromMeasured){0.6, 0}, &m, &message),
                     CAROM_INVALID_INPUT);
    assert_int_equal(carom_measure_drop(NULL, higher, 1, 0, &m, NULL), CAROM_INVALID_INPUT);
    CaromTrackRoll roll = {.rms = 1};
    assert_int_equal(carom_measure_roll(NULL, 9, 1, 1, 1, 1, &roll, &message), CAROM_INVALID_INPUT);
    assert_true(isnan(roll.rms) && isnan(roll.velocity[0].value));
}

/* A bounce at t = 0.4321 with noise of 0.5 mm. Measured: all velocities within 2.1 standard errors,
 * which are 1e-3 to 2e-3. */
static void test_bounce(void **state) {
    (void)state;
    Random random = random_start(5, 1);
    CaromTrackPoint points[60];
    CaromTrackBounce bounce;
    const double gravity[3] = {0, 0, -9.81}, before[3] = {1, 0.2, -3}, after[3] = {0.7, 0.1, 2.4};
    const char *message;
    for (int i = 0; i < 60; i++) {
        double t = i / 60.0 - 0.4321;
        points[i].time = i / 60.0;
        for (int k = 0; k < 3; k++) {
            points[i].position[k] = (t < 0 ? before[k] : after[k]) * t + gravity[k] * t * t / 2 +
                                    0.0005 * random_between(&random, -1, 1);
        }
    }
    assert_int_equal(carom_measure_bounce(points, 60, gravity, &bounce, &message), CAROM_OK);
    check_close(bounce.time, 0.4321, 1e-3);
    assert_int_equal(bounce.last, 25);
    for (int k = 0; k < 3; k++) {
        check_close(bounce.before[k].value, before[k], 4 * bounce.before[k].standard_error);
        check_close(bounce.after[k].value, after[k], 4 * bounce.after[k].standard_error);
        assert_true(bounce.after[k].standard_error < 2e-3);
    }
    check_close(bounce.e.value, 0.8, 4 * bounce.e.standard_error);
    for (int i = 0; i < 60; i++) {
        points[i].position[2] = -points[i].position[2];
    }
    const double up[3] = {0, 0, 9.81}; /* z the wrong way round */
    assert_int_equal(carom_measure_bounce(points, 60, up, &bounce, &message), CAROM_INVALID_INPUT);
}

/* A shot: the velocities come back from the path alone. */
static void test_roll(void **state) {
    (void)state;
    Random random = random_start(6, 1);
    const CaromTable table = {0.03, 0.2, 0.015, 9.81};
    const CaromRollingState start = {{0, 0, 0.03}, {1.5, 0.3, 0}, {20, -15, 0}};
    CaromRollingPath path;
    CaromTrackPoint points[60];
    CaromTrackRoll roll;
    const char *message;
    assert_int_equal(carom_rolling_path(&table, &start, &path, &message), CAROM_OK);
    for (int i = 0; i < 60; i++) {
        CaromRollingState at;
        points[i].time = 5 + i / 30.0;
        carom_rolling_at(&path, i / 30.0, &at, NULL, NULL);
        for (int k = 0; k < 3; k++) {
            points[i].position[k] = at.position[k] + 0.0003 * random_between(&random, -1, 1);
        }
    }
    assert_int_equal(carom_measure_roll(points, 60, 0.03, 9.81, NAN, NAN, &roll, &message),
                     CAROM_OK);
    for (int k = 0; k < 2; k++) {
        check_close(roll.velocity[k].value, start.velocity[k], 4 * roll.velocity[k].standard_error);
        check_close(roll.angular_velocity[k].value, start.angular_velocity[k],
                    4 * roll.angular_velocity[k].standard_error);
        assert_true(roll.velocity[k].standard_error < 0.01); /* measured 1e-3 */
    }
    check_close(roll.mu_slide.value, 0.2, 4 * roll.mu_slide.standard_error);
    check_close(roll.mu_roll.value, 0.015, 4 * roll.mu_roll.standard_error);
}

/* A tumbling box, exact: Euler's equations forwards by the library, the fit backwards. */
static void test_tumble(void **state) {
    (void)state;
    const double gravity[3] = {0, 0, -9.81}, inertia[3] = {1, 2, 2.5};
    CaromBody body = carom_body_default();
    CaromTrackPoint points[16];
    CaromTrackTumble tumble;
    const char *message;
    for (int k = 0; k < 3; k++) {
        body.inertia[4 * k] = inertia[k];
        body.velocity[k] = 0.5 * (k + 1);
        body.angular_velocity[k] = 4 - 3 * k;
    }
    for (int i = 0; i < 16; i++) {
        CaromBody at = body;
        points[i].time = 0.01 * i;
        assert_int_equal(carom_flight_advance(&at, gravity, 0.01 * i, &message), CAROM_OK);
        for (int k = 0; k < 4; k++) {
            points[i].orientation[k] = i % 2 ? -at.orientation[k] : at.orientation[k];
        }
        for (int k = 0; k < 3; k++) {
            points[i].position[k] = at.position[k];
        }
    }
    assert_int_equal(carom_measure_tumble(points, 16, gravity, inertia, 0, &tumble, &message),
                     CAROM_OK);
    for (int k = 0; k < 3; k++) {
        check_close(tumble.velocity[k].value, body.velocity[k], 1e-12);
        check_close(tumble.angular_velocity[k].value, body.angular_velocity[k], 1e-8);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bench), cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_bounce), cmocka_unit_test(test_roll), cmocka_unit_test(test_tumble)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
