/* Alternating directions (ADMM) on De Saxce's form of the law: with s = mu |v_t| it is the convex
 * problem
 *
 *   min I.W I/2 + I.(v- - b n + s n),   |I_t| <= mu I_n,
 *
 * split into a linear solve with W + penalty and a projection onto the cones; s follows the
 * velocity at each step. Steps treat all contacts alike, so the order of contacts plays no part. */
#include "impulse/splitting.h"

#include <math.h>
#include <string.h>

#include "impulse/dense.h"
#include "math/vec2.h"

void crm_splitting_begin(const Strike *strike, double penalty, double pace, Splitting *splitting) {
    int m = strike->size;
    double *L = splitting->factor, *inverse = splitting->inverse;
    for (int i = 0; i < m; i++) {
        for (int j = 0; j <= i; j++) {
            double entry = strike->W[i * m + j] + (i == j ? penalty : 0);
            double rest = entry - dense_dot(L + i * m, L + j * m, j);
            L[i * m + j] = i == j ? sqrt(most_of(rest, penalty / 2)) : rest / L[j * m + j];
        }
    }
    /* columns of the inverse, which are its rows */
    for (int c = 0; c < m; c++) {
        double *x = inverse + c * m;
        for (int i = 0; i < m; i++) {
            x[i] = i < c ? 0 : ((i == c) - dense_dot(L + i * m + c, x + c, i - c)) / L[i * m + i];
        }
        for (int i = m - 1; i >= 0; i--) {
            x[i] /= L[i * m + i];
            dense_add(x, -x[i], L + i * m, i);
        }
    }
    splitting->penalty = penalty;
    splitting->pace = pace;
    memset(splitting->s, 0, (size_t)strike->count * sizeof *splitting->s);
    memset(splitting->z, 0, (size_t)m * sizeof *splitting->z);
    memset(splitting->u, 0, (size_t)m * sizeof *splitting->u);
}

/* Onto the cone |t| <= mu n. */
static void project(int tangents, double mu, double *x) {
    double n = x[tangents];
    double t = tangents == 2 ? sqrt(x[0] * x[0] + x[1] * x[1]) : fabs(x[0]);
    if (t <= mu * n) {
        return;
    }
    double on = (n + mu * t) / (1 + mu * mu);
    double part = on > 0 && t > 0 ? mu * on / t : 0;
    for (int k = 0; k < tangents; k++) {
        x[k] *= part;
    }
    x[tangents] = on > 0 ? on : 0;
}

void crm_splitting_run(const Strike *strike, int steps, Splitting *splitting, StrikeState *state) {
    int m = strike->size, rows = strike->rows;
    double *z = splitting->z, *u = splitting->u, *right = splitting->right;
    double penalty = splitting->penalty;
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < m; i++) {
            right[i] = penalty * (z[i] - u[i]) - strike->v_before[i];
        }
        for (int i = 0; i < strike->count; i++) {
            double speed = penalty * crm_strike_tangential(strike, u, i), *s = splitting->s + i;
            *s += splitting->pace * (strike->mu[i] * speed - *s);
            right[strike_normal(strike, i)] += strike->b[i] - *s;
        }
        for (int i = 0; i < m; i++) {
            double I = dense_dot(splitting->inverse + i * m, right, m);
            state->I[i] = 1.6 * I - 0.6 * z[i];
        }
        for (int i = 0; i < m; i++) {
            z[i] = state->I[i] + u[i];
        }
        for (int i = 0; i < strike->count; i++) {
            project(rows - 1, strike->mu[i], z + i * rows);
        }
        for (int i = 0; i < m; i++) {
            u[i] += state->I[i] - z[i];
        }
    }
    memcpy(state->I, z, (size_t)m * sizeof *z);
    crm_strike_velocity(strike, z, state->v, NULL);
}
