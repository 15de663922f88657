/* Evaluation of a curved stretch. */
#include "rigid/curve.h"

#include "rigid/spinor.h"

#include <math.h>

/* The four series of a curve at z: Horner in z^4, with four terms of each side by side. */
static void sums(const Curve *curve, double z, double out[4]) {
    const Pair(*c)[CURVE_TERMS / 2] = curve->c;
    double z2 = z * z, z4 = z2 * z2;
    Pair low[4], high[4], zz = both(z2), zzzz = both(z4);
    int n = curve->pairs - 1;
    for (int i = 0; i < 4; i++) {
        low[i] = n % 2 ? c[i][n - 1] : c[i][n];
        high[i] = n % 2 ? c[i][n] : both(0);
    }
    for (n = (n & ~1) - 2; n >= 0; n -= 2) {
        for (int i = 0; i < 4; i++) {
            low[i] = low[i] * zzzz + c[i][n];
            high[i] = high[i] * zzzz + c[i][n + 1];
        }
    }
    for (int i = 0; i < 4; i++) {
        Pair sum = low[i] + high[i] * zz;
        out[i] = sum[0] + z * sum[1];
    }
}

double curve_series(const Curve *curve, const Pair *c, double z) {
    Pair sum = {0, 0};
    for (int n = curve->pairs - 1; n >= 0; n--) {
        sum = sum * (z * z) + c[n];
    }
    return sum[0] + z * sum[1];
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
        return;
    }
    if (curve->kind == CURVE_FADE) {
        const Pair(*c)[CURVE_TERMS / 2] = curve->c;
        curve_state(curve, slip, c[0][0][0] - y * sum[0], c[1][0][0] - y * sum[1],
                    c[2][0][0] - y * sum[2], point);
        point->A = -curve_work(curve, point) - slip->mu * (c[3][0][0] - y * y * sum[3]);
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

/* dx/dp and its derivative on a line of spinors; at the point D = |xi|^2. */
static void spinor_rates(const Curve *curve, const Point *point, double D, double inverse_D,
                         Rates *rates) {
    const Spinor *spinor = &curve->spinor;
    double z = point->z, y = point->y, bend = (spinor->D[1] + 2 * z * spinor->D[2]) * inverse_D;
    if (curve->kind == CURVE_REGULAR) {
        /* theta' = g/r, theta_x = k/D; dg/dtheta = -f - across */
        rates->x1 = D * spinor->inverse_k * rates->g * rates->inverse;
        rates->x2 =
            rates->x1 * (rates->x1 * bend - rates->inverse * (2 * rates->f + rates->across));
        return;
    }
    /* the same with D^2 g = G, from which a factor z is taken out, and dz/dx = -z/y */
    const double *G = spinor->G, *P = spinor->P;
    double h = G[1] + z * (G[2] + z * (G[3] + z * G[4]));
    double pp = P[0] + z * (P[1] + z * (P[2] + z * P[3]));
    rates->x1 = -h * y * inverse_D * spinor->inverse_k * rates->inverse;
    rates->x2 = rates->x1 * rates->x1 * (2 * z * bend + pp / h + 1 - curve->q) / y;
    if (y == 0) {
        rates->x1 = -1 / (curve->map[0][0] * curve->u0);
        rates->x2 = 0;
    }
}

double curve_speed(const Curve *curve, double y, double z) {
    return y * curve_series(curve, curve->u, z);
}

double curve_mismatch(const Slip *slip, const Curve *curve, double r) {
    double s[2];
    const Point *last = &curve->last;
    const State *start = &curve->start;
    curve_direction(curve, last->z, s);
    double size = fabs(start->gamma[0]) + fabs(start->gamma[1]) +
                  slip->rate * (last->p + fabs(last->J[0]) + fabs(last->J[1]));
    return (fabs(last->gamma[0] - r * s[0]) + fabs(last->gamma[1] - r * s[1])) / size;
}

void curve_rates(const Curve *curve, const Slip *slip, Point *point) {
    Rates *rates = &point->rates;
    const double *b = slip->b, *d = slip->d, *m0 = curve->spinor.m0, *m1 = curve->spinor.m1;
    double s[2], rate[2], D = 1, inverse_D = 1;
    if (curve->kind == CURVE_LOGTIME) {
        rates->r = norm2(point->gamma);
        s[0] = point->gamma[0] / rates->r;
        s[1] = point->gamma[1] / rates->r;
    } else if (curve->kind == CURVE_FADE) {
        curve_direction(curve, point->z, s);
        rates->r = point->y > 0 ? curve_speed(curve, point->y, point->z) : 0;
    } else {
        double m = m0[0] + point->z * m1[0], n = m0[1] + point->z * m1[1];
        D = m * m + n * n;
        inverse_D = 1 / D;
        s[0] = (m * m - n * n) * inverse_D;
        s[1] = 2 * m * n * inverse_D;
        rates->r = point->y > 0 ? dot2(point->gamma, s) : 0;
    }
    slip_rate(slip, s, rate);
    double along = dot2(s, d), aside = cross2(s, d);
    rates->s[0] = s[0];
    rates->s[1] = s[1];
    rates->inverse = rates->r > 0 ? 1 / rates->r : 0;
    rates->f = dot2(s, rate);
    rates->g = cross2(s, rate);
    rates->a = 1 - slip->mu * along;
    rates->da = -slip->mu * aside * rates->g * rates->inverse;
    rates->across = rates->f + (b[0] + b[2] - along);
    if (curve->kind == CURVE_LOGTIME) {
        rates->x1 = rates->inverse / curve->time;
        rates->x2 = -rates->x1 * rates->f * rates->inverse;
    } else if (curve->kind == CURVE_FADE) {
        /* dx/dp = y/(t r), and y' = -x' */
        double level = point->y > 0 ? rates->r / point->y : curve->u[0][0];
        rates->x1 = 1 / (curve->time * level);
        rates->x2 = -rates->x1 * rates->inverse * (1 / curve->time + rates->f);
    } else {
        spinor_rates(curve, point, D, inverse_D, rates);
    }
}

void curve_direction(const Curve *curve, double z, double s[2]) {
    if (curve->kind == CURVE_LOGTIME || curve->kind == CURVE_FADE) {
        s[0] = s[1] = 0;
        for (int n = 2 * curve->pairs - 1; n >= 0; n--) {
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
