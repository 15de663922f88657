/* The geometry of slip: invariant directions, the stick test, bounds. The closed-form hodograph is
 * in closed_form.c. */
#include <carom/hodograph.h>

#include <float.h>
#include <math.h>

#include "contact/status_end.h"
#include "rigid/closed_form.h"
#include "rigid/invariants.h"

/* Are mu and the upper triangle of W finite, mu >= 0? */
static int is_valid(const double W[9], double mu) {
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = i; j < 3; j++) {
            sum += fabs(W[3 * i + j]);
        }
    }
    return mu >= 0 && isfinite(sum) && isfinite(mu * sum);
}

static Field field_of(const double W[9], double mu) {
    return (Field){.b11 = mu * W[0], .b12 = mu * W[1], .b22 = mu * W[4], .d1 = W[2], .d2 = W[5]};
}

/* Why is_valid() refuses. */
static const char INVALID[] = "W must be finite, mu finite and >= 0";

/* Half way from a to b, counter-clockwise; the whole turn if they are the same. */
static void bisect(const double a[2], const double b[2], double middle[2]) {
    double turn = atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1]);
    double half = (turn > 0 ? turn : turn + 2 * acos(-1)) / 2;
    middle[0] = cos(half) * a[0] - sin(half) * a[1];
    middle[1] = cos(half) * a[1] + sin(half) * a[0];
}

CaromStatus carom_invariant_directions(const double W[9], double mu, CaromInvariant invariants[4],
                                       int *count, const char **message) {
    double s[4][2];
    for (int i = 0; i < 4; i++) {
        invariants[i] = (CaromInvariant){{NAN, NAN}, NAN, 0};
    }
    *count = 0;
    if (!is_valid(W, mu)) {
        return status_end(INVALID, message);
    }
    Field field = field_of(W, mu);
    int found = invariants_find(field.b11, field.b12, field.b22, field.d1, field.d2, s);
    *count = found == 0 ? CAROM_ALL_DIRECTIONS : found;
    for (int i = 0; i < found; i++) {
        /* stable where g falls through 0; between zeros its sign is safe from rounding */
        double before[2], after[2];
        bisect(s[(i + found - 1) % found], s[i], before);
        bisect(s[i], s[(i + 1) % found], after);
        invariants[i] = (CaromInvariant){
            .direction = {s[i][0], s[i][1]},
            .rate = field_f(&field, s[i][0], s[i][1]),
            .stable = field_g(&field, before[0], before[1]) > 0 &&
                      field_g(&field, after[0], after[1]) < 0,
        };
    }
    return status_end(NULL, message);
}

double carom_stick_ratio(const double W[9]) {
    /* eliminate by the larger diagonal entry */
    int swap = W[4] > W[0];
    double a = swap ? W[4] : W[0], c = swap ? W[0] : W[4];
    double d1 = swap ? W[5] : W[2], d2 = swap ? W[2] : W[5];
    double factor = W[1] / a, pivot = c - factor * W[1];
    if (!is_valid(W, 0) || !(pivot > 2 * DBL_EPSILON * c)) {
        return NAN;
    }
    double x2 = (d2 - factor * d1) / pivot;
    double x1 = (d1 - W[1] * x2) / a;
    return hypot(x1, x2);
}

double carom_solvability_margin(const double W[9], double mu) {
    return is_valid(W, mu) ? W[8] - mu * hypot(W[2], W[5]) : NAN;
}

/* Annihilate A[p][q] of a symmetric matrix by a rotation. */
static void jacobi_rotate(double A[3][3], int p, int q) {
    if (A[p][q] == 0) {
        return;
    }
    double ratio = (A[q][q] - A[p][p]) / (2 * A[p][q]);
    double t = copysign(1, ratio) / (fabs(ratio) + hypot(1, ratio));
    double c = 1 / hypot(1, t), s = t * c;
    int k = 3 - p - q;
    double kp = A[k][p], kq = A[k][q];
    A[p][p] -= t * A[p][q];
    A[q][q] += t * A[p][q];
    A[p][q] = A[q][p] = 0;
    A[k][p] = A[p][k] = c * kp - s * kq;
    A[k][q] = A[q][k] = s * kp + c * kq;
}

/* A lower bound of the least eigenvalue, within some roundings of |W|: Jacobi's method, which
 * converges quadratically from any symmetric matrix; 4 sweeps are usual. */
static double least_eigenvalue(const double W[9]) {
    double A[3][3] = {{W[0], W[1], W[2]}, {W[1], W[4], W[5]}, {W[2], W[5], W[8]}};
    double size = fabs(W[0]) + fabs(W[4]) + fabs(W[8]);
    for (int sweep = 0; sweep < 12; sweep++) {
        jacobi_rotate(A, 0, 1);
        jacobi_rotate(A, 0, 2);
        jacobi_rotate(A, 1, 2);
    }
    return fmin(A[0][0], fmin(A[1][1], A[2][2])) - 16 * DBL_EPSILON * size;
}

double carom_compression_bound(const double W[9], const double v[3], double mu) {
    if (!is_valid(W, mu) || !isfinite(v[0]) || !isfinite(v[1]) || !isfinite(v[2])) {
        return NAN;
    }
    double least = least_eigenvalue(W);
    double speed = mu * hypot(v[0], v[1]) - v[2];
    return least > 0 ? speed / least : INFINITY;
}

CaromStatus carom_hodograph_speed(const double W[9], double mu, const double gamma[2], double theta,
                                  double *r, const char **message) {
    *r = NAN;
    double speed = hypot(gamma[0], gamma[1]);
    if (!is_valid(W, mu)) {
        return status_end(INVALID, message);
    }
    if (!isfinite(theta) || !isfinite(speed) || speed == 0) {
        return status_end("gamma must be finite and not zero, theta finite", message);
    }
    Field field = field_of(W, mu);
    double from = atan2(gamma[1], gamma[0]), log_ratio;
    if (!closed_form_log_speed(&field, from, theta, &log_ratio)) {
        return status_end("theta lies beyond an invariant direction, or gamma on one", message);
    }
    *r = speed * exp(log_ratio);
    return status_end(NULL, message);
}
