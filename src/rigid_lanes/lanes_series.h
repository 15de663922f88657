/* The series of a stretch of slip on a line of spinors m0 + x m1 (docs/theory.md, section 10).
 *
 * With the polynomials A, C, D, K = D - mu d.(A, C) and k of the line, Y from its recurrence and
 * U = D Y, all but for the scale of the slip,
 *
 *   p' = k D U,   J' = -mu k (A, C) U,   v_n' = k K U
 *
 * p and J are linear in the moments M_j = int x^j U dx. The normal work is the integral of the
 * product of two series: with V = int K U dx and pi = D U
 *
 *   A = -int v_n dp = -v_0 p - k^2 alpha,   alpha' = c = V pi
 *
 * The product takes a multiplication for every two terms. But nothing cancels, however fast the
 * slip, and there is no second recurrence, so this suits every stretch.
 *
 * Series are as long as each element needs: once its terms are negligible, all further ones are 0.
 * So its sums do not depend on its neighbours, which may need more. */
#ifndef CAROM_LANES_SERIES_H
#define CAROM_LANES_SERIES_H

#include "math/reciprocal.h"
#include "rigid_lanes/slots.h"

#ifdef CAROM_LANES

/* Most terms; a multiple of 4. */
enum { SERIES_TERMS = 48 };

/* A series is cut where two terms in a row have fallen to this part of the first. */
static const double SERIES_CUT = 2e-14;

typedef struct ManyLine {
    Many m0[2], m1[2], k;
    Many D[3], A[3], C[3], K[3];
    Many G[5], N[4];
} ManyLine;

/* The terms; SERIES_PAD zeros come before pi. */
enum { SERIES_PAD = 4 };
typedef struct ManySeries {
    int count;             /* of the longest */
    Many length;           /* of each */
    ManyMask short_enough; /* has it converged? */
    Many u[SERIES_TERMS];
    Many V[SERIES_TERMS + 1];
    Many padded[SERIES_PAD + SERIES_TERMS]; /* pi */
    Many alpha[SERIES_TERMS];
    /* arrival */
    Many p[SERIES_TERMS];
    Many by[SERIES_TERMS + 2]; /* 1/(n + q) */
} ManySeries;

/* Fill the polynomials from m0 and m1. */
INLINE void line_build(const ManyProblem *problem, ManyLine *line) {
    const Many *b = problem->b, *d = problem->d, *m0 = line->m0, *m1 = line->m1;
    Many X[3], Z[3], *A = line->A, *C = line->C, *G = line->G, *N = line->N;
    Many first[3] = {m0[0] * m0[0], 2 * m0[0] * m1[0], m1[0] * m1[0]};
    Many second[3] = {m0[1] * m0[1], 2 * m0[1] * m1[1], m1[1] * m1[1]};
    Many mixed[3] = {m0[0] * m0[1], m0[0] * m1[1] + m0[1] * m1[0], m1[0] * m1[1]};
    /* D = A + 2 xi_2^2, so that next to the first axis, along which the slip starts, d - mu B s
     * keeps its digits even where it vanishes */
    Many rest0 = d[0] - b[0], rest1 = d[1] - b[1];
    for (int i = 0; i < 3; i++) {
        A[i] = first[i] - second[i];
        C[i] = 2 * mixed[i];
        line->D[i] = first[i] + second[i];
        line->K[i] = line->D[i] - problem->mu * (d[0] * A[i] + d[1] * C[i]);
        X[i] = rest0 * A[i] + (2 * d[0] * second[i] - b[1] * C[i]);
        Z[i] = rest1 * A[i] + (2 * d[1] * second[i] - b[2] * C[i]);
    }
    line->k = 2 * (m0[0] * m1[1] - m0[1] * m1[0]);
    G[0] = A[0] * Z[0] - C[0] * X[0];
    G[1] = (A[0] * Z[1] - C[0] * X[1]) + (A[1] * Z[0] - C[1] * X[0]);
    G[2] = (A[0] * Z[2] - C[0] * X[2]) + (A[1] * Z[1] - C[1] * X[1]) + (A[2] * Z[0] - C[2] * X[0]);
    G[3] = (A[1] * Z[2] - C[1] * X[2]) + (A[2] * Z[1] - C[2] * X[1]);
    G[4] = A[2] * Z[2] - C[2] * X[2];
    Many u0 = C[1], u1 = 2 * C[2], v0 = A[1], v1 = 2 * A[2];
    N[0] = X[0] * u0 - Z[0] * v0;
    N[1] = (X[0] * u1 - Z[0] * v1) + (X[1] * u0 - Z[1] * v0);
    N[2] = (X[1] * u1 - Z[1] * v1) + (X[2] * u0 - Z[2] * v0);
    N[3] = X[2] * u1 - Z[2] * v1;
}

/* About the rate at which the terms of the series fall, to the eighth power: 1 over the least zero
 * of G. The sums S_n of the n-th powers of 1/zero follow from Newton's identities. A pair of
 * complex zeros may make one of them small, but not S_8 and S_4 both. */
