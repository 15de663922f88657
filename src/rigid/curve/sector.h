/* The sector between two neighbouring invariant directions that the slip moves in.
 *
 * Both are spinors, scaled so that the slip's own is target + behind: on target + u behind the slip
 * is at u = 1, moves towards 0 and comes from infinity. G has two further zeros, the roots u = 1/v
 * of h0 + h1 u + h2 u^2; they limit the convergence of the series. */
#ifndef CAROM_RIGID_SECTOR_H
#define CAROM_RIGID_SECTOR_H

#include "math/functions.h"
#include "rigid/curve/spinor.h"

typedef struct Sector {
    double target[2], behind[2];
    double h[3];
    int real;
    double v[2];  /* both, if real, else their real part and |v|^2 */
    double speed; /* -r du/dp at u = 1 */
} Sector;

/* A gap: the invariant directions next to the slip, estimated from g and its derivatives.
 *
 * With t = tan(angle from the slip/2), positive ahead, g (1 + t^2)^2 is g times the quartic
 * 1 + c1 t + c2 t^2 + c3 t^3 + c4 t^4. One step of Laguerre's method from t = 0 gives a zero near
 * 1/ahead and one near 1/behind < 0, not beyond the nearest if all four are real. */
typedef struct Gap {
    double c[5]; /* c[0] = 1 */
    double g;
    double side;        /* 1 if the angle of the slip grows, else -1 */
    double sum, square; /* ahead + behind, (ahead - behind)^2 */
} Gap;

/* G on the line from its zeros. */
static void zeros_product(const Sector *sector, const double t[2], const double u[2], double G[5]) {
    const double *h = sector->h;
    double tt[3] = {t[0] * t[0], 2 * t[0] * t[1], t[1] * t[1]};
    double tu[3] = {t[0] * u[0], t[0] * u[1] + t[1] * u[0], t[1] * u[1]};
    double uu[3] = {u[0] * u[0], 2 * u[0] * u[1], u[1] * u[1]}, rest[3];
    for (int i = 0; i < 3; i++) {
        rest[i] = h[0] * tt[i] + h[1] * tu[i] + h[2] * uu[i];
    }
    G[0] = tu[0] * rest[0];
    G[1] = tu[0] * rest[1] + tu[1] * rest[0];
    G[2] = tu[0] * rest[2] + tu[1] * rest[1] + tu[2] * rest[0];
    G[3] = tu[1] * rest[2] + tu[2] * rest[1];
    G[4] = tu[2] * rest[2];
}

/* Fill m0, m1 and the polynomials of the line (t0 + x t1) target + (u0 + x u1) behind. G comes from
 * its zeros, so that next to them it keeps its relative accuracy. */
static void sector_line(const Slip *slip, const Sector *sector, const double t[2],
                        const double u[2], Spinor *spinor) {
    for (int i = 0; i < 2; i++) {
        spinor->m0[i] = t[0] * sector->target[i] + u[0] * sector->behind[i];
        spinor->m1[i] = t[1] * sector->target[i] + u[1] * sector->behind[i];
    }
    spinor_build(slip, spinor);
    zeros_product(sector, t, u, spinor->G);
}

/* Fill v from h. */
static void sector_find_further(Sector *sector) {
    const double *h = sector->h;
    double half = h[1] / 2, square = half * half - h[0] * h[2], *v = sector->v;
    sector->real = square >= 0;
    if (sector->real) {
        double sum = -(half + copysign(sqrt(square), half));
        v[0] = sum != 0 ? h[2] / sum : 0;
        v[1] = sum / h[0];
    } else {
        double inverse = 1 / h[0];
        v[0] = -half * inverse;
        v[1] = h[2] * inverse;
    }
}

/* A number in (0, 4] that grows with the angle from a to b in (0, 2 pi]. */
static double turn_measure(const double a[2], const double b[2]) {
    double c = dot2(a, b), s = cross2(a, b);
    return s > 0 || (s == 0 && c < 0) ? 1 - c : 3 + c;
}

/* The sector of slip with velocity gamma among all invariant directions s; forward: its angle
 * grows. Returns 0 if there is none (numerically on an invariant direction). */
static int sector_find(const double gamma[2], int forward, double s[4][2], int count,
                       const Slip *slip, Sector *sector) {
    double r = norm2(gamma), at[2] = {gamma[0] / r, gamma[1] / r}, xi[2];
    int next = 0, last = 0;
    for (int i = 1; i < count; i++) {
        double angle = turn_measure(at, s[i]);
        next = angle < turn_measure(at, s[next]) ? i : next;
        last = angle > turn_measure(at, s[last]) ? i : last;
    }
    if (next == last) {
        return 0;
    }
    spinor_half(at, xi);
    spinor_half(s[forward ? next : last], sector->target);
    spinor_half(s[forward ? last : next], sector->behind);
    double across = cross2(sector->target, sector->behind);
    double a = cross2(xi, sector->behind) / across, b = cross2(sector->target, xi) / across;
    if (!(a != 0 && b != 0 && isfinite(a) && isfinite(b))) {
        return 0;
    }
    for (int i = 0; i < 2; i++) {
        sector->target[i] *= a;
        sector->behind[i] *= b;
    }
    Spinor spinor = {.m0 = {sector->target[0], sector->target[1]},
                     .m1 = {sector->behind[0], sector->behind[1]}};
    spinor_build(slip, &spinor);
    for (int i = 0; i < 3; i++) {
        sector->h[i] = spinor.G[1 + i];
    }
    sector->speed = fabs((sector->h[0] + sector->h[1] + sector->h[2]) / spinor.k);
    sector_find_further(sector);
    return 1;
}

