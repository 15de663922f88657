/* Evaluation of a curved stretch. */
#include "rigid/points.h"

#include "rigid/spinor.h"

#include <math.h>

double curve_series(const Curve *curve, const double *c, double z) {
    Quad sum = quad_all(0), z4, powers = quad_powers(z, &z4);
    for (int n = curve->terms - 4; n >= 0; n -= 4) {
        sum = quad_join(sum, z4, quad_load(c + n));
    }
    return quad_sum(quad_times(sum, powers));
}

double curve_speed(const Curve *curve, double y, double z) {
    return y > 0 ? y * curve_series(curve, curve->u, z) : 0;
}

Fraction curve_mismatch(const Slip *slip, const Curve *curve, double r) {
    const Point *last = &curve->last;
    const State *start = &curve->start;
    double size = fabs(start->gamma[0]) + fabs(start->gamma[1]) +
                  slip->rate * (last->p + fabs(last->J[0]) + fabs(last->J[1]));
    return (Fraction){fabs(last->gamma[0] - r * last->s[0]) + fabs(last->gamma[1] - r * last->s[1]),
                      size};
}

void curve_finish(const Slip *slip, Curve *curve) {
    Points last;
    curve_at(curve, slip, both(curve->end), &last);
    curve_point(curve, &last, 0, &curve->last);
}

double curve_locate(const Curve *curve, const double s[2]) {
    if (curve->kind == CURVE_REGULAR || curve->kind == CURVE_ARRIVAL) {
        double xi[2];
        spinor_half(s, xi);
        double z = -cross2(curve->spinor.m0, xi) / cross2(curve->spinor.m1, xi);
        return curve->kind == CURVE_ARRIVAL ? -expm1(log(z) * curve->q) / curve->q : z;
    }
    /* the direction turns one way only: bisection cannot fail */
    double lo = 0, hi = curve->last.z, sign = cross2(s, curve->last.s);
    for (int i = 0; i < 60 && hi > lo; i++) {
        double x = (lo + hi) / 2;
        Pair at[2];
        curve_direction(curve, both(x), at);
        if ((s[0] * at[1][0] - s[1] * at[0][0]) * sign > 0) {
            hi = x;
        } else {
            lo = x;
        }
    }
    double z = (lo + hi) / 2;
    return curve->kind == CURVE_FADE ? -expm1(-z) : z;
}
