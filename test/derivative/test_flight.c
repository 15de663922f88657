/* Derivatives of free flight and of the touch of a convex body: against differences of the
 * library's own flight, and the gradient of a ball. */
#include <string.h>

#include <carom/carom.h>

#include "support/check.h"
#include "support/math/random.h"

static const uint64_t SEED = 19200;

static const double GRAVITY[3] = {0.3, -0.2, -9.81};
static const CaromPlane FLOOR = {.point = {0, 0, 0}, .normal = {0.2, 0.1, 2}};

/* A box with half edges 0.3, 0.2, 0.1 and mass 1. */
static const double CORNERS[24] = {0.3, 0.2,  0.1,  0.3,  0.2,  -0.1, 0.3,  -0.2,
                                   0.1, 0.3,  -0.2, -0.1, -0.3, 0.2,  0.1,  -0.3,
                                   0.2, -0.1, -0.3, -0.2, 0.1,  -0.3, -0.2, -0.1};

static CaromBody random_box(uint64_t index) {
    Random random = random_start(SEED, index);
    CaromBody box = carom_body_default();
    const double J[9] = {0.05 / 3, 0, 0, 0, 0.1 / 3, 0, 0, 0, 0.13 / 3};
    memcpy(box.inertia, J, sizeof J);
    for (int i = 0; i < 4; i++) {
        box.orientation[i] = random_between(&random, -1, 1);
    }
    double size = 0;
    for (int i = 0; i < 4; i++) {
        size += box.orientation[i] * box.orientation[i];
    }
    for (int i = 0; i < 4; i++) {
        box.orientation[i] /= sqrt(size);
    }
    random_vector(&random, 1, box.velocity);
    random_vector(&random, 6, box.angular_velocity);
    box.position[2] = random_between(&random, 0.6, 1.5);
    return box;
}

/* Turn a body by a rotation vector in world axes. */
static void turn_body(const double rotation[3], double q[4]) {
    double w = q[0], x = q[1], y = q[2], z = q[3];
    double size =
        sqrt(rotation[0] * rotation[0] + rotation[1] * rotation[1] + rotation[2] * rotation[2]);
    double c = cos(size / 2), s = size > 0 ? sin(size / 2) / size : 0.5;
    double a = s * rotation[0], b = s * rotation[1], d = s * rotation[2];
    q[0] = c * w - a * x - b * y - d * z;
    q[1] = c * x + a * w + b * z - d * y;
    q[2] = c * y + b * w + d * x - a * z;
    q[3] = c * z + d * w + a * y - b * x;
}

/* One number of the motion changed. */
static CaromBody shifted(const CaromBody *body, int number, double by) {
    CaromBody out = *body;
    double turn[3] = {0, 0, 0};
    double *of[4] = {out.position, turn, out.velocity, out.angular_velocity};
    of[number / 3][number % 3] += by;
    turn_body(turn, out.orientation);
    return out;
}

/* The motion of b relative to that of a, for small differences. */
static void motion_between(const CaromBody *a, const CaromBody *b, double out[CAROM_MOTION]) {
    const double *p = a->orientation, *q = b->orientation;
    /* the vector of b a^-1, twice */
    double turn[3] = {-q[0] * p[1] + q[1] * p[0] - q[2] * p[3] + q[3] * p[2],
                      -q[0] * p[2] + q[2] * p[0] - q[3] * p[1] + q[1] * p[3],
                      -q[0] * p[3] + q[3] * p[0] - q[1] * p[2] + q[2] * p[1]};
    double same = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3];
    double size = sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2]);
    double by = (same < 0 ? -2 : 2) * (size > 0 ? asin(fmin(size, 1)) / size : 1);
    for (int i = 0; i < 3; i++) {
        out[i] = b->position[i] - a->position[i];
        out[3 + i] = by * turn[i];
        out[6 + i] = b->velocity[i] - a->velocity[i];
        out[9 + i] = b->angular_velocity[i] - a->angular_velocity[i];
    }
}

