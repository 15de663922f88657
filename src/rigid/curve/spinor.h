/* Slip along a line of half-angle spinors: it makes the terms of the hodograph's series cheap.
 *
 * A slip direction s = (cos theta, sin theta) is the square of its half-angle spinor
 * xi = (cos theta/2, sin theta/2), up to scale: s = (xi1^2 - xi2^2, 2 xi1 xi2)/|xi|^2. Along a line
 * xi(x) = m0 + x m1 (every Moebius parameter of the circle is such a line) everything is
 * polynomial: with A = xi1^2 - xi2^2, C = 2 xi1 xi2, D = |xi|^2, the quadratics
 * (X, Z) = d D - mu B (A, C), and k = 2 m0 x m1,
 *
 *   G = A Z - C X                                  quartic; g = G/D^2, 0 at invariant directions
 *   N = X C' - Z A'                                cubic
 *   r = D R,  R'/R = N/G;   Y = R/G,  G Y' = (N - G') Y
 *   dp/dx = k D^2 Y,  dJ/dx = -mu k D (A, C) Y,  dv_n/dx = k D (D - mu d.(A, C)) Y
 *   r dp/dx = k D^3 Z2,   Z2 = G Y^2:   G Z2' = (2N - G') Z2
 *
 * (derived in docs/theory.md, section 10). */
#ifndef CAROM_RIGID_SPINOR_H
#define CAROM_RIGID_SPINOR_H

#include "rigid/slip/slip.h"

typedef struct Spinor {
    double m0[2], m1[2];
    double k, inverse_k;
    double P[3][4]; /* D, A, C and 0 of each power */
    double G[5], N[4];
} Spinor;

/* Unit spinor of a unit vector, in the right half plane. */
static inline void spinor_half(const double s[2], double xi[2]) {
    double large = sqrt((1 + fabs(s[0])) / 2), small = s[1] / (2 * large);
    xi[0] = s[0] >= 0 ? large : fabs(small);
    xi[1] = s[0] >= 0 ? small : copysign(large, s[1]);
}

/* Fill the polynomials from m0 and m1. */
static inline void spinor_build(const Slip *slip, Spinor *spinor) {
    const double *b = slip->b, *d = slip->d, *m0 = spinor->m0, *m1 = spinor->m1;
    double *G = spinor->G, *N = spinor->N;
    double A[3], C[3], X[3], Z[3], first[3] = {m0[0] * m0[0], 2 * m0[0] * m1[0], m1[0] * m1[0]};
    double second[3] = {m0[1] * m0[1], 2 * m0[1] * m1[1], m1[1] * m1[1]};
    double mixed[3] = {m0[0] * m0[1], m0[0] * m1[1] + m0[1] * m1[0], m1[0] * m1[1]};
    /* D = A + 2 xi_2^2, so that next to the first axis, along which the slip starts, d - mu B s
     * keeps its digits even where it vanishes */
    double rest0 = d[0] - b[0], rest1 = d[1] - b[1];
    for (int i = 0; i < 3; i++) {
        A[i] = first[i] - second[i];
        C[i] = 2 * mixed[i];
        spinor->P[i][0] = first[i] + second[i];
        spinor->P[i][1] = A[i];
        spinor->P[i][2] = C[i];
        spinor->P[i][3] = 0;
        X[i] = rest0 * A[i] + (2 * d[0] * second[i] - b[1] * C[i]);
        Z[i] = rest1 * A[i] + (2 * d[1] * second[i] - b[2] * C[i]);
    }
    spinor->k = 2 * (m0[0] * m1[1] - m0[1] * m1[0]);
    spinor->inverse_k = 1 / spinor->k;
    G[0] = A[0] * Z[0] - C[0] * X[0];
    G[1] = (A[0] * Z[1] - C[0] * X[1]) + (A[1] * Z[0] - C[1] * X[0]);
    G[2] = (A[0] * Z[2] - C[0] * X[2]) + (A[1] * Z[1] - C[1] * X[1]) + (A[2] * Z[0] - C[2] * X[0]);
    G[3] = (A[1] * Z[2] - C[1] * X[2]) + (A[2] * Z[1] - C[2] * X[1]);
    G[4] = A[2] * Z[2] - C[2] * X[2];
    /* N = X u - Z v with linear u, v: C' and A' */
    double u0 = C[1], u1 = 2 * C[2], v0 = A[1], v1 = 2 * A[2];
    N[0] = X[0] * u0 - Z[0] * v0;
    N[1] = (X[0] * u1 - Z[0] * v1) + (X[1] * u0 - Z[1] * v0);
    N[2] = (X[1] * u1 - Z[1] * v1) + (X[2] * u0 - Z[2] * v0);
    N[3] = X[2] * u1 - Z[2] * v1;
}

/* The exponent of r at a zero of G at x = 0. */
static inline double spinor_exponent(const Spinor *spinor) {
    return spinor->N[0] / spinor->G[1];
}

/* The slip direction at x. */
static inline void spinor_direction(const Spinor *spinor, Pair x, Pair s[2]) {
    const double *m0 = spinor->m0, *m1 = spinor->m1;
    Pair a = pair_join(x, both(m1[0]), both(m0[0])), b = pair_join(x, both(m1[1]), both(m0[1])),
         inverse = pair_over(both(1), pair_join(b, b, pair_times(a, a)));
    s[0] = pair_times(pair_minus(pair_times(a, a), pair_times(b, b)), inverse);
    s[1] = pair_times(pair_times(pair_times(both(2), a), b), inverse);
}

/* The x of direction s. */
static inline double spinor_locate(const Spinor *spinor, const double s[2]) {
    double xi[2];
    spinor_half(s, xi);
    return -cross2(spinor->m0, xi) / cross2(spinor->m1, xi);
}

#endif
