/* Polynomials of slip on a line of spinors, and the sector between two invariant directions. */
#include "rigid/spinor.h"

#include <math.h>

void spinor_half(const double s[2], double xi[2]) {
    double large = sqrt((1 + fabs(s[0])) / 2), small = s[1] / (2 * large);
    xi[0] = s[0] >= 0 ? large : fabs(small);
    xi[1] = s[0] >= 0 ? small : copysign(large, s[1]);
}

void spinor_build(const Slip *slip, Spinor *spinor) {
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

void spinor_build_sector(const Slip *slip, const Sector *sector, const double t[2],
                         const double u[2], Spinor *spinor) {
    for (int i = 0; i < 2; i++) {
        spinor->m0[i] = t[0] * sector->target[i] + u[0] * sector->behind[i];
        spinor->m1[i] = t[1] * sector->target[i] + u[1] * sector->behind[i];
    }
    spinor_build(slip, spinor);
    if (!sector->rough) {
        zeros_product(sector, t, u, spinor->G);
    } else if (u[0] == 0) {
        spinor->G[0] = 0;
    }
}

/* A weight that makes sense, else 0. */
static double proper(double weight) {
    return weight > 0 && weight < 1 ? weight : 0;
}

/* Fill v, the zeros of h0 v^2 + h1 v + h2, and the weight. A factor of h does not matter. */
static inline void find_further(Sector *sector) {
    const double *h = sector->h;
    double half = h[1] / 2, square = half * half - h[0] * h[2], *v = sector->v, one, other;
    sector->real = square >= 0;
    if (sector->real) {
        /* v/(v - 2) of the smaller v */
        double sum = -(half + copysign(sqrt(square), half));
        v[0] = sum != 0 ? h[2] / sum : 0;
        v[1] = sum / h[0];
        one = proper(h[2] / (h[2] - 2 * sum));
        other = proper(sum / (sum - 2 * h[0]));
        sector->weight = most_of(one, other);
    } else {
        double inverse = 1 / h[0], part = h[2] + half;
        v[0] = -half * inverse;
        v[1] = h[2] * inverse;
        one = proper(part / (h[0] + part + half));
        other = proper(h[2] / (part + half));
        sector->weight = one > 0 && other > 0 ? least_of(one, other) : most_of(one, other);
    }
}

/* Signed turn from a to b over (0, 2 pi], as a number that grows with the angle, in (0, 4]. */
static double turn(const double a[2], const double b[2]) {
    double c = dot2(a, b), s = cross2(a, b);
    return s > 0 || (s == 0 && c < 0) ? 1 - c : 3 + c;
}

int sector_find(const double gamma[2], int forward, double s[4][2], int count, const Slip *slip,
                Sector *sector) {
    double r = norm2(gamma), at[2] = {gamma[0] / r, gamma[1] / r}, xi[2];
    int next = -1, last = -1;
    double least = INFINITY, most = -INFINITY;
    for (int i = 0; i < count; i++) {
        double t = turn(at, s[i]);
        if (t < least) {
            least = t;
            next = i;
        }
        if (t > most) {
            most = t;
            last = i;
        }
    }
    if (next < 0 || next == last) {
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
    sector->rough = 0;
    find_further(sector);
    return 1;
}

double sector_ratio(const Sector *sector, double weight) {
    const double *v = sector->v, rest = 1 - weight;
    if (sector->real) {
        return most_of(weight, most_of(fabs(weight + rest * v[0]), fabs(weight + rest * v[1])));
    }
    double square = weight * weight + rest * (2 * weight * v[0] + rest * v[1]);
    return most_of(weight, sqrt(square));
}

double sector_far(const Sector *sector) {
    const double *v = sector->v;
    return sector->real ? least_of(fabs(v[0]), fabs(v[1])) : sqrt(v[1]);
}

double sector_disc(const Sector *sector, double reach) {
    if (sector->real) {
        return 1; /* both are negative, outside */
    }
    double centre = (1 - reach) / (1 + reach);
    double cross = 2 * centre * sector->v[0], sum = 1 + centre * centre * sector->v[1];
    return cross > 0 ? sqrt((sum - cross) / (sum + cross)) : 1;
}

Gap gap_estimate(const Slip *slip, const double s[2]) {
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

void gap_divide(Gap *gap) {
    double inverse = 1 / gap->g, size = fabs(inverse);
    gap->side = inverse > 0 ? 1 : -1;
    gap->c[1] *= size;
    gap->c[2] *= inverse;
    gap->c[3] *= size;
    gap->c[4] *= inverse;
    gap->sum *= size;
    gap->square *= size * size;
}

/* A zero of x^4 + c1 x^3 + ... + c4 from x by Halley's method; NaN if it does not settle. *before:
 * what it was before the last step, good to 5e-6. */
static inline double quartic_zero(const double c[5], double x, double *before) {
    for (int i = 0; i < 12; i++) {
        double square = x * x, f = ((x + c[1]) * x + c[2]) * square + (c[3] * x + c[4]);
        double slope = (4 * x + 3 * c[1]) * square + (2 * c[2] * x + c[3]);
        double bend = (6 * x + 3 * c[1]) * x + c[2];
        double step = f * slope / (slope * slope - f * bend);
        *before = x;
        x -= step;
        /* cubic convergence */
        if (fabs(step) <= 5e-6 * fabs(x)) {
            return x;
        }
    }
    return NAN;
}

/* The zero of x^3 + b x^2 + c x + d furthest to the side of +1 or -1: from beyond it, or, if it is
 * the only one and on the other side, from beyond the extremum there. To some digits. */
static inline double cubic_zero(double b, double c, double d, double side) {
    const double third = 1.0 / 3;
    double centre = -b * third, square = centre * centre - c * third;
    double h = square > 0 ? side * sqrt(square) : 0, turn = centre + h;
    double x = side * (((turn + b) * turn + c) * turn + d) > 0 ? centre - 2 * h : centre + 2 * h;
    for (int i = 0; i < 12; i++) {
        double f = ((x + b) * x + c) * x + d, slope = (3 * x + 2 * b) * x + c, bend = 3 * x + b;
        double step = f * slope / (slope * slope - f * bend);
        x -= step;
        if (fabs(step) <= 0.1 * fabs(x)) {
            break;
        }
    }
    return x;
}

int gap_approach(const Slip *slip, const Gap *gap, const double s[2], Spinor *spinor) {
    const double *c = gap->c, far = 2.5;
    double about, x, xi[2];
    if (!(gap->sum > 0)) {
        return 0;
    }
    x = quartic_zero(c, (gap->sum + sqrt(gap->square)) / 2, &about);
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
    /* from its zeros, so that next to them it keeps its digits */
    G[0] = G[2] = 0;
    G[1] = gap->g * h0;
    G[3] = gap->g * h2;
    G[4] = gap->g * h3;
    return 1;
}

int gap_sector(const Gap *gap, const double s[2], Sector *sector) {
    /* x = 1/t of the nearer zero, then, without that one, of the last on the other side */
    const double *c = gap->c;
    int forward = gap->sum > 0;
    double width = forward ? sqrt(gap->square) : -sqrt(gap->square);
    double about, x = quartic_zero(c, (gap->sum + width) / 2, &about), xi[2];
    /* from the last coefficient up: x is the largest, and may be larger than all others by far. All
     * its digits are not needed, and need not be waited for */
    double t = 1 / about, c3 = -c[4] * t, c2 = (c3 - c[3]) * t, c1 = (c2 - c[2]) * t;
    double y = cubic_zero(c1, c2, c3, forward ? -1 : 1);
    sector->rough = x > y && x < 100;
    if (!sector->rough) {
        y = quartic_zero(c, y, &about);
    }
    double a = x > y ? x : y, b = x > y ? y : x;
    if (!(a - b > 1e-3 * (fabs(a) + fabs(b)))) {
        return 0;
    }
    /* target = (a xi + xi_perp)/(a - b), behind = -(b xi + xi_perp)/(a - b) */
    double scale = 1 / (a - b), across = gap->side * scale;
    spinor_half(s, xi);
    sector->target[0] = a * scale * xi[0] - across * xi[1];
    sector->target[1] = a * scale * xi[1] + across * xi[0];
    sector->behind[0] = -b * scale * xi[0] + across * xi[1];
    sector->behind[1] = -b * scale * xi[1] - across * xi[0];
    /* on target + u behind the quartic is sum_i c_i (a - u b)^(4-i) (1 - u)^i/(a - b)^4; its terms
     * of order 0 and 4 vanish */
    double aa = a * a, ab = a * b, bb = b * b, sum = a + b, *h = sector->h;
    h[0] = -(4 * aa * ab + c[1] * aa * (a + 3 * b) + 2 * c[2] * a * sum + c[3] * (3 * a + b) +
             4 * c[4]);
    h[1] =
        6 * ab * ab + 3 * c[1] * ab * sum + c[2] * (aa + 4 * ab + bb) + 3 * c[3] * sum + 6 * c[4];
    h[2] = -(4 * bb * ab + c[1] * bb * (3 * a + b) + 2 * c[2] * b * sum + c[3] * (a + 3 * b) +
             4 * c[4]);
    find_further(sector);
    double square = scale * scale, unit = gap->g * (square * square);
    for (int i = 0; i < 3; i++) {
        h[i] *= unit;
    }
    sector->speed = fabs(h[0] + h[1] + h[2]) * (a - b) / 2;
    /* are these the zeros next to the slip? */
    return !sector->real || (sector->v[0] < 0 && sector->v[1] < 0);
}
