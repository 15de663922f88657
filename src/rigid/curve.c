/* Evaluation of a curved stretch. */
#include "rigid/curve.h"

#include "rigid/spinor.h"

#include <math.h>

/* The sums of all lanes at z (Horner). */
static void sums(const Curve *curve, double z, double sum[LANE_COUNT]) {
    const double(*c)[LANE_COUNT] = curve->c;
    for (int lane = 0; lane < LANE_COUNT; lane++) {
        sum[lane] = c[curve->order][lane];
    }
    for (int n = curve->order - 1; n >= 0; n--) {
        for (int lane = 0; lane < LANE_COUNT; lane++) {
            sum[lane] = sum[lane] * z + c[n][lane];
        }
    }
}

/* Arrival: the power z of x; exact at the ends. */
static double power(const Curve *curve, double x) {
    return x == 0 || x == 1 ? x : exp(log(x) / curve->q);
}

void curve_at(const Curve *curve, const Slip *slip, double x, Point *point) {
    double sum[LANE_COUNT];
    const State *start = &curve->start;
    if (curve->kind == CURVE_ARRIVAL) {
        sums(curve, power(curve, x), sum);
        sum[LANE_A] = x * (sum[LANE_A] + x * sum[LANE_A2]);
        sum[LANE_F] *= x * x;
        for (int lane = LANE_P; lane <= LANE_JY; lane++) {
            sum[lane] *= x;
        }
        for (int lane = 0; lane < LANE_COUNT; lane++) {
            sum[lane] -= curve->total[lane];
        }
    } else {
        sums(curve, x, sum);
    }
    double p = sum[LANE_P], jx = sum[LANE_JX], jy = sum[LANE_JY];
    point->x = x;
    point->p = p;
    point->J[0] = jx;
    point->J[1] = jy;
    point->A = sum[LANE_A];
    point->F = sum[LANE_F];
    point->gamma[0] = start->gamma[0] + slip->d[0] * p + slip->B[0] * jx + slip->B[1] * jy;
    point->gamma[1] = start->gamma[1] + slip->d[1] * p + slip->B[1] * jx + slip->B[2] * jy;
    point->vn = start->vn + p + slip->d[0] * jx + slip->d[1] * jy;
    point->r = sqrt(dot2(point->gamma, point->gamma));
}

static double quadratic(const double a[3], double x) {
    return a[0] + x * (a[1] + x * a[2]);
}

double curve_slope(const Curve *curve, const Point *point) {
    if (curve->kind == CURVE_LOGTIME) {
        return curve->time * point->r;
    }
    const double *G = curve->G;
    double x = point->x;
    if (curve->kind == CURVE_SPINOR) {
        double g = G[0] + x * (G[1] + x * (G[2] + x * (G[3] + x * G[4])));
        return curve->k * quadratic(curve->D, x) * point->r / g;
    }
    double z = power(curve, x);
    double h = G[1] + z * (G[2] + z * (G[3] + z * G[4]));
    return curve->k * quadratic(curve->D, z) * (point->r / x) / (h * curve->q);
}

static double series(const double *c, int order, double x) {
    double sum = c[order];
    for (int n = order - 1; n >= 0; n--) {
        sum = sum * x + c[n];
    }
    return sum;
}

void curve_direction(const Curve *curve, double x, double s[2]) {
    if (curve->kind == CURVE_LOGTIME) {
        s[0] = series(curve->direction[0], curve->order, x);
        s[1] = series(curve->direction[1], curve->order, x);
        return;
    }
    double z = curve->kind == CURVE_ARRIVAL ? power(curve, x) : x;
    double a = curve->m0[0] + z * curve->m1[0], b = curve->m0[1] + z * curve->m1[1];
    double norm = a * a + b * b;
    s[0] = (a * a - b * b) / norm;
    s[1] = 2 * a * b / norm;
}

double curve_locate(const Curve *curve, const double s[2]) {
    if (curve->kind != CURVE_LOGTIME) {
        double xi[2];
        spinor_half(s, xi);
        double z = -cross2(curve->m0, xi) / cross2(curve->m1, xi);
        return curve->kind == CURVE_ARRIVAL ? exp(log(z) * curve->q) : z;
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