static const double STEP = 2.5e-4;
static const double WEIGHTS[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
static const double SHIFTS[4] = {-2, -1, 1, 2};

static void flight_agrees_with_differences(void **state) {
    (void)state;
    double worst = 0;
    for (int k = 0; k < 20; k++) {
        CaromBody box = random_box((uint64_t)k), there = box;
        double dt = 0.1 * (k + 1), jacobian[CAROM_MOTION * CAROM_MOTION];
        assert_int_equal(carom_flight_jacobian(&box, GRAVITY, dt, jacobian, NULL), CAROM_OK);
        assert_int_equal(carom_flight_advance(&there, GRAVITY, dt, NULL), CAROM_OK);
        for (int j = 0; j < CAROM_MOTION; j++) {
            double sum[CAROM_MOTION] = {0}, size = 1;
            for (int s = 0; s < 4; s++) {
                CaromBody other = shifted(&box, j, SHIFTS[s] * STEP);
                double off[CAROM_MOTION];
                assert_int_equal(carom_flight_advance(&other, GRAVITY, dt, NULL), CAROM_OK);
                motion_between(&there, &other, off);
                for (int i = 0; i < CAROM_MOTION; i++) {
                    sum[i] += WEIGHTS[s] * off[i] / STEP;
                }
            }
            for (int i = 0; i < CAROM_MOTION; i++) {
                size = fmax(size, fabs(sum[i]));
            }
            for (int i = 0; i < CAROM_MOTION; i++) {
                worst = fmax(worst, fabs(jacobian[i * CAROM_MOTION + j] - sum[i]) / size);
            }
        }
    }
    print_message("flight: worst %.1e\n", worst);
    assert_true(worst < 2e-9); /* 5.4e-11, the differences' own error */
}

static void touch_agrees_with_differences(void **state) {
    (void)state;
    CaromShape shape = carom_shape_vertices(CORNERS, 8);
    double worst = 0;
    int count = 0;
    for (int k = 0; k < 40; k++) {
        CaromBody box = random_box(100 + (uint64_t)k);
        double by_time[CAROM_MOTION], by_motion[CAROM_MOTION * CAROM_MOTION];
        CaromTouch touch;
        assert_int_equal(carom_touch_gradient(&box, GRAVITY, &shape, &FLOOR, INFINITY, &touch,
                                              by_time, by_motion, NULL),
                         CAROM_OK);
        assert_true(touch.found);
        for (int j = 0; j < CAROM_MOTION; j++) {
            double time = 0, sum[CAROM_MOTION] = {0}, size = 1;
            int same = 1;
            for (int s = 0; s < 4; s++) {
                CaromBody other = shifted(&box, j, SHIFTS[s] * STEP);
                CaromTouch then;
                double off[CAROM_MOTION];
                assert_int_equal(
                    carom_flight_touch(&other, GRAVITY, &shape, &FLOOR, INFINITY, &then, NULL),
                    CAROM_OK);
                same = same && then.vertex == touch.vertex;
                time += WEIGHTS[s] * (then.time - touch.time) / STEP;
                motion_between(&touch.body, &then.body, off);
                for (int i = 0; i < CAROM_MOTION; i++) {
                    sum[i] += WEIGHTS[s] * off[i] / STEP;
                    size = fmax(size, fabs(by_motion[i * CAROM_MOTION + j]));
                }
            }
            if (!same) {
                continue; /* a kink: another corner touches first */
            }
            count++;
            worst = fmax(worst, fabs(by_time[j] - time) / (1 + fabs(time)));
            for (int i = 0; i < CAROM_MOTION; i++) {
                worst = fmax(worst, fabs(by_motion[i * CAROM_MOTION + j] - sum[i]) / size);
            }
        }
    }
    print_message("touch, %d columns: worst %.1e\n", count, worst);
    assert_true(count > 400);
    assert_true(worst < 2e-9); /* 4.3e-11, the differences' own error */
}

/* A ball does not depend on its rotation, and has a call of its own. */
static void balls_have_the_same_gradient(void **state) {
    (void)state;
    CaromBody ball = random_box(7);
    CaromShape shape = carom_shape_ball(0.2);
    CaromBallTouch known;
    CaromTouch touch;
    double by_time[CAROM_MOTION];
    assert_int_equal(carom_ball_touch_plane(&ball, GRAVITY, 0.2, &FLOOR, &known, NULL), CAROM_OK);
    assert_int_equal(
        carom_touch_gradient(&ball, GRAVITY, &shape, &FLOOR, INFINITY, &touch, by_time, NULL, NULL),
        CAROM_OK);
    for (int i = 0; i < 3; i++) {
        check_close(by_time[i], known.by_position[i], 1e-14);
        check_close(by_time[6 + i], known.by_velocity[i], 1e-14);
        assert_true(by_time[3 + i] == 0 && by_time[9 + i] == 0);
    }
}

static void no_touch_has_no_gradient(void **state) {
    (void)state;
    CaromBody box = random_box(3);
    CaromShape shape = carom_shape_vertices(CORNERS, 8);
    const double none[3] = {0, 0, 0};
    double by_time[CAROM_MOTION], jacobian[CAROM_MOTION * CAROM_MOTION];
    CaromTouch touch;
    const char *message;
    box.velocity[2] = 5;
    assert_int_equal(
        carom_touch_gradient(&box, none, &shape, &FLOOR, 0.1, &touch, by_time, NULL, &message),
        CAROM_OK);
    assert_true(!touch.found && isnan(by_time[0]) && isnan(by_time[11]));
    box.mass = -1;
    assert_int_equal(carom_flight_jacobian(&box, none, 1, jacobian, &message), CAROM_INVALID_INPUT);
    assert_true(isnan(jacobian[0]) && message[0]);
    assert_int_equal(carom_flight_jacobian(NULL, none, 1, jacobian, &message), CAROM_INVALID_INPUT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flight_agrees_with_differences),
        cmocka_unit_test(touch_agrees_with_differences),
        cmocka_unit_test(balls_have_the_same_gradient),
        cmocka_unit_test(no_touch_has_no_gradient),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