INLINE Many line_rate(const ManyLine *line) {
    const Many *G = line->G;
    Many inverse = -1 / G[0], g1 = G[1] * inverse, g2 = G[2] * inverse, g3 = G[3] * inverse,
         g4 = G[4] * inverse;
    Many S1 = g1, S2 = g1 * S1 + 2 * g2, S3 = g1 * S2 + (g2 * S1 + 3 * g3),
         S4 = g1 * S3 + (g2 * S2 + (g3 * S1 + 4 * g4));
    Many S5 = g1 * S4 + (g2 * S3 + (g3 * S2 + g4 * S1)),
         S6 = g1 * S5 + (g2 * S4 + (g3 * S3 + g4 * S2)),
         S7 = g1 * S6 + (g2 * S5 + (g3 * S4 + g4 * S3)),
         S8 = g1 * S7 + (g2 * S6 + (g3 * S5 + g4 * S4));
    return many_most(many_abs(S8), 0.5 * S4 * S4);
}

/* A quadratic at x. */
INLINE Many quadratic(const Many q[3], Many x) {
    return (q[2] * x + q[1]) * x + q[0];
}

/* The state of a recurrence: w_n = sum_j (a_j/n - g_j) w_(n-1-j), the last term first, and the two
 * last terms of U. */
typedef struct ManyRecurrence {
    Many a[4], g[4], w[4], u[2];
    ManyMask active;
} ManyRecurrence;

INLINE Many recurrence_step(const ManyRecurrence *next, double by, Many w0, Many w1, Many w2,
                            Many w3) {
    const Many *a = next->a, *g = next->g;
    return (a[0] * by - g[0]) * w0 +
           ((a[1] * by - g[1]) * w1 + ((a[2] * by - g[2]) * w2 + (a[3] * by - g[3]) * w3));
}

/* Begin with y_0 = 1: w holds y_(n-1), y_(n-2), ... of n = 0. */
INLINE void recurrence_begin(ManyRecurrence *next) {
    for (int i = 0; i < 4; i++) {
        next->w[i] = many_all(0);
    }
    next->u[0] = next->u[1] = many_all(0);
    next->active = many_all(0) == 0;
}

/* Terms n to n + 3 of U. */
INLINE void recurrence_four(const ManyLine *line, ManyRecurrence *next, int n, Many u[4]) {
    const Many *D = line->D;
    Many *w = next->w;
    Many y0 = n == 0 ? many_all(1) : recurrence_step(next, RECIPROCAL[n], w[0], w[1], w[2], w[3]);
    Many y1 = recurrence_step(next, RECIPROCAL[n + 1], y0, w[0], w[1], w[2]);
    Many y2 = recurrence_step(next, RECIPROCAL[n + 2], y1, y0, w[0], w[1]);
    Many y3 = recurrence_step(next, RECIPROCAL[n + 3], y2, y1, y0, w[0]);
    u[0] = D[0] * y0 + (D[1] * w[0] + D[2] * w[1]);
    u[1] = D[0] * y1 + (D[1] * y0 + D[2] * w[0]);
    u[2] = D[0] * y2 + (D[1] * y1 + D[2] * y0);
    u[3] = D[0] * y3 + (D[1] * y2 + D[2] * y1);
    w[0] = y3;
    w[1] = y2;
    w[2] = y1;
    w[3] = y0;
}

/* Elements whose last two terms are negligible take part no longer. */
INLINE void recurrence_cut(ManyRecurrence *next, double cut, int n, Many *length) {
    Many *w = next->w;
    ManyMask on = ~(w[0] * w[0] + w[1] * w[1] <= cut * cut);
    *length = many_choose(next->active, many_all(n), *length);
    next->active &= on;
    for (int i = 0; i < 4; i++) {
        w[i] = many_where(next->active, w[i]);
    }
    next->u[0] = many_where(next->active, next->u[0]);
    next->u[1] = many_where(next->active, next->u[1]);
}

/* Terms n to n + 3 of c = V pi; n is a multiple of 4, and pi has SERIES_PAD zeros before it. Speed:
 * two sums for each, because a sum waits for the one before. */
INLINE void product_four(const Many *V, const Many *pi, int n, Many c[4]) {
    Many c0 = many_all(0), c1 = c0, c2 = c0, c3 = c0, e0 = c0, e1 = c0, e2 = c0, e3 = c0;
    for (int i = 0; i <= n; i += 4) {
        const Many *u = pi + (n - i);
        Many v0 = V[i], v1 = V[i + 1], v2 = V[i + 2], v3 = V[i + 3];
        c0 += v0 * u[0];
        c1 += v0 * u[1];
        c2 += v0 * u[2];
        c3 += v0 * u[3];
        e0 += v1 * u[-1];
        e1 += v1 * u[0];
        e2 += v1 * u[1];
        e3 += v1 * u[2];
        c0 += v2 * u[-2];
        c1 += v2 * u[-1];
        c2 += v2 * u[0];
        c3 += v2 * u[1];
        e0 += v3 * u[-3];
        e1 += v3 * u[-2];
        e2 += v3 * u[-1];
        e3 += v3 * u[0];
    }
    c[0] = c0 + e0;
    c[1] = c1 + e1;
    c[2] = c2 + e2;
    c[3] = c3 + e3;
}

#endif

#endif
