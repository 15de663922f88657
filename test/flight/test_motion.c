/* Free flight of a body.
 *
 * Oracles: closed forms (parabola, steady rotation, symmetric top); Runge-Kutta in long double for
 * the rotation about the unstable axis; the same body in other body axes; the conserved quantities.
 * The phase of a rotation by the angle A cannot be known better than A times the rounding of the
 * input, so tolerances for orientations are in units of that. */
#include <carom/carom.h>
#include <float.h>
#include <string.h>

#include "support/check.h"
#include "support/math/random.h"
#include "support/math/vector.h"
#include "support/scale.h"

static const double down[3] = {0, 0, -9.81};
static const double none[3] = {0, 0, 0};

/* c = a o b */
static void multiply(const double a[4], const double b[4], double c[4]) {
    c[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    c[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    c[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    c[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

/* Rotation by an angle about an axis of any length. */
static void rotation(const double axis[3], double angle, double q[4]) {
    double length = sqrt(vector_dot(axis, axis)), s = sin(angle / 2) / length;
    q[0] = cos(angle / 2);
    for (int i = 0; i < 3; i++) {
        q[1 + i] = s * axis[i];
    }
}

/* b = a turned by q, or back */
static void turn(const double q[4], int back, const double a[3], double b[3]) {
    double sign = back ? -1 : 1, left[4] = {q[0], sign * q[1], sign * q[2], sign * q[3]};
    double right[4] = {q[0], -sign * q[1], -sign * q[2], -sign * q[3]};
    double x[4] = {0, a[0], a[1], a[2]}, y[4], z[4];
    multiply(left, x, y);
    multiply(y, right, z);
    memcpy(b, z + 1, 3 * sizeof *b);
}

/* The angle between two orientations (of unit length; q and -q are the same). */
static double angle_between(const double a[4], const double b[4]) {
    double inverse[4] = {a[0], -a[1], -a[2], -a[3]}, c[4];
    multiply(inverse, b, c);
    return 2 * atan2(sqrt(vector_dot(c + 1, c + 1)), fabs(c[0]));
}

static void momentum(const CaromBody *body, double L[3]) {
    double omega[3], l[3];
    turn(body->orientation, 1, body->angular_velocity, omega);
    for (int i = 0; i < 3; i++) {
        l[i] = vector_dot(body->inertia + 3 * i, omega);
    }
    turn(body->orientation, 0, l, L);
}

static double distance(const double a[3], const double b[3]) {
    double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrt(vector_dot(d, d));
}

static void random_rotation(Random *random, double q[4]) {
    double axis[3];
    random_vector(random, 1, axis);
    rotation(axis, 6 * random_uniform(random), q);
}

/* A body with an inertia that a solid can have, whose ratios are up to most. */
static CaromBody random_body(Random *random, double most) {
    CaromBody body = carom_body_default();
    double q[4], size[3], axis[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    random_rotation(random, q);
    random_rotation(random, body.orientation);
    random_vector(random, 1, body.position);
    random_vector(random, 1, body.velocity);
    random_vector(random, 1, body.angular_velocity);
    for (int i = 0; i < 3; i++) {
        turn(q, 0, axis[i], axis[i]);
        size[i] = random_log(random, 1, most);
    }
    for (int i = 0; i < 9; i++) {
        int row = i / 3, column = i % 3;
        body.inertia[i] = 0;
        for (int k = 0; k < 3; k++) {
            body.inertia[i] +=
                (size[(k + 1) % 3] + size[(k + 2) % 3]) * axis[k][row] * axis[k][column];
        }
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < i; j++) {
            body.inertia[3 * i + j] = body.inertia[3 * j + i];
        }
    }
    return body;
}

static void fly(CaromBody *body, const double gravity[3], double dt) {
    const char *message = "unset";
    assert_int_equal(carom_flight_advance(body, gravity, dt, &message), CAROM_OK);
    assert_string_equal(message, "");
}

/* The centre of mass is on its parabola; a ball keeps its angular velocity to the last bit. */
static void test_ball(void **state) {
    (void)state;
    CaromBody body = carom_body_default();
    const double g[3] = {0.3, -0.2, -9.81}, omega[3] = {3, -4, 12};
    memcpy(body.angular_velocity, omega, sizeof omega);
    body.velocity[0] = 2;
    body.velocity[2] = 7;
    body.position[1] = 5;
    CaromBody start = body;
    for (int sign = -1; sign <= 1; sign += 2) {
        double t = sign * 1.75, q[4], expected[4];
        body = start;
        fly(&body, g, t);
        for (int i = 0; i < 3; i++) {
            double x = start.position[i] + start.velocity[i] * t + g[i] * t * t / 2;
            check_close(body.position[i], x, 1e-14); /* measured 4.4e-16 */
            check_close(body.velocity[i], start.velocity[i] + g[i] * t, 1e-15); /* measured 0 */
        }
        assert_memory_equal(body.angular_velocity, omega, sizeof omega);
        rotation(omega, 13 * t, q);
        multiply(q, start.orientation, expected);
        check_close(angle_between(body.orientation, expected), 0, 1e-14); /* measured 0 */
    }
}

/* About a principal axis the rotation is steady for ever, about the unstable one too. */
static void test_principal_axes(void **state) {
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        CaromBody body = carom_body_default();
        for (int i = 0; i < 3; i++) {
            body.inertia[4 * i] = 1 + i;
        }
        double body_axis[3] = {axis == 0, axis == 1, axis == 2}, about[3] = {1, 2, -2};
        rotation(about, 0.7, body.orientation);
        turn(body.orientation, 0, body_axis, body.angular_velocity);
        CaromBody start = body;
        fly(&body, none, 1e9);
        double q[4], expected[4];
        rotation(start.angular_velocity,
                 1e9 * sqrt(vector_dot(start.angular_velocity, start.angular_velocity)), q);
        multiply(q, start.orientation, expected);
        /* measured 5.6e-17, the angle being rounded in the same way */
        check_close(angle_between(body.orientation, expected), 0, 1e9 * DBL_EPSILON);
        assert_memory_equal(body.angular_velocity, start.angular_velocity, 3 * sizeof(double));
    }
}

/* J = diag(A, A, C): q(t) = exp(L t/2A) o q_0 o exp(z omega_3 (1 - C/A) t/2). */
static void test_symmetric_top(void **state) {
    (void)state;
    double worst = 0;
    for (int i = 0; i < scaled(200); i++) {
        Random random = random_start(71, (uint64_t)i);
        CaromBody body = carom_body_default();
        double A = random_log(&random, 0.1, 10), C = 2 * A * random_uniform(&random) + 1e-3;
        double t = random_log(&random, 1e-3, 1e3) * (i % 2 ? 1 : -1);
        body.inertia[0] = body.inertia[4] = A;
        body.inertia[8] = C;
        random_rotation(&random, body.orientation);
        random_vector(&random, 1, body.angular_velocity);
        double L[3], omega[3], first[4], last[4], middle[4], expected[4];
        const double z[3] = {0, 0, 1};
        momentum(&body, L);
        turn(body.orientation, 1, body.angular_velocity, omega);
        double precession = sqrt(vector_dot(L, L)) / A * t, spin = omega[2] * (1 - C / A) * t;
        rotation(L, precession, first);
        rotation(z, spin, last);
        multiply(first, body.orientation, middle);
        multiply(middle, last, expected);
        fly(&body, none, t);
        /* rounding of L turns the body about its axis at up to |L|/C */
        double unit = DBL_EPSILON * (1 + fabs(precession) * (1 + A / C));
        worst = larger(worst, angle_between(body.orientation, expected) / unit);
    }
    print_message("symmetric top: %.2g units of rounding\n", worst);
    check_close(worst, 0, 30); /* measured 12 */
}

/* ---- long double Runge-Kutta of l (body axes) and q ---- */

typedef struct Spin {
    long double J[3];
    long double y[7]; /* l, q */
} Spin;

static void spin_rate(const Spin *spin, const long double y[7], long double d[7]) {
    long double w[3];
    for (int i = 0; i < 3; i++) {
        w[i] = y[i] / spin->J[i];
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        d[i] = y[j] * w[k] - y[k] * w[j];
    }
    const long double *q = y + 3;
    d[3] = -(q[1] * w[0] + q[2] * w[1] + q[3] * w[2]) / 2;
    d[4] = (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]) / 2;
    d[5] = (q[0] * w[1] + q[3] * w[0] - q[1] * w[2]) / 2;
    d[6] = (q[0] * w[2] + q[1] * w[1] - q[2] * w[0]) / 2;
}

static void spin_step(Spin *spin, long double h) {
    static const long double node[4] = {0, 0.5L, 0.5L, 1}, weight[4] = {1, 2, 2, 1};
    long double sum[7] = {0}, k[7] = {0}, y[7];
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < 7; i++) {
            y[i] = spin->y[i] + node[s] * h * k[i];
        }
        spin_rate(spin, y, k);
        for (int i = 0; i < 7; i++) {
            sum[i] += weight[s] / 6 * k[i];
        }
    }
    for (int i = 0; i < 7; i++) {
        spin->y[i] += h * sum[i];
    }
}

/* A wing nut in orbit: spin about the middle axis turns over again and again. */
static void test_unstable_axis(void **state) {
    (void)state;
    if (LDBL_EPSILON >= DBL_EPSILON) {
        skip();
    }
    CaromBody body = carom_body_default();
    Spin spin = {.J = {1, 2, 3}, .y = {0.2L, 2 * 5.0L, 0, 1, 0, 0, 0}};
    for (int i = 0; i < 3; i++) {
        body.inertia[4 * i] = 1 + i;
        body.angular_velocity[i] = (double)(spin.y[i] / spin.J[i]);
        spin.y[i] = (long double)body.angular_velocity[i] * spin.J[i];
    }
    double worst = 0;
    int flips = 0, upright = 1;
    for (int piece = 0; piece < 40; piece++) {
        for (int i = 0; i < 10000; i++) {
            spin_step(&spin, 0.5L / 10000);
        }
        fly(&body, none, 0.5);
        double q[4], omega[3];
        for (int i = 0; i < 4; i++) {
            q[i] = (double)spin.y[3 + i];
        }
        worst = larger(worst, angle_between(body.orientation, q));
        turn(body.orientation, 1, body.angular_velocity, omega);
        flips += (omega[1] > 0) != upright;
        upright = omega[1] > 0;
    }
    print_message("unstable axis: %d turnovers, %.2g rad off\n", flips, worst);
    assert_true(flips >= 3);
    /* rounding of the energy moves each turnover, by as much as it changes the small spin */
    check_close(worst, 0, 1e-10); /* measured 1.4e-11 */
}

/* ---- conserved quantities and symmetries ---- */

typedef struct Drift {
    double momentum, energy;
} Drift;

static Drift drift_of(CaromBody body, double t, int pieces) {
    double L[3], later[3], size, energy = carom_body_energy(&body);
    momentum(&body, L);
    size = sqrt(vector_dot(L, L));
    Drift drift = {0, 0};
    for (int i = 0; i < pieces; i++) {
        fly(&body, none, t / pieces);
        momentum(&body, later);
        drift.momentum = larger(drift.momentum, distance(L, later) / size);
        drift.energy = larger(drift.energy, fabs(carom_body_energy(&body) / energy - 1));
    }
    return drift;
}

/* Thousands of turns in one flight, and in a thousand flights after each other. */
static void test_invariants(void **state) {
    (void)state;
    Drift one = {0, 0}, many = {0, 0};
    for (int i = 0; i < scaled(20); i++) {
        Random random = random_start(72, (uint64_t)i);
        CaromBody body = random_body(&random, 20);
        memset(body.velocity, 0, sizeof body.velocity);
        double speed = sqrt(vector_dot(body.angular_velocity, body.angular_velocity));
        double t = 2000 * 2 * 3.14159 / speed;
        Drift drift = drift_of(body, t, 1);
        one.momentum = larger(one.momentum, drift.momentum);
        one.energy = larger(one.energy, drift.energy);
        drift = drift_of(body, t, 1000);
        many.momentum = larger(many.momentum, drift.momentum);
        many.energy = larger(many.energy, drift.energy);
    }
    print_message("2000 turns: momentum %.2g, energy %.2g; in 1000 flights %.2g, %.2g\n",
                  one.momentum, one.energy, many.momentum, many.energy);
    check_close(one.momentum, 0, 1e-14);  /* measured 1.1e-15 */
    check_close(one.energy, 0, 1e-14);    /* 1.6e-15 */
    check_close(many.momentum, 0, 4e-13); /* 9.7e-14 */
    check_close(many.energy, 0, 4e-13);   /* 8.4e-14 */
}

/* There and back. */
static void test_reversal(void **state) {
    (void)state;
    double worst = 0;
    for (int i = 0; i < scaled(200); i++) {
        Random random = random_start(73, (uint64_t)i);
        CaromBody body = random_body(&random, 5), start = body;
        double t = 10 * random_uniform(&random);
        fly(&body, down, t);
        fly(&body, down, -t);
        worst = larger(worst, angle_between(body.orientation, start.orientation));
        worst = larger(worst, distance(body.angular_velocity, start.angular_velocity));
        check_close(distance(body.position, start.position), 0,
                    1e-12); /* of 500; measured 1.1e-13 */
        check_close(distance(body.velocity, start.velocity), 0, 1e-13); /* 7.1e-15 */
    }
    print_message("there and back: %.2g\n", worst);
    check_close(worst, 0, 1e-13); /* measured 1.5e-14 */
}

/* The same solid described in other body axes flies the same way. */
static void test_body_axes(void **state) {
    (void)state;
    double worst = 0;
    for (int i = 0; i < scaled(200); i++) {
        Random random = random_start(74, (uint64_t)i);
        CaromBody body = random_body(&random, 5), other = body;
        double p[4], back[4], row[3][3], column[3];
        random_rotation(&random, p);
        /* J' = P J P^T and q' = q o p^-1 */
        for (int k = 0; k < 3; k++) {
            turn(p, 0, body.inertia + 3 * k, row[k]);
        }
        for (int k = 0; k < 3; k++) {
            double take[3] = {row[0][k], row[1][k], row[2][k]};
            turn(p, 0, take, column);
            for (int j = 0; j < 3; j++) {
                other.inertia[3 * j + k] = column[j];
            }
        }
        const double inverse[4] = {p[0], -p[1], -p[2], -p[3]};
        multiply(body.orientation, inverse, other.orientation);
        double t = 10 * random_uniform(&random);
        fly(&body, none, t);
        fly(&other, none, t);
        multiply(other.orientation, p, back);
        worst = larger(worst, angle_between(body.orientation, back));
        worst = larger(worst, distance(body.angular_velocity, other.angular_velocity));
    }
    print_message("other body axes: %.2g\n", worst);
    check_close(worst, 0, 1e-13); /* measured 9.5e-15 */
}

/* A quaternion within 1e-3 of unit length flies like the normalised one, and becomes it. */
static void test_rough_quaternion(void **state) {
    (void)state;
    double worst = 0, length = 0;
    for (int i = 0; i < scaled(200); i++) {
        Random random = random_start(75, (uint64_t)i);
        CaromBody body = random_body(&random, 5), rough = body;
        for (int k = 0; k < 4; k++) {
            rough.orientation[k] *= i % 2 ? 1 + 1e-6 : 1 - 0.9e-3;
        }
        fly(&body, down, 1);
        fly(&rough, down, 1);
        const double *q = rough.orientation;
        length = larger(length, fabs(q[0] * q[0] + vector_dot(q + 1, q + 1) - 1));
        worst = larger(worst, angle_between(q, body.orientation));
        worst = larger(worst, distance(rough.angular_velocity, body.angular_velocity));
    }
    print_message("rough quaternions: %.2g, length %.2g\n", worst, length);
    check_close(worst, 0, 1e-14);  /* measured 2.6e-15 */
    check_close(length, 0, 1e-15); /* 4.4e-16 */
}

/* ---- refusals ---- */

static void check_refused_flight(CaromBody body, const double gravity[3], double dt,
                                 CaromStatus status, const char *part) {
    CaromBody same = body;
    const char *message = NULL;
    assert_int_equal(carom_flight_advance(&body, gravity, dt, &message), status);
    assert_non_null(strstr(message, part));
    assert_memory_equal(&body, &same, sizeof body);
    assert_int_equal(carom_flight_advance(&body, gravity, dt, NULL), status);
}

static void test_refusals(void **state) {
    (void)state;
    const double bad[3] = {0, NAN, 0};
    CaromBody body = carom_body_default();
    check_refused_flight(body, bad, 1, CAROM_INVALID_INPUT, "gravity");
    check_refused_flight(body, down, INFINITY, CAROM_INVALID_INPUT, "dt");
    check_refused_flight(body, down, 1e200, CAROM_INVALID_INPUT, "range");
    check_refused_flight(carom_body_fixed(), down, 1, CAROM_INVALID_INPUT, "infinite");
    body.mass = -1;
    check_refused_flight(body, down, 1, CAROM_INVALID_INPUT, "mass");
    body = carom_body_default();
    body.orientation[0] = 2;
    check_refused_flight(body, down, 1, CAROM_INVALID_INPUT, "orientation");
    body = carom_body_default();
    body.inertia[0] = 2;
    body.angular_velocity[0] = body.angular_velocity[1] = 1;
    check_refused_flight(body, none, 1e7, CAROM_NOT_CONVERGED, "turns too often");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ball),          cmocka_unit_test(test_principal_axes),
        cmocka_unit_test(test_symmetric_top), cmocka_unit_test(test_unstable_axis),
        cmocka_unit_test(test_invariants),    cmocka_unit_test(test_reversal),
        cmocka_unit_test(test_body_axes),     cmocka_unit_test(test_rough_quaternion),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
