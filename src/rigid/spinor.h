/* Slip along a line of half-angle spinors: what makes the hodograph's series cheap.
 *
 * A slip direction s = (cos theta, sin theta) is the square of its half-angle spinor
 * xi = (cos theta/2, sin theta/2), up to scale: s = (xi1^2 - xi2^2, 2 xi1 xi2)/|xi|^2. Along a line
 * xi(x) = m0 + x m1 (every Moebius parameter of the circle is such a line) everything is
 * polynomial: with A = xi1^2 - xi2^2, C = 2 xi1 xi2, D = |xi|^2, the quadratics
 * (X, Z) = d D - mu B (A, C), and k = 2 m0 x m1,
 *
 *   G = A Z - C X                                 quartic, g = G/D^2, zero at invariant directions
 *   N = 2 X (m1x xi2 + m1y xi1) + 2 Z (m1y xi2 - m1x xi1)       cubic
 *   r = D R,  R'/R = N/G;   Y = R/G,  G Y' = P Y,  P = N - G'
 *   dp/dx = k D^2 Y,  dJ/dx = -mu k D (A, C) Y,  r dp/dx = k D^3 Z2,  Z2 = G Y^2, G Z2' = (2P+G') Z2
 *
 * (docs/theory.md derives this). A power series of Y costs four multiplications a term. */
#ifndef CAROM_RIGID_SPINOR_H
#define CAROM_RIGID_SPINOR_H

#include "rigid/curve.h"

typedef struct Spinor {
    double k;
    double A[3], C[3], D[3];
    double G[5], P[4];
} Spinor;

void spinor_build(const Slip *slip, const double m0[2], const double m1[2], Spinor *spinor);

/* Unit spinor of a unit vector, in the right half plane. */
void spinor_half(const double s[2], double xi[2]);

/* Two invariant directions with the slip between them, as spinors scaled so that the slip's own is
 * target + behind: on target + u behind the slip is at u = 1, moves towards 0 and comes from
 * infinity. Two further zeros of G at the roots of h0 + h1 u + h2 u^2. */
typedef struct Sector {
    double target[2], behind[2];
    double h[3];
} Sector;

/* The sector that the slip is in, among the invariant directions s; 0 if there is none (numerically
 * on the edge). */
int sector_find(const Slip *slip, const double gamma[2], double s[4][2], int count,
                Sector *sector);

/* Expansion in the middle of a sector, towards the target as far as it converges. */
int curve_middle(const Slip *slip, const State *start, const Sector *sector, Curve *curve);

/* Expansion about the target: down to zero slip if the target is centripetal. 0 if it converges
 * slowly, cancels or is close to a resonance. */
int curve_arrival(const Slip *slip, const State *start, const Sector *sector, Curve *curve);

#endif
