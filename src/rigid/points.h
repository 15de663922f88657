/* Points of a curve, two at a time: in a Pair two cost no more than one. Here and not in a source
 * of their own, because what goes from one function to the next through memory comes late. */
#ifndef CAROM_RIGID_POINTS_H
#define CAROM_RIGID_POINTS_H

#include <math.h>

#include "rigid/curve.h"

/* Two points at once. */
typedef struct Points {
    Pair x;
    Pair p, J[2], A;
    Pair gamma[2], vn;
    Pair y, z;   /* powers where the series were summed */
    Rates rates; /* there */
    Pair x1, x2; /* dx/dp, d2x/dp2 */
} Points;

/* The state with the given p and J, into points. */
static inline void curve_state(const Curve *curve, const Slip *slip, Pair p, Pair jx, Pair jy,
                               Points *points) {
    const State *start = &curve->start;
    const double *B = slip->B, *d = slip->d;
    points->p = p;
    points->J[0] = jx;
    points->J[1] = jy;
    points->gamma[0] = start->gamma[0] + (d[0] * p + (B[0] * jx + B[1] * jy));
    points->gamma[1] = start->gamma[1] + (d[1] * p + (B[1] * jx + B[2] * jy));
    points->vn = start->vn + (p + (d[0] * jx + d[1] * jy));
}

/* The work of all forces from the start to points, -A - mu F. */
static inline Pair curve_work(const Curve *curve, const Points *points) {
    const State *start = &curve->start;
    return 0.5 * (points->p * (start->vn + points->vn) +
                  (points->J[0] * (start->gamma[0] + points->gamma[0]) +
                   points->J[1] * (start->gamma[1] + points->gamma[1])));
}

/* One of two points, without a, da, x1, x2. One by one: what is copied at once waits until all of
 * it has reached memory. */
static inline void curve_point(const Curve *curve, const Points *points, int i, Point *point) {
    Pair friction = -(curve_work(curve, points) + points->A);
    point->x = points->x[i];
    point->p = points->p[i];
    point->J[0] = points->J[0][i];
    point->J[1] = points->J[1][i];
    point->A = points->A[i];
    point->friction = friction[i];
    point->gamma[0] = points->gamma[0][i];
    point->gamma[1] = points->gamma[1][i];
    point->vn = points->vn[i];
    point->y = points->y[i];
    point->z = points->z[i];
    point->s[0] = points->rates.s[0][i];
    point->s[1] = points->rates.s[1][i];
    point->inverse = points->rates.inverse[i];
}

