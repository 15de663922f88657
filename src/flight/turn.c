/* Torque-free rotation by Taylor series.
 *
 * The angular momentum L is constant in world axes, so the orientation q alone is the state: with
 * l = R(q)^T L and omega = J^-1 l, both in body axes,
 *     q' = q o (0, omega)/2,     l' = l x omega,     nu' = nu x omega
 * (nu: a direction fixed in the world, in body axes). Each right side is a product, so the
 * coefficients follow from each other by Cauchy's rule. Inside, l is divided by |L| and time is
 * multiplied by the pace, so that the coefficients are of order one in any units.
 *
 * After a step q is normalised and turned to undo the rounding of the energy l.omega/2; l is
 * computed from q and L again. This keeps L exactly and the energy to rounding; the remaining error
 * is a random walk of the phase. If l is parallel to omega the rotation is steady, q = exp(omega
 * t/2) o q_0, and needs no series. */
#include "flight/turn.h"

#include <float.h>
#include <string.h>

#include "math/functions.h"
#include "math/vec3.h"
#include "mechanics/frame.h"
#include "mechanics/inertia.h"

/* Largest term that is dropped, relative to 1. */
#define TRUNCATION 0x1p-55

/* Angle between l and omega that counts as 0: rounding of the rotation into body axes. */
#define STEADY_ANGLE (8 * DBL_EPSILON)

/* Largest turn in one step, in radians; beyond it the terms grow and their sum loses digits. */
#define LARGEST_TURN 2.0

/* Largest correction of q after a step: the rounding of q in one step. A larger one would follow
 * the rounding of the energy itself where the energy hardly depends on q. */
#define CORRECTION (2 * DBL_EPSILON)

/* Least pace; its powers do not underflow. */
#define SLOWEST 1e-100

static double norm(const double a[3]) {
    double largest = vec3_max_abs(a);
    if (!(largest > 0)) {
        return 0;
    }
    double b[3] = {a[0] / largest, a[1] / largest, a[2] / largest};
    return largest * sqrt(vec3_dot(b, b));
}

