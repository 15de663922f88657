/* Polynomials of slip on a line of spinors, and the sector between two invariant directions. */
#include "rigid/spinor.h"

#include <math.h>

void spinor_half(const double s[2], double xi[2]) {
    double norm = sqrt(2 * (1 + fabs(s[0])));
    double large = (1 + fabs(s[0])) / norm, small = s[1] / norm;
    xi[0] = s[0] >= 0 ? large : fabs(small);
    xi[1] = s[0] >= 0 ? small : copysign(large, s[1]);
}

/* All but P, and N. */
static void polynomials(const Slip *slip, Spinor *spinor, double N[4]) {
    const double *b = slip->b, *d = slip->d, *m0 = spinor->m0, *m1 = spinor->m1;
    double xx[3] = {m0[0] * m0[0], 2 * m0[0] * m1[0], m1[0] * m1[0]};
    double yy[3] = {m0[1] * m0[1], 2 * m0[1] * m1[1], m1[1] * m1[1]};
    double xy[3] = {m0[0] * m0[1], m0[0] * m1[1] + m0[1] * m1[0], m1[0] * m1[1]};
    double X[3], Z[3];
    double *A = spinor->A, *C = spinor->C, *D = spinor->D, *G = spinor->G;
    for (int i = 0; i < 3; i++) {
        A[i] = xx[i] - yy[i];
        C[i] = 2 * xy[i];
        D[i] = xx[i] + yy[i];
        X[i] = d[0] * D[i] - b[0] * A[i] - b[1] * C[i];
        Z[i] = d[1] * D[i] - b[1] * A[i] - b[2] * C[i];
    }
    spinor->k = 2 * cross2(m0, m1);
    G[0] = A[0] * Z[0] - C[0] * X[0];
    G[1] = A[0] * Z[1] + A[1] * Z[0] - C[0] * X[1] - C[1] * X[0];
    G[2] = A[0] * Z[2] + A[1] * Z[1] + A[2] * Z[0] - C[0] * X[2] - C[1] * X[1] - C[2] * X[0];
    G[3] = A[1] * Z[2] + A[2] * Z[1] - C[1] * X[2] - C[2] * X[1];
    G[4] = A[2] * Z[2] - C[2] * X[2];
    /* N = 2 X u + 2 Z v with linear u, v */
    double u0 = 2 * (m1[0] * m0[1] + m1[1] * m0[0]), u1 = 4 * m1[0] * m1[1];
    double v0 = 2 * (m1[1] * m0[1] - m1[0] * m0[0]);
    double v1 = 2 * (m1[1] * m1[1] - m1[0] * m1[0]);
    N[0] = X[0] * u0 + Z[0] * v0;
    N[1] = X[0] * u1 + X[1] * u0 + Z[0] * v1 + Z[1] * v0;
    N[2] = X[1] * u1 + X[2] * u0 + Z[1] * v1 + Z[2] * v0;
    N[3] = X[2] * u1 + Z[2] * v1;
}

/* P = N - G'. */
static void complete(Spinor *spinor, const double N[4]) {
    for (int i = 0; i < 4; i++) {
        spinor->P[i] = N[i] - (i + 1) * spinor->G[i + 1];
    }
}

void spinor_build(const Slip *slip, Spinor *spinor) {
    double N[4];
    polynomials(slip, spinor, N);
    complete(spinor, N);
}

void spinor_build_sector(const Slip *slip, const Sector *sector, const double t[2],
                         const double u[2], Spinor *spinor) {
    const double *h = sector->h;
    double N[4], tt[3] = {t[0] * t[0], 2 * t[0] * t[1], t[1] * t[1]};
    double tu[3] = {t[0] * u[0], t[0] * u[1] + t[1] * u[0], t[1] * u[1]};
    double uu[3] = {u[0] * u[0], 2 * u[0] * u[1], u[1] * u[1]}, rest[3];
    for (int i = 0; i < 2; i++) {
        spinor->m0[i] = t[0] * sector->target[i] + u[0] * sector->behind[i];
        spinor->m1[i] = t[1] * sector->target[i] + u[1] * sector->behind[i];
    }
    polynomials(slip, spinor, N);
    for (int i = 0; i < 3; i++) {
        rest[i] = h[0] * tt[i] + h[1] * tu[i] + h[2] * uu[i];
    }
    double *G = spinor->G;
    G[0] = tu[0] * rest[0];
    G[1] = tu[0] * rest[1] + tu[1] * rest[0];
    G[2] = tu[0] * rest[2] + tu[1] * rest[1] + tu[2] * rest[0];
    G[3] = tu[1] * rest[2] + tu[2] * rest[1];
    G[4] = tu[2] * rest[2];
    complete(spinor, N);
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
    return 1;
}

/* 1/u of the two further zeros, if real. */
static int real_zeros(const Sector *sector, double inverse[2]) {
    const double *h = sector->h;
    double half = h[1] / 2, square = half * half - h[0] * h[2];
    if (square < 0) {
        return 0;
    }
    double sum = -(half + copysign(sqrt(square), half));
    inverse[0] = sum != 0 ? h[2] / sum : 0;
    inverse[1] = sum / h[0];
    return 1;
}

double sector_ratio(const Sector *sector, double pole) {
    /* the parameter is x = u (1 + pole)/(u + pole); behind is at x = 1 + pole */
    double scale = pole < INFINITY ? 1 / (1 + pole) : 0, inverse[2];
    if (real_zeros(sector, inverse)) {
        double first = pole < INFINITY ? fabs(1 + pole * inverse[0]) * scale : fabs(inverse[0]);
        double second = pole < INFINITY ? fabs(1 + pole * inverse[1]) * scale : fabs(inverse[1]);
        return most_of(scale, most_of(first, second));
    }
    double square = sector->h[0] / sector->h[2], re = -sector->h[1] / (2 * sector->h[2]);
    double ratio = pole < INFINITY ? sqrt((square + pole * (2 * re + pole)) / square) * scale
                                   : 1 / sqrt(square);
    return most_of(scale, ratio);
}

double sector_pole(const Sector *sector) {
    double inverse[2], pole;
    if (real_zeros(sector, inverse)) {
        pole = -2 / least_of(inverse[0], inverse[1]);
    } else {
        double square = sector->h[0] / sector->h[2], re = -sector->h[1] / (2 * sector->h[2]);
        pole = most_of((square - re) / (1 - re), -2 * re);
    }
    return pole > 0 && sector_ratio(sector, pole) < sector_ratio(sector, INFINITY) ? pole
                                                                                   : INFINITY;
}

double sector_disc(const Sector *sector, double reach) {
    double centre = (1 - reach) / (1 + reach), inverse[2];
    if (real_zeros(sector, inverse)) {
        return 1; /* both are negative, outside */
    }
    double square = sector->h[0] / sector->h[2], re = -sector->h[1] / (2 * sector->h[2]);
    double cross = 2 * centre * re, sum = centre * centre + square;
    return cross > 0 ? sqrt((sum - cross) / (sum + cross)) : 1;
}