/* The four series of a curve at both z: Horner in z^4, with four terms of each side by side. */
static inline void curve_sums(const Curve *curve, Pair z, Pair out[4]) {
    const double(*c)[CURVE_TERMS] = curve->c;
    int n = curve->terms - 4;
    Quad y4, z4, of_y = quad_powers(z[0], &y4), of_z = quad_powers(z[1], &z4);
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

/* p or J of the moments. */
static inline Pair curve_mapped(const Curve *curve, int i, const Pair N[3]) {
    const double(*map)[4] = curve->map;
    return (map[0][i] * N[0] + map[1][i] * N[1]) + (map[2][i] * N[2] - curve->origin[i]);
}

/* z and y at x; exact at the end of a curve that arrives at zero slip. */
static inline void curve_power(const Curve *curve, double x, double *y, double *z) {
    int zero = curve->ending == CURVE_STOPS && x >= curve->end;
    if (curve->kind == CURVE_ARRIVAL) {
        *y = zero ? 0 : 1 - curve->q * x;
        *z = zero ? 0 : exp(log1p(-curve->q * x) / curve->q);
    } else {
        *y = zero ? 0 : 1 - x;
        *z = zero ? FADE_ALL : -log1p(-x);
    }
}

/* The same at both. */
static inline void curve_powers(const Curve *curve, Pair x, Pair *y, Pair *z) {
    *y = both(1);
    *z = x;
    if (curve->kind == CURVE_ARRIVAL || curve->kind == CURVE_FADE) {
        double of_y[2], of_z[2];
        curve_power(curve, x[0], of_y, of_z);
        of_y[1] = of_y[0];
        of_z[1] = of_z[0];
        if (x[1] != x[0]) {
            curve_power(curve, x[1], of_y + 1, of_z + 1);
        }
        *y = pair_load(of_y);
        *z = pair_load(of_z);
    }
}

/* The slip direction at z. */
static inline void curve_direction(const Curve *curve, Pair z, Pair s[2]) {
    if (curve->kind == CURVE_LOGTIME || curve->kind == CURVE_FADE) {
        s[0] = s[1] = both(0);
        for (int n = curve->terms - 1; n >= 0; n--) {
            s[0] = s[0] * z + curve->direction[0][n];
            s[1] = s[1] * z + curve->direction[1][n];
        }
        return;
    }
    const double *m0 = curve->spinor.m0, *m1 = curve->spinor.m1;
    Pair a = m0[0] + z * m1[0], b = m0[1] + z * m1[1], inverse = 1 / (a * a + b * b);
    s[0] = (a * a - b * b) * inverse;
    s[1] = 2 * a * b * inverse;
}

/* The points at x, with direction and speed of slip; the other rates are not filled. */
static inline void curve_at(const Curve *curve, const Slip *slip, Pair x, Points *points) {
    Pair sum[4] = {both(0), both(0), both(0), both(0)}, y, z;
    int arrival = curve->kind == CURVE_ARRIVAL;
    curve_powers(curve, x, &y, &z);
    points->x = x;
    points->y = y;
    points->z = z;
    /* at zero slip there is nothing to sum */
    if (y[0] > 0 || y[1] > 0) {
        curve_sums(curve, z, sum);
    }
    if (curve->kind == CURVE_LOGTIME) {
        points->A = z * sum[3];
        curve_state(curve, slip, z * sum[0], z * sum[1], z * sum[2], points);
        for (int i = 0; i < 2; i++) {
            double gamma[2] = {points->gamma[0][i], points->gamma[1][i]}, r = norm2(gamma);
            points->rates.s[0][i] = gamma[0] / r;
            points->rates.s[1][i] = gamma[1] / r;
            points->rates.r[i] = r;
            points->rates.inverse[i] = 1 / r;
        }
        return;
    }
    curve_direction(curve, z, points->rates.s);
    if (curve->kind == CURVE_FADE) {
        const double(*c)[CURVE_TERMS] = curve->c;
        /* at zero slip z = FADE_ALL, where the series mean nothing */
        for (int i = 0; i < 4; i++) {
            sum[i] = pair_where(y > 0, sum[i]);
        }
        curve_state(curve, slip, c[0][0] - y * sum[0], c[1][0] - y * sum[1], c[2][0] - y * sum[2],
                    points);
        points->A = -curve_work(curve, points) - slip->mu * (c[3][0] - y * y * sum[3]);
        Pair r = {curve_speed(curve, y[0], z[0]), curve_speed(curve, y[1], z[1])};
        points->rates.r = r;
        points->rates.inverse = pair_where(r > 0, 1 / r);
        return;
    }
    Pair by = arrival ? y : z, zz = z * by;
    Pair N[3] = {by * sum[0], zz * sum[1], z * zz * sum[2]};
    if (arrival) {
        N[0] -= curve->u0 * x;
    }
    curve_state(curve, slip, curve_mapped(curve, 0, N), curve_mapped(curve, 1, N),
                curve_mapped(curve, 2, N), points);
    Pair r = points->gamma[0] * points->rates.s[0] + points->gamma[1] * points->rates.s[1];
    points->rates.r = pair_where(y > 0, r);
    points->rates.inverse = pair_where(y > 0, 1 / r);
    if (curve->has_own_work) {
        points->A = curve->a - z * sum[3] - curve->vn * points->p;
    } else {
        Pair F = arrival ? y * y * sum[3] - 0.5 * curve->f0 * x * (1 + y) : z * sum[3];
        points->A = -curve_work(curve, points) - slip->mu * (F * curve->square - curve->F);
    }
}

/* dx/dp and its derivative on a line of spinors, where D = |xi|^2. */
static inline void curve_pace(const Curve *curve, Points *points) {
    const Spinor *spinor = &curve->spinor;
    const Rates *rates = &points->rates;
    const double D[3] = {spinor->P[0][0], spinor->P[1][0], spinor->P[2][0]};
    const double *G = spinor->G, *N = spinor->N;
    Pair z = points->z, y = points->y;
    Pair size = D[0] + z * (D[1] + z * D[2]), slope = D[1] + 2 * D[2] * z;
    Pair pace = spinor->inverse_k * rates->inverse;
    if (curve->kind == CURVE_REGULAR) {
        /* theta' = g/r, theta_x = k/D; dg/dtheta = -f - across */
        pace *= rates->g;
        points->x1 = size * pace;
        points->x2 = points->x1 * (pace * slope - rates->inverse * (2 * rates->f + rates->across));
        return;
    }
    /* the same with D^2 g = G, from which a factor z is taken out, and dz/dx = -z/y */
    Pair h = G[1] + z * (G[2] + z * (G[3] + z * G[4]));
    Pair n = N[0] + z * (N[1] + z * (N[2] + z * N[3]));
    Pair m = G[1] + z * (2 * G[2] + z * (3 * G[3] + z * (4 * G[4])));
    points->x1 = -h * y * pace / size;
    points->x2 = points->x1 * points->x1 * (2 * z * slope / size + (n - m) / h + 1 - curve->q) / y;
    for (int i = 0; i < 2; i++) {
        if (y[i] == 0) {
            points->x1[i] = -1 / (curve->map[0][0] * curve->u0);
            points->x2[i] = 0;
        }
    }
}

/* Fill the other rates, x1 and x2 too, from direction and speed. */
static inline void curve_rates(const Curve *curve, const Slip *slip, Points *points) {
    Rates *rates = &points->rates;
    slip_rates(slip, rates);
    if (curve->kind == CURVE_LOGTIME) {
        points->x1 = rates->inverse / curve->time;
        points->x2 = -points->x1 * rates->f * rates->inverse;
    } else if (curve->kind == CURVE_FADE) {
        /* dx/dp = y/(t r), and y' = -x' */
        double last = 1 / (curve->time * curve->u[0]);
        for (int i = 0; i < 2; i++) {
            double y = points->y[i];
            points->x1[i] = y > 0 ? y * rates->inverse[i] / curve->time : last;
        }
        points->x2 = -points->x1 * rates->inverse * (1 / curve->time + rates->f);
    } else {
        curve_pace(curve, points);
    }
}

/* The x at which compression and then restitution will end, about, between two points; 0 if not
 * both are foreseen there (forecast.c). */
INTERNAL int curve_forecast(const Impact *impact, const Curve *curve, const Points *ends, Pair *x);

#endif
