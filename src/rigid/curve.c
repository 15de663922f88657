/* Evaluation of a curved stretch. */
#include "rigid/curve.h"

#include "rigid/spinor.h"

#include <math.h>

/* 1, z, z^2, z^3 and z^4. */
static inline Quad first_powers(double z, Quad *fourth) {
    double z2 = z * z;
    *fourth = quad_all(z2 * z2);
    return quad_make(1, z, z2, z * z2);
}

/* The four series of a curve at z: Horner in z^4, with four terms of each side by side. */
static void sums(const Curve *curve, double z, double out[4]) {
    const double(*c)[CURVE_TERMS] = curve->c;
    int n = curve->terms - 4;
    Quad z4, powers = first_powers(z, &z4);
    Quad a0 = quad_load(c[0] + n), a1 = quad_load(c[1] + n), a2 = quad_load(c[2] + n),
         a3 = quad_load(c[3] + n);
    for (n -= 4; n >= 0; n -= 4) {
        a0 = quad_join(a0, z4, quad_load(c[0] + n));
        a1 = quad_join(a1, z4, quad_load(c[1] + n));
        a2 = quad_join(a2, z4, quad_load(c[2] + n));
        a3 = quad_join(a3, z4, quad_load(c[3] + n));
    }
    out[0] = quad_sum(quad_times(a0, powers));
    out[1] = quad_sum(quad_times(a1, powers));
    out[2] = quad_sum(quad_times(a2, powers));
    out[3] = quad_sum(quad_times(a3, powers));
}

double curve_series(const Curve *curve, const double *c, double z) {
    Quad sum = quad_all(0), z4, powers = first_powers(z, &z4);
    for (int n = curve->terms - 4; n >= 0; n -= 4) {
        sum = quad_join(sum, z4, quad_load(c + n));
    }
    return quad_sum(quad_times(sum, powers));
}

/* p or J of the moments. */
static double mapped(const Curve *curve, int i, const double N[3]) {
    const double *map = curve->map[i];
    return (map[0] * N[0] + map[1] * N[1]) + map[2] * N[2] - curve->origin[i];
}

/* z and y at x; exact at the end of a curve that arrives at zero slip. */
static void powers(const Curve *curve, double x, double *y, double *z) {
    int zero = curve->ending == CURVE_STOPS && x >= curve->end;
    *y = 1;
    *z = x;
    if (curve->kind == CURVE_ARRIVAL) {
        *y = zero ? 0 : 1 - curve->q * x;
        *z = zero ? 0 : exp(log1p(-curve->q * x) / curve->q);
    } else if (curve->kind == CURVE_FADE) {
        *y = zero ? 0 : 1 - x;
        *z = zero ? FADE_ALL : -log1p(-x);
    }
}

void curve_direction(const Curve *curve, double z, double s[2]) {
    if (curve->kind == CURVE_LOGTIME || curve->kind == CURVE_FADE) {
        s[0] = s[1] = 0;
        for (int n = curve->terms - 1; n >= 0; n--) {
            s[0] = s[0] * z + curve->direction[0][n];
            s[1] = s[1] * z + curve->direction[1][n];
        }
        return;
    }
    const double *m0 = curve->spinor.m0, *m1 = curve->spinor.m1;
    double a = m0[0] + z * m1[0], b = m0[1] + z * m1[1], inverse = 1 / (a * a + b * b);
    s[0] = (a * a - b * b) * inverse;
    s[1] = 2 * a * b * inverse;
}

void curve_at(const Curve *curve, const Slip *slip, double x, Point *point) {
    double sum[4] = {0, 0, 0, 0}, y, z;
    int arrival = curve->kind == CURVE_ARRIVAL;
    powers(curve, x, &y, &z);
    point->x = x;
    point->y = y;
    point->z = z;
    if (y > 0) {
        sums(curve, z, sum);
    }
    if (curve->kind == CURVE_LOGTIME) {
        point->A = z * sum[3];
        curve_state(curve, slip, z * sum[0], z * sum[1], z * sum[2], point);
        double r = norm2(point->gamma);
        point->rates.s[0] = point->gamma[0] / r;
        point->rates.s[1] = point->gamma[1] / r;
        return;
    }
    curve_direction(curve, z, point->rates.s);
    if (curve->kind == CURVE_FADE) {
        const double(*c)[CURVE_TERMS] = curve->c;
        curve_state(curve, slip, c[0][0] - y * sum[0], c[1][0] - y * sum[1], c[2][0] - y * sum[2],
                    point);
        point->A = -curve_work(curve, point) - slip->mu * (c[3][0] - y * y * sum[3]);
        return;
    }
    double by = arrival ? y : z, zz = z * by;
    double N[3] = {by * sum[0], zz * sum[1], z * zz * sum[2]};
    if (arrival) {
        N[0] -= curve->u0 * x;
    }
    curve_state(curve, slip, mapped(curve, 0, N), mapped(curve, 1, N), mapped(curve, 2, N), point);
    if (curve->has_own_work) {
        point->A = curve->a - z * sum[3] - curve->vn * point->p;
    } else {
        double F = arrival ? y * y * sum[3] - curve->f0 * x * (1 + y) / 2 : z * sum[3];
        point->A = -curve_work(curve, point) - slip->mu * (F * curve->square - curve->F);
    }
}