static void quaternion_multiply(const double a[4], const double b[4], double c[4]) {
    c[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    c[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    c[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    c[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

static void quaternion_normalise(double q[4]) {
    double length = sqrt(q[0] * q[0] + vec3_dot(q + 1, q + 1));
    for (int i = 0; i < 4; i++) {
        q[i] /= length;
    }
}

/* x = J^-1 x, in place */
static void inertia_solve(const Turn *turn, double x[3]) {
    sym3_solve_lower(turn->factor, x);
    sym3_solve_upper(turn->factor, x);
}

/* x = J x, in place */
static void inertia_multiply(const double L[6], double x[3]) {
    double y[3] = {L[0] * x[0] + L[1] * x[1] + L[3] * x[2], L[2] * x[1] + L[4] * x[2], L[5] * x[2]};
    x[0] = L[0] * y[0];
    x[1] = L[1] * y[0] + L[2] * y[1];
    x[2] = L[3] * y[0] + L[4] * y[1] + L[5] * y[2];
}

/* l/|L| and omega in body axes at the current orientation. */
static void find_momentum(const Turn *turn, double l[3], double omega[3]) {
    double R[9], unit[3];
    for (int i = 0; i < 3; i++) {
        unit[i] = turn->L[i] / turn->size;
    }
    crm_frame_rotation(turn->q, R);
    mat3_mul_transposed(R, unit, l);
    for (int i = 0; i < 3; i++) {
        omega[i] = turn->size * l[i];
    }
    inertia_solve(turn, omega);
}

/* Upper bound of |J^-1|: its trace. */
static double largest_inverse(const Turn *turn) {
    double trace = 0;
    for (int i = 0; i < 3; i++) {
        double e[3] = {0, 0, 0};
        e[i] = 1;
        inertia_solve(turn, e);
        trace += e[i];
    }
    return trace;
}

Turn crm_turn_start(const CaromBody *body) {
    Turn turn = {0};
    double R[9], J[6], l[3], skew[3];
    inertia_pack(body, J);
    sym3_cholesky(J, turn.factor);
    memcpy(turn.q, body->orientation, sizeof turn.q);
    memcpy(turn.omega, body->angular_velocity, sizeof turn.omega);
    quaternion_normalise(turn.q);
    crm_frame_rotation(turn.q, R);
    mat3_mul_transposed(R, turn.omega, l);
    double omega[3] = {l[0], l[1], l[2]};
    inertia_multiply(turn.factor, l);
    mat3_mul(R, l, turn.L);
    turn.size = norm(turn.L);
    turn.energy = turn.size > 0 ? vec3_dot(l, omega) / turn.size : 0;
    turn.pace = turn.size * largest_inverse(&turn);
    bool spherical = J[1] == 0 && J[2] == 0 && J[4] == 0 && J[0] == J[3] && J[3] == J[5];
    vec3_normalise(l);
    vec3_normalise(omega);
    vec3_cross(l, omega, skew);
    turn.steady = spherical || !(turn.size > 0) || norm(skew) <= STEADY_ANGLE;
    /* any larger bound is valid, and SLOWEST^2 is still a normal divisor */
    turn.pace = fmax(turn.pace, SLOWEST);
    return turn;
}

/* The series under construction. */
typedef struct Making {
    double l[TURN_ORDER + 1][3];     /* over |L| */
    double omega[TURN_ORDER + 1][3]; /* over the pace */
    bool steady, follow;             /* steady: leave l out; follow: include nu */
} Making;

/* Coefficients k + 1 of l, nu and q from the lower ones. */
static void next_coefficients(int k, Making *making, TurnSeries *series) {
    double dl[3] = {0, 0, 0}, dnu[3] = {0, 0, 0}, dq[4] = {0, 0, 0, 0};
    for (int i = making->steady ? k : 0; i <= k; i++) {
        const double *w = making->omega[k - i], *q = series->q[i];
        double product[3];
        if (making->follow) {
            vec3_cross(series->nu[i], w, product);
            vec3_axpy(1, product, dnu);
        }
        if (!making->steady) {
            vec3_cross(making->l[i], w, product);
            vec3_axpy(1, product, dl);
        }
        vec3_cross(q + 1, w, product);
        vec3_axpy(1, product, dq + 1);
        vec3_axpy(q[0], w, dq + 1);
        dq[0] -= vec3_dot(q + 1, w);
    }
    for (int j = 0; j < 3; j++) {
        making->l[k + 1][j] = dl[j] / (k + 1);
        series->nu[k + 1][j] = dnu[j] / (k + 1);
    }
    for (int j = 0; j < 4; j++) {
        series->q[k + 1][j] = dq[j] / (2 * (k + 1));
    }
}

/* Coefficients of order 0. */
static void first_coefficients(const Turn *turn, const double *direction, Making *making,
                               TurnSeries *series) {
    double R[9];
    crm_frame_rotation(turn->q, R);
    memcpy(series->q[0], turn->q, sizeof turn->q);
    if (making->follow) {
        mat3_mul_transposed(R, direction, series->nu[0]);
    }
    if (making->steady) {
        mat3_mul_transposed(R, turn->omega, making->omega[0]);
    } else {
        find_momentum(turn, making->l[0], making->omega[0]);
    }
    for (int j = 0; j < 3; j++) {
        making->omega[0][j] /= turn->pace;
    }
}

/* Largest coefficient of order k. */
static double turn_term_size(const Making *making, const TurnSeries *series, int k) {
    double size = fmax(vec3_max_abs(series->q[k] + 1), fabs(series->q[k][0]));
    return fmax(size, fmax(vec3_max_abs(making->l[k]), vec3_max_abs(series->nu[k])));
}

void crm_turn_series(const Turn *turn, const double *direction, double span, TurnSeries *series) {
    Making making = {.steady = turn->steady, .follow = direction != NULL};
    memset(series->nu[0], 0, sizeof series->nu[0]);
    first_coefficients(turn, direction, &making, series);
    double speed = sqrt(vec3_dot(making.omega[0], making.omega[0]));
    /* in units of the pace */
    double reach = fmin(fabs(span) * turn->pace, LARGEST_TURN / speed), power = 1;
    int small = 0, k = 0;
    /* stop after two negligible orders, because one may vanish by symmetry */
    while (k < TURN_ORDER && small < 2) {
        next_coefficients(k, &making, series);
        k++;
        if (!making.steady) {
            vec3_axpy(turn->size / turn->pace, making.l[k], making.omega[k]);
            inertia_solve(turn, making.omega[k]);
        }
        power *= reach;
        small = turn_term_size(&making, series, k) * power <= TRUNCATION ? small + 1 : 0;
    }
    series->order = k;
    for (int i = k; small < 2 && i >= k - 1; i--) {
        reach = fmin(reach, pow(TRUNCATION / turn_term_size(&making, series, i), 1.0 / i));
    }
    series->reach = reach / turn->pace;
}

/* Restore the energy: with q <- q o (1, theta/2), l changes by -theta x l and l.omega/2 by
 * -theta.(l x omega). */
static void restore_energy(Turn *turn) {
    double l[3], omega[3], skew[3];
    find_momentum(turn, l, omega);
    vec3_cross(l, omega, skew);
    double size = norm(skew);
    if (!(size > 0)) {
        return;
    }
    double angle = (vec3_dot(l, omega) - turn->energy) / (2 * size), q[4];
    angle = fmax(-CORRECTION, fmin(angle, CORRECTION));
    double part = angle / 2 / size;
    const double change[4] = {1, part * skew[0], part * skew[1], part * skew[2]};
    quaternion_multiply(turn->q, change, q);
    memcpy(turn->q, q, sizeof q);
    quaternion_normalise(turn->q);
}

void crm_turn_follow(Turn *turn, const TurnSeries *series, double time) {
    double x = time * turn->pace, q[4] = {0, 0, 0, 0};
    for (int k = series->order; k >= 0; k--) {
        for (int j = 0; j < 4; j++) {
            q[j] = q[j] * x + series->q[k][j];
        }
    }
    memcpy(turn->q, q, sizeof q);
    quaternion_normalise(turn->q);
    if (!turn->steady) {
        restore_energy(turn);
    }
}

/* Turn about a fixed axis by any angle. */
static void turn_steadily(Turn *turn, double time) {
    double speed = norm(turn->omega), half = speed * time / 2, q[4];
    if (!(speed > 0)) {
        return;
    }
    double step[4] = {cos(half)};
    vec3_axpy(sin(half) / speed, turn->omega, step + 1);
    quaternion_multiply(step, turn->q, q);
    memcpy(turn->q, q, sizeof q);
    quaternion_normalise(turn->q);
}

bool crm_turn_advance(Turn *turn, double time, int *steps) {
    if (turn->steady) {
        turn_steadily(turn, time);
        return true;
    }
    while (time != 0) {
        TurnSeries series;
        if (--*steps < 0) {
            return false;
        }
        crm_turn_series(turn, NULL, time, &series);
        double step = copysign(fmin(fabs(time), series.reach), time);
        crm_turn_follow(turn, &series, step);
        time -= step;
    }
    return true;
}

void crm_turn_finish(const Turn *turn, CaromBody *body) {
    memcpy(body->orientation, turn->q, sizeof turn->q);
    if (turn->steady) {
        return; /* the angular velocity is unchanged, to the last bit */
    }
    double l[3], omega[3], R[9];
    find_momentum(turn, l, omega);
    crm_frame_rotation(turn->q, R);
    mat3_mul(R, omega, body->angular_velocity);
}
