/* Active sets after Goldfarb and Idnani: y is the solution for the active constraints; the one that
 * is violated most becomes active next, and those whose multipliers would be negative are dropped
 * on the way. */
#include "impulse/quadratic.h"

#include <math.h>
#include <string.h>

#include "impulse/dense.h"
#include "math/vec2.h"

/* Cholesky in place. Returns the smallest pivot. */
static double factor(int d, double *H) {
    double least = INFINITY;
    for (int i = 0; i < d; i++) {
        for (int j = 0; j <= i; j++) {
            double rest = H[i * d + j] - dense_dot(H + i * d, H + j * d, j);
            least = i == j ? least_of(least, rest) : least;
            H[i * d + j] = i > j ? rest / H[j * (d + 1)] : sqrt(most_of(rest, 1e-300));
        }
    }
    return least;
}

/* x = H^-1 x */
static void divide(int d, const double *H, double *x) {
    for (int i = 0; i < d; i++) {
        x[i] = (x[i] - dense_dot(H + i * d, x, i)) / H[i * (d + 1)];
    }
    for (int i = d - 1; i >= 0; i--) {
        x[i] /= H[i * (d + 1)];
        dense_add(x, -x[i], H + i * d, i);
    }
}

int crm_quadratic_factor(Quadratic *quadratic, double least) {
    return factor(quadratic->d, quadratic->H) > least;
}

void crm_quadratic_begin(Quadratic *quadratic) {
    quadratic->count = quadratic->active_count = 0;
    for (int a = 0; a < quadratic->d; a++) {
        quadratic->y[a] = -quadratic->g[a];
    }
    divide(quadratic->d, quadratic->H, quadratic->y);
}

double *crm_quadratic_row(Quadratic *quadratic) {
    return quadratic->count < quadratic->most ? quadratic->A + quadratic->count * quadratic->d
                                              : NULL;
}

void crm_quadratic_add(Quadratic *quadratic, double slack) {
    int at = quadratic->count++, d = quadratic->d;
    quadratic->slack[at] = slack;
    quadratic->lambda[at] = 0;
    memcpy(quadratic->B + at * d, quadratic->A + at * d, (size_t)d * sizeof(double));
    divide(d, quadratic->H, quadratic->B + at * d);
}

/* The multipliers t by which active constraints follow a unit of constraint c. */
static void follow_active(const Quadratic *quadratic, int c, double *t) {
    double Q[QUADRATIC_MOST * QUADRATIC_MOST];
    int d = quadratic->d, count = quadratic->active_count;
    for (int i = 0; i < count; i++) {
        const double *A = quadratic->A + quadratic->active[i] * d;
        for (int j = 0; j <= i; j++) {
            Q[i * count + j] = dense_dot(A, quadratic->B + quadratic->active[j] * d, d);
        }
        t[i] = dense_dot(A, quadratic->B + c * d, d);
    }
    factor(count, Q);
    divide(count, Q, t);
}

static int is_in_active_set(const Quadratic *quadratic, int c) {
    for (int k = 0; k < quadratic->active_count; k++) {
        if (quadratic->active[k] == c) {
            return 1;
        }
    }
    return 0;
}

/* Constraint that is violated most, or -1. */
static int most_violated(const Quadratic *quadratic) {
    int worst = -1, d = quadratic->d;
    double most = 0;
    for (int c = 0; c < quadratic->count; c++) {
        const double *A = quadratic->A + c * d;
        double rate = dense_dot(A, quadratic->B + c * d, d);
        double sum = quadratic->slack[c], size = sum;
        for (int a = 0; a < d; a++) {
            sum += A[a] * quadratic->y[a];
            size += fabs(A[a] * quadratic->y[a]);
        }
        if (rate > 0 && -sum > 1e-14 * size && -sum > most * sqrt(rate) &&
            !is_in_active_set(quadratic, c)) {
            most = -sum / sqrt(rate);
            worst = c;
        }
    }
    return worst;
}

/* Make constraint c active. 0: it cannot be, to rounding. */
static int activate(Quadratic *quadratic, int c) {
    double t[QUADRATIC_MOST], *lambda = quadratic->lambda, *z = quadratic->z;
    int d = quadratic->d, *active = quadratic->active;
    const double *A = quadratic->A + c * d, *B = quadratic->B + c * d;
    for (;;) {
        double step = INFINITY;
        int drop = -1, count = quadratic->active_count;
        follow_active(quadratic, c, t);
        memcpy(z, B, (size_t)d * sizeof *z);
        for (int j = 0; j < count; j++) {
            dense_add(z, -t[j], quadratic->B + active[j] * d, d);
            if (t[j] > 0 && lambda[active[j]] < step * t[j]) {
                step = lambda[active[j]] / t[j];
                drop = j;
            }
        }
        double rate = dense_dot(A, z, d), whole = dense_dot(A, B, d);
        double gap = quadratic->slack[c] + dense_dot(A, quadratic->y, d);
        int full = count < d && rate > 1e-12 * whole && -gap <= step * rate;
        if (!full && drop < 0) {
            return 0;
        }
        step = full ? -gap / rate : step;
        dense_add(quadratic->y, rate > 1e-12 * whole ? step : 0, z, d);
        for (int j = 0; j < count; j++) {
            lambda[active[j]] -= step * t[j];
        }
        lambda[c] += step;
        if (full) {
            active[quadratic->active_count++] = c;
            return 1;
        }
        lambda[active[drop]] = 0;
        active[drop] = active[--quadratic->active_count];
    }
}

/* The part of y that all constraints allow, to rounding. */
static void shorten(Quadratic *quadratic) {
    double part = 1;
    int d = quadratic->d;
    for (int c = 0; c < quadratic->count; c++) {
        double fall = 0, size = 0;
        for (int a = 0; a < d; a++) {
            double term = quadratic->A[c * d + a] * quadratic->y[a];
            fall -= term;
            size += fabs(term);
        }
        if (fall > 1e-13 * size && fall * part > quadratic->slack[c]) {
            part = quadratic->slack[c] / fall;
        }
    }
    for (int a = 0; a < d; a++) {
        quadratic->y[a] *= part;
    }
}

int crm_quadratic_solve(Quadratic *quadratic) {
    for (int work = 0; work < 4 * quadratic->count; work++) {
        int c = most_violated(quadratic);
        if (c < 0) {
            return 1;
        }
        if (!activate(quadratic, c)) {
            break;
        }
    }
    shorten(quadratic);
    return 0;
}
