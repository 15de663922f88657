/* Four power series with common powers: speed. Horner's rule in z^4 works on four terms of each
 * series, and on two points, at once. */
#ifndef CAROM_RIGID_FOUR_SERIES_H
#define CAROM_RIGID_FOUR_SERIES_H

#include "math/lanes.h"

/* Most terms of a series, a multiple of four. If they do not suffice the stretch is shortened. */
#define CURVE_TERMS 56

typedef struct FourSeries {
    int terms; /* in use, a multiple of four */
    double c[4][CURVE_TERMS];
} FourSeries;

/* One series at z. */
static inline double series_at(const double *c, int terms, double z) {
    Quad sum = quad_all(0), z4, powers = quad_powers(z, &z4);
    for (int n = terms - 4; n >= 0; n -= 4) {
        sum = quad_join(sum, z4, quad_load(c + n));
    }
    return quad_sum(quad_times(sum, powers));
}

/* All four at both z. */
static inline void four_series_at(const FourSeries *series, Pair z, Pair out[4]) {
    const double(*c)[CURVE_TERMS] = series->c;
    int n = series->terms - 4;
    Quad y4, z4, of_y = quad_powers(LANE(z, 0), &y4), of_z = quad_powers(LANE(z, 1), &z4);
    Quad a0 = quad_load(c[0] + n), a1 = quad_load(c[1] + n), a2 = quad_load(c[2] + n);
    Quad a3 = quad_load(c[3] + n), b0 = a0, b1 = a1, b2 = a2, b3 = a3;
    for (n -= 4; n >= 0; n -= 4) {
        Quad c0 = quad_load(c[0] + n), c1 = quad_load(c[1] + n), c2 = quad_load(c[2] + n);
        Quad c3 = quad_load(c[3] + n);
        a0 = quad_join(a0, y4, c0);
        b0 = quad_join(b0, z4, c0);
        a1 = quad_join(a1, y4, c1);
        b1 = quad_join(b1, z4, c1);
        a2 = quad_join(a2, y4, c2);
        b2 = quad_join(b2, z4, c2);
        a3 = quad_join(a3, y4, c3);
        b3 = quad_join(b3, z4, c3);
    }
    out[0] = quad_sums(quad_times(a0, of_y), quad_times(b0, of_z));
    out[1] = quad_sums(quad_times(a1, of_y), quad_times(b1, of_z));
    out[2] = quad_sums(quad_times(a2, of_y), quad_times(b2, of_z));
    out[3] = quad_sums(quad_times(a3, of_y), quad_times(b3, of_z));
}

/* All four at four points; z2: their squares. Even and odd terms apart: chains of half the length.
 */
static inline void four_series_points(const FourSeries *series, Quad z, Quad z2, Quad out[4]) {
    const double(*c)[CURVE_TERMS] = series->c;
    int n = series->terms - 2;
    Quad a0 = quad_all(c[0][n]), a1 = quad_all(c[1][n]), a2 = quad_all(c[2][n]);
    Quad a3 = quad_all(c[3][n]), b0 = quad_all(c[0][n + 1]), b1 = quad_all(c[1][n + 1]);
    Quad b2 = quad_all(c[2][n + 1]), b3 = quad_all(c[3][n + 1]);
    for (n -= 2; n >= 0; n -= 2) {
        a0 = quad_join(a0, z2, quad_all(c[0][n]));
        b0 = quad_join(b0, z2, quad_all(c[0][n + 1]));
        a1 = quad_join(a1, z2, quad_all(c[1][n]));
        b1 = quad_join(b1, z2, quad_all(c[1][n + 1]));
        a2 = quad_join(a2, z2, quad_all(c[2][n]));
        b2 = quad_join(b2, z2, quad_all(c[2][n + 1]));
        a3 = quad_join(a3, z2, quad_all(c[3][n]));
        b3 = quad_join(b3, z2, quad_all(c[3][n + 1]));
    }
    out[0] = quad_join(b0, z, a0);
    out[1] = quad_join(b1, z, a1);
    out[2] = quad_join(b2, z, a2);
    out[3] = quad_join(b3, z, a3);
}

/* All four at eight points. Speed: each term is loaded once for two chains. */
static inline void four_series_eight(const FourSeries *series, const Quad z[2], Quad out[2][4]) {
    const double(*c)[CURVE_TERMS] = series->c;
    int n = series->terms - 1;
    Quad a0 = quad_all(c[0][n]), a1 = quad_all(c[1][n]), a2 = quad_all(c[2][n]);
    Quad a3 = quad_all(c[3][n]), b0 = a0, b1 = a1, b2 = a2, b3 = a3, x = z[0], y = z[1];
    for (n--; n >= 0; n--) {
        Quad c0 = quad_all(c[0][n]), c1 = quad_all(c[1][n]), c2 = quad_all(c[2][n]);
        Quad c3 = quad_all(c[3][n]);
        a0 = quad_join(a0, x, c0);
        b0 = quad_join(b0, y, c0);
        a1 = quad_join(a1, x, c1);
        b1 = quad_join(b1, y, c1);
        a2 = quad_join(a2, x, c2);
        b2 = quad_join(b2, y, c2);
        a3 = quad_join(a3, x, c3);
        b3 = quad_join(b3, y, c3);
    }
    out[0][0] = a0;
    out[0][1] = a1;
    out[0][2] = a2;
    out[0][3] = a3;
    out[1][0] = b0;
    out[1][1] = b1;
    out[1][2] = b2;
    out[1][3] = b3;
}

#endif
