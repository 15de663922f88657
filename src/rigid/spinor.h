/* Slip along a line of half-angle spinors: what makes the hodograph's series cheap.
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
 * (docs/theory.md derives this). So every term of Y and Z2 costs a fixed number of
 * multiplications. */
#ifndef CAROM_RIGID_SPINOR_H
#define CAROM_RIGID_SPINOR_H

#include "rigid/curve.h"

/* Fill the polynomials; spinor->m0, m1 are set. */
INTERNAL void spinor_build(const Slip *slip, Spinor *spinor);

/* Unit spinor of a unit vector, in the right half plane. */
INTERNAL void spinor_half(const double s[2], double xi[2]);

/* Two invariant directions with the slip between them, as spinors scaled so that the slip's own is
 * target + behind: on target + u behind the slip is at u = 1, moves towards 0 and comes from
 * infinity. The two further zeros of G are the roots of h0 + h1 u + h2 u^2, at u = 1/v. */
typedef struct Sector {
    double target[2], behind[2];
    double h[3];
    int real;
    double v[2];   /* v of both, if real, else their real part and |v|^2 */
    double weight; /* that makes sector_ratio() least, of those above 0; if there is none, 0 */
    double speed;  /* -r du/dp at u = 1 */
    int rough;     /* behind, far away, is known roughly, and so is h */
} Sector;

/* Fill m0, m1 and the polynomials of the line (t0 + x t1) target + (u0 + x u1) behind. Here G comes
 * from its zeros, so that next to them it keeps its relative accuracy; in a rough sector only the
 * target counts, if the line starts there. */
INTERNAL void spinor_build_sector(const Slip *slip, const Sector *sector, const double t[2],
                                  const double u[2], Spinor *spinor);

/* The sector that slip of velocity gamma is in, among the invariant directions s, if its angle
 * grows (forward) or falls; 0 if there is none (numerically on the edge). */
INTERNAL int sector_find(const double gamma[2], int forward, double s[4][2], int count,
                         const Slip *slip, Sector *sector);

/* Where the nearest other zero of G lies for an arrival expansion in x = u/(weight u + 1 - weight),
 * with its pole at u = 1 - 1/weight: the ratio of the series at its start; see docs/theory.md,
 * "Where to put the pole". */
INTERNAL double sector_ratio(const Sector *sector, double weight);

/* 1/u of the nearest other zero of G, seen from behind. */
INTERNAL double sector_far(const Sector *sector);

/* Makers of curves, for slip that starts with speed r. Each returns 0 and leaves *curve unusable if
 * its series does not suit. */

/* What is known of the invariant directions from g and its derivatives at the slip: with
 * t = tan(angle from the slip/2), positive ahead, g (1 + t^2)^2 is g times the quartic
 * 1 + c1 t + c2 t^2 + ..., and one of its zeros t may be near 1/ahead and one near 1/behind < 0. */
typedef struct Gap {
    double c[5]; /* c[0] = 1 */
    double g;
    double side;        /* 1 if the angle of the slip grows, else -1 */
    double sum, square; /* ahead + behind, (ahead - behind)^2 */
} Gap;

/* tanh(w x)/w with w^2 = square, from its continued fraction, to some per cent up to w x = 3. */
static inline Fraction fraction_tanh(Fraction x, double square) {
    double t = square * (x.above * x.above), u = 15 * (x.below * x.below);
    return (Fraction){x.above * (u + t), x.below * (u + 6 * t)};
}

/* All but `side`, and not divided by g yet, as curve_direct() takes it: sum |g|, square g^2, and c1
 * |g|, c2 g, c3 |g|, c4 g. */
INTERNAL Gap gap_estimate(const Slip *slip, const double s[2]);

/* Do so. */
INTERNAL void gap_divide(Gap *gap);

/* The sector that the slip of direction s is in, from there; 0 if not sure. */
INTERNAL int gap_sector(const Gap *gap, const double s[2], Sector *sector);

/* Fill the line from the zero ahead, z = 0, to the slip, z = 1, on which the other zeros lie around
 * 0 as evenly as can be; 0 if one of them may be closer than |z| = 2.5. */
INTERNAL int gap_approach(const Slip *slip, const Gap *gap, const double s[2], Spinor *spinor);

/* Expansion in the middle of such a gap, otherwise as curve_middle(), for slip of direction s;
 * `turn` is an eighth of the log-time that is expected to come. The middle is moved on
 * by bias of half the stretch. */
INTERNAL int curve_direct(const Slip *slip, const State *start, const double s[2], double r,
                          const Gap *gap, Fraction turn, double bias, Curve *curve);

/* Expansion in the middle of a sector, for a stretch from u = 1 to u = ((1 - reach)/(1 + reach))^2;
 * its disc of convergence has target and behind on its edge, at 1/reach from the centre. */
INTERNAL int curve_middle(const Slip *slip, const State *start, double r, const Sector *sector,
                          double reach, Curve *curve);

/* How much of this disc the two further zeros leave: the radius, at most 1. */
INTERNAL double sector_disc(const Sector *sector, double reach);

/* Expansion about the target: down to zero slip if the target is centripetal. 0 if it converges
 * slowly, cancels or is close to a resonance. */
INTERNAL int curve_arrival(const Slip *slip, const State *start, double r, const Sector *sector,
                           double weight, Curve *curve);

/* The same for slip of direction s that will stop, if nothing but the target need be known. */
INTERNAL int curve_approach(const Slip *slip, const State *start, double r, const double s[2],
                            const Gap *gap, Curve *curve);

/* The same about the direction behind, which the slip leaves, up to u = 1/far at most. */
INTERNAL int curve_departure(const Slip *slip, const State *start, double r, const Sector *sector,
                             double far, Curve *curve);

#endif