/* dx/dp and its derivative on a line of spinors, where D = |xi|^2. */
static void spinor_pace(const Curve *curve, Point *point) {
    const Spinor *spinor = &curve->spinor;
    const Rates *rates = &point->rates;
    const double *D = spinor->D, *G = spinor->G, *N = spinor->N, z = point->z, y = point->y;
    double size = D[0] + z * (D[1] + z * D[2]), slope = D[1] + 2 * z * D[2];
    double pace = spinor->inverse_k * rates->inverse;
    if (curve->kind == CURVE_REGULAR) {
        /* theta' = g/r, theta_x = k/D; dg/dtheta = -f - across */
        pace *= rates->g;
        point->x1 = size * pace;
        point->x2 = point->x1 * (pace * slope - rates->inverse * (2 * rates->f + rates->across));
    } else if (y > 0) {
        /* the same with D^2 g = G, from which a factor z is taken out, and dz/dx = -z/y */
        double h = G[1] + z * (G[2] + z * (G[3] + z * G[4]));
        double n = N[0] + z * (N[1] + z * (N[2] + z * N[3]));
        double m = G[1] + z * (2 * G[2] + z * (3 * G[3] + z * (4 * G[4])));
        point->x1 = -h * y * pace / size;
        point->x2 = point->x1 * point->x1 * (2 * z * slope / size + (n - m) / h + 1 - curve->q) / y;
    } else {
        point->x1 = -1 / (curve->map[0][0] * curve->u0);
        point->x2 = 0;
    }
}

double curve_speed(const Curve *curve, double y, double z) {
    return y > 0 ? y * curve_series(curve, curve->u, z) : 0;
}

double curve_mismatch(const Slip *slip, const Curve *curve, double r) {
    const Point *last = &curve->last;
    const State *start = &curve->start;
    const double *s = last->rates.s;
    double size = fabs(start->gamma[0]) + fabs(start->gamma[1]) +
                  slip->rate * (last->p + fabs(last->J[0]) + fabs(last->J[1]));
    return (fabs(last->gamma[0] - r * s[0]) + fabs(last->gamma[1] - r * s[1])) / size;
}

void curve_pace(const Curve *curve, Point *point) {
    const Rates *rates = &point->rates;
    if (curve->kind == CURVE_LOGTIME) {
        point->x1 = rates->inverse / curve->time;
        point->x2 = -point->x1 * rates->f * rates->inverse;
    } else if (curve->kind == CURVE_FADE) {
        /* dx/dp = y/(t r), and y' = -x' */
        double level = point->y > 0 ? rates->r / point->y : curve->u[0];
        point->x1 = 1 / (curve->time * level);
        point->x2 = -point->x1 * rates->inverse * (1 / curve->time + rates->f);
    } else {
        spinor_pace(curve, point);
    }
}

void curve_rates(const Curve *curve, const Slip *slip, Point *point) {
    double r = 0;
    if (point->y > 0) {
        r = curve->kind == CURVE_FADE ? curve_speed(curve, point->y, point->z)
                                      : dot2(point->gamma, point->rates.s);
    }
    slip_rates(slip, r, &point->rates);
    curve_pace(curve, point);
}

double curve_locate(const Curve *curve, const double s[2]) {
    if (curve->kind == CURVE_REGULAR || curve->kind == CURVE_ARRIVAL) {
        double xi[2];
        spinor_half(s, xi);
        double z = -cross2(curve->spinor.m0, xi) / cross2(curve->spinor.m1, xi);
        return curve->kind == CURVE_ARRIVAL ? -expm1(log(z) * curve->q) / curve->q : z;
    }
    /* the direction turns one way only: bisection cannot fail */
    double lo = 0, hi = curve->last.z, at[2];
    curve_direction(curve, hi, at);
    double sign = cross2(s, at);
    for (int i = 0; i < 60 && hi > lo; i++) {
        double x = (lo + hi) / 2;
        curve_direction(curve, x, at);
        if (cross2(s, at) * sign > 0) {
            hi = x;
        } else {
            lo = x;
        }
    }
    double z = (lo + hi) / 2;
    return curve->kind == CURVE_FADE ? -expm1(-z) : z;
}
