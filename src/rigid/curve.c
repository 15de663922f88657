/* Evaluation of a curved stretch. */
#include "rigid/curve.h"

#include "rigid/spinor.h"

#include <math.h>

/* The sums of all lanes at z from order `first` on, over z^first: Horner in z^2, odd and even terms
 * side by side for speed. */
static Lanes sums(const Curve *curve, int first, double z) {
    const Lanes *c = curve->c;
    Lanes even = lanes_make(0, 0, 0, 0), odd = even;
    double zz = z * z;
    int n = curve->order;
    if ((n - first) % 2 == 0) {
        even = c[n--];
    }
    for (; n > first; n -= 2) {
        odd = lanes_add(lanes_scale(odd, zz), c[n]);
        even = lanes_add(lanes_scale(even, zz), c[n - 1]);
    }
    return lanes_add(even, lanes_scale(odd, z));
}

static double series(const double *c, int order, double x) {
    double even = 0, odd = 0, xx = x * x;
    int n = order;
    if (n % 2 == 0) {
        even = c[n--];
    }
    for (; n > 0; n -= 2) {
        odd = odd * xx + c[n];
        even = even * xx + c[n - 1];
    }
    return even + x * odd;
}

/* Arrival: y = z^q and z at x; exact at the end of a centripetal one. */
static void powers(const Curve *curve, double x, double *y, double *z) {
    double q = curve->q;
    int zero = curve->arrives && x >= curve->end;
    *y = zero ? 0 : 1 - q * x;
    *z = zero ? 0 : exp(log1p(-q * x) / q);
}

void curve_point(const Curve *curve, const Slip *slip, double x, const Lanes *lanes, Point *point) {
    const State *start = &curve->start;
    double p = lanes->lo[0], jx = lanes->lo[1], jy = lanes->hi[0];
    point->x = x;
    point->p = p;
    point->J[0] = jx;
    point->J[1] = jy;
    point->A = lanes->hi[1];
    point->gamma[0] = start->gamma[0] + slip->d[0] * p + (slip->B[0] * jx + slip->B[1] * jy);
    point->gamma[1] = start->gamma[1] + slip->d[1] * p + (slip->B[1] * jx + slip->B[2] * jy);
    point->vn = start->vn + p + (slip->d[0] * jx + slip->d[1] * jy);
    point->r = norm2(point->gamma);
}

static Lanes arrival_lanes(const Curve *curve, double x) {
    double y, z;
    powers(curve, x, &y, &z);
    Lanes lanes = lanes_subtract(lanes_scale(sums(curve, 1, z), y * z), curve->total);
    lanes = lanes_subtract(lanes, lanes_scale(curve->c[0], x));
    double p = lanes.lo[0], c0 = curve->c[0].lo[0];
    lanes.hi[1] = -curve->vn * p + curve->v0 * x * (p + c0 * x / 2 + curve->total.lo[0]) +
                  (y * y * series(curve->a2, curve->order, z) - curve->total_a);
    return lanes;
}

void curve_at(const Curve *curve, const Slip *slip, double x, Point *point) {
    Lanes lanes = curve->kind == CURVE_ARRIVAL ? arrival_lanes(curve, x) : sums(curve, 0, x);
    curve_point(curve, slip, x, &lanes, point);
}

double curve_friction(const Curve *curve, double x) {
    if (curve->kind != CURVE_ARRIVAL) {
        return series(curve->f, curve->order, x) - curve->total_f;
    }
    double y, z;
    powers(curve, x, &y, &z);
    double rest = series(curve->f, curve->order, z) - curve->f[0];
    return -curve->f[0] * x * (1 + y) / 2 + y * y * rest - curve->total_f;
}

void curve_slope(const Curve *curve, const Slip *slip, const Point *point, double *first,
                 double *second) {
    double r = point->r, x = point->x;
    if (curve->kind == CURVE_LOGTIME) {
        double rate[2];
        double s[2] = {point->gamma[0] / r, point->gamma[1] / r};
        slip_rate(slip, s, rate);
        *first = curve->time * r;
        *second = curve->time * dot2(s, rate);
        return;
    }
    /* d log(dp/dz)/dz = 2 D'/D + P/G; for an arrival dz/dx = -z/y, and G has a factor z */
    const double *D = curve->spinor.D, *G = curve->spinor.G, *P = curve->spinor.P;
    double y = 1, z = x;
    if (curve->kind == CURVE_ARRIVAL) {
        powers(curve, x, &y, &z);
    }
    double d = D[0] + z * (D[1] + z * D[2]), dd = D[1] + 2 * z * D[2];
    double h = G[1] + z * (G[2] + z * (G[3] + z * G[4]));
    double pp = P[0] + z * (P[1] + z * (P[2] + z * P[3]));
    if (curve->kind == CURVE_ARRIVAL) {
        *first = -curve->spinor.k * d * r / (h * y);
        *second = -(2 * z * dd / d + pp / h + 1 - curve->q) / y;
        return;
    }
    double g = G[0] + z * h;
    *first = curve->spinor.k * d * r / g;
    *second = 2 * dd / d + pp / g;
}

void curve_direction(const Curve *curve, double x, double s[2]) {
    if (curve->kind == CURVE_LOGTIME) {
        s[0] = series(curve->direction[0], curve->order, x);
        s[1] = series(curve->direction[1], curve->order, x);
        return;
    }
    const double *m0 = curve->spinor.m0, *m1 = curve->spinor.m1;
    double y, z = x;
    if (curve->kind == CURVE_ARRIVAL) {
        powers(curve, x, &y, &z);
    }
    double a = m0[0] + z * m1[0], b = m0[1] + z * m1[1];
    double inverse = 1 / (a * a + b * b);
    s[0] = (a * a - b * b) * inverse;
    s[1] = 2 * a * b * inverse;
}

double curve_locate(const Curve *curve, const double s[2]) {
    if (curve->kind != CURVE_LOGTIME) {
        double xi[2];
        spinor_half(s, xi);
        double z = -cross2(curve->spinor.m0, xi) / cross2(curve->spinor.m1, xi);
        return curve->kind == CURVE_ARRIVAL ? -expm1(log(z) * curve->q) / curve->q : z;
    }
    /* the direction turns one way only: bisection cannot fail */
    double lo = 0, hi = curve->end, at[2];
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
    return (lo + hi) / 2;
}