/* 1/u of the nearest further zero of G, as seen from `behind`. */
static double sector_far(const Sector *sector) {
    const double *v = sector->v;
    return sector->real ? least_of(fabs(v[0]), fabs(v[1])) : sqrt(v[1]);
}

/* The expansion in the middle of a stretch from u = 1 to ((1 - reach)/(1 + reach))^2 has target and
 * behind at 1/reach from its centre. Returns the part of this radius, at most 1, that the further
 * zeros leave. */
static double sector_disc(const Sector *sector, double reach) {
    if (sector->real) {
        return 1; /* both are negative, outside */
    }
    double centre = (1 - reach) / (1 + reach);
    double cross = 2 * centre * sector->v[0], sum = 1 + centre * centre * sector->v[1];
    return cross > 0 ? sqrt((sum - cross) / (sum + cross)) : 1;
}

/* The gap before the division by g, which regular_direct() does without: side is not set, and the
 * fields hold sum |g|, square g^2, c1 |g|, c2 g, c3 |g|, c4 g. */
static Gap gap_estimate(const Slip *slip, const double s[2]) {
    const double *b = slip->b, *d = slip->d;
    double e1 = (b[0] - b[2]) / 2, e2 = b[1];
    double cos2 = s[0] * s[0] - s[1] * s[1], sin2 = 2 * s[0] * s[1];
    double C = e1 * sin2 - e2 * cos2, E = 4 * (e1 * cos2 + e2 * sin2);
    double aside = cross2(s, d), along = 2 * dot2(s, d);
    /* g = aside + C, so that next to the first axis its digits stay even where it vanishes:
     * s_1 = +-(1 - s_2^2/(1 + |s_1|)) */
    double d2 = s[0] >= 0 ? d[1] : -d[1], g = d2 - e2;
    if (s[1] != 0) {
        g += s[1] * (2 * e1 * s[0] - d[0] + s[1] * (2 * e2 - d2 / (1 + fabs(s[0]))));
    }
    Gap gap = {.c = {1, E - along, -6 * C, -E - along, C - aside}, .g = g};
    /* Laguerre's step from t = 0, both ways; if all zeros are real, not beyond the nearest */
    double square = 3 * (3 * gap.c[1] * gap.c[1] - 8 * gap.c[2] * g);
    gap.sum = -gap.c[1] / 2;
    gap.square = square > 0 ? square / 4 : 0;
    return gap;
}

/* Divide all fields by g, and set side. */
static void gap_divide(Gap *gap) {
    double inverse = 1 / gap->g, size = fabs(inverse);
    gap->side = inverse > 0 ? 1 : -1;
    gap->c[1] *= size;
    gap->c[2] *= inverse;
    gap->c[3] *= size;
    gap->c[4] *= inverse;
    gap->sum *= size;
    gap->square *= size * size;
}

/* A zero of x^4 + c1 x^3 + ... + c4 from x by Halley's method; NaN if it does not converge. */
static inline double quartic_zero(const double c[5], double x) {
    for (int i = 0; i < 12; i++) {
        double square = x * x, f = ((x + c[1]) * x + c[2]) * square + (c[3] * x + c[4]);
        double slope = (4 * x + 3 * c[1]) * square + (2 * c[2] * x + c[3]);
        double bend = (6 * x + 3 * c[1]) * x + c[2];
        double step = f * slope / (slope * slope - f * bend);
        x -= step;
        /* cubic convergence */
        if (fabs(step) <= 5e-6 * fabs(x)) {
            return x;
        }
    }
    return NAN;
}

/* The line from the invariant direction ahead, z = 0, to slip in direction s, z = 1, on which the
 * other zeros of G lie around 0 as evenly as possible; 0 if one of them may be closer than
 * |z| = 2.5 (docs/theory.md, "Arrival"). */
static int gap_arrival_line(const Slip *slip, const Gap *gap, const double s[2], Spinor *spinor) {
    const double *c = gap->c, far = 2.5;
    double x, xi[2];
    if (!(gap->sum > 0)) {
        return 0;
    }
    x = quartic_zero(c, (gap->sum + sqrt(gap->square)) / 2);
    /* with q_j its derivatives at x over j!, on (1 - z) k (x xi + xi_perp) + z xi the quartic is
     * z (q_1 k^3 (1 - z)^3 + q_2 k^2 (1 - z)^2 z + ...): with this k, z (h_0 + h_2 z^2 + h_3 z^3)
     */
    double q1 = ((4 * x + 3 * c[1]) * x + 2 * c[2]) * x + c[3];
    double q2 = (6 * x + 3 * c[1]) * x + c[2], q3 = 4 * x + c[1], k = q2 / (3 * q1), kq = k * q2;
    double h0 = k * kq / 3, h2 = k * (q3 - kq), h3 = 1 - k * (q3 - kq * (2.0 / 3)), *G = spinor->G;
    if (!(x > 0 && k > 0 && far * far * (fabs(h2) + far * fabs(h3)) < h0)) {
        return 0;
    }
    double across = gap->side * k;
    spinor_half(s, xi);
    spinor->m0[0] = k * x * xi[0] - across * xi[1];
    spinor->m0[1] = k * x * xi[1] + across * xi[0];
    spinor->m1[0] = xi[0] - spinor->m0[0];
    spinor->m1[1] = xi[1] - spinor->m0[1];
    spinor_build(slip, spinor);
    /* G from its zeros, so that next to them it keeps its digits */
    G[0] = G[2] = 0;
    G[1] = gap->g * h0;
    G[3] = gap->g * h2;
    G[4] = gap->g * h3;
    return 1;
}

#endif
