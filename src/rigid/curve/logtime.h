/* Log-time: the expansion that suits every slip.
 *
 * With dp = r dsigma the slip is a polynomial system, regular even as r -> 0:
 *   s' = g s_perp, r' = f r, p' = r, J' = -mu r s, A' = -v_n r, F' = r^2,
 *   f = s.(d - mu B s), g = s_perp.(d - mu B s).
 * Taylor coefficients by products of series, O(order^2). No invariant direction is needed and no
 * case is special; it is slower and reaches less far than the other expansions. The parameter is
 * x = z = sigma/time; p, J and A are x times a series each. */
#ifndef CAROM_RIGID_LOGTIME_H
#define CAROM_RIGID_LOGTIME_H

#include "math/functions.h"
#include "rigid/curve/four_series.h"
#include "rigid/curve/slip_series.h"
#include "rigid/curve/span.h"

typedef struct LogtimeCurve {
    CurveSpan span;
    FourSeries series; /* p, J, A */
    DirectionSeries direction;
    double time; /* sigma of x = 1 */
} LogtimeCurve;

/* The points at x, with direction and speed of slip. */
static inline void logtime_at(const LogtimeCurve *curve, const Slip *slip, Pair x, PointPair *at) {
    Rates *rates = &at->rates;
    Pair sum[4];
    four_series_at(&curve->series, x, sum);
    at->x = at->z = x;
    at->y = both(1);
    at->A = pair_times(x, sum[3]);
    span_state(&curve->span, slip, pair_times(x, sum[0]), pair_times(x, sum[1]),
               pair_times(x, sum[2]), at);
    for (int i = 0; i < 2; i++) {
        double gamma[2] = {LANE(at->gamma[0], i), LANE(at->gamma[1], i)}, r = norm2(gamma);
        LANE(rates->s[0], i) = gamma[0] / r;
        LANE(rates->s[1], i) = gamma[1] / r;
        LANE(rates->r, i) = r;
        LANE(rates->inverse, i) = 1 / r;
    }
}

/* dx/dp = 1/(r time) and its derivative. */
static inline void logtime_pace(const LogtimeCurve *curve, PointPair *at) {
    at->x1 = pair_over(at->rates.inverse, both(curve->time));
    at->x2 = pair_times(pair_times(pair_negate(at->x1), at->rates.f), at->rates.inverse);
}

static inline double logtime_locate(const LogtimeCurve *curve, const double s[2]) {
    const CurvePoint *last = &curve->span.last;
    return direction_locate(&curve->direction, s, last->z, last->s);
}

typedef struct LogtimeTerms {
    SlipSeries slip;
    double vn[SLIP_ORDER + 1], friction[SLIP_ORDER];
} LogtimeTerms;

/* From the coefficients up to n, those of order n + 1. */
static void logtime_extend(const Slip *slip, LogtimeTerms *w, LogtimeCurve *curve, int n) {
    const double *r = w->slip.r;
    double step = curve->time / (n + 1), p = step * r[n];
    slip_series_extend(slip, &w->slip, n);
    double jx = -slip->mu * step * series_product(r, w->slip.s[0], n);
    double jy = -slip->mu * step * series_product(r, w->slip.s[1], n);
    double lanes[4] = {p, jx, jy, -step * series_product(r, w->vn, n)};
    for (int i = 0; i < 4; i++) {
        curve->series.c[i][n] = lanes[i];
    }
    w->friction[n] = step * series_product(r, r, n);
    w->vn[n + 1] = p + slip->d[0] * jx + slip->d[1] * jy;
}

/* The x up to which the last coefficients are negligible. F and A contain products of two series
 * and converge last. */
static double logtime_reach(const LogtimeTerms *w) {
    const double tolerance = 1e-18, *r = w->slip.r;
    double x = INFINITY;
    for (int n = SLIP_ORDER - 2; n <= SLIP_ORDER - 1; n++) {
        double s = most_of(fabs(w->slip.s[0][n]), fabs(w->slip.s[1][n]));
        double f = fabs(w->friction[n - 1] / w->friction[0]);
        double size = most_of(s, most_of(fabs(r[n] / r[0]), f));
        if (size > 0) {
            x = least_of(x, exp(log(tolerance / size) / n));
        }
    }
    return x;
}

static void logtime_make(const Impact *impact, LogtimeCurve *curve) {
    const Slip *slip = &impact->slip;
    CurveSpan *span = &curve->span;
    LogtimeTerms w;
    PointPair last;
    span_begin(span, &impact->now, 0);
    curve->series.terms = SLIP_ORDER;
    curve->time = w.slip.time = 1 / slip->rate;
    w.slip.fading = 0;
    slip_series_begin(&w.slip, impact->now.gamma, norm2(impact->now.gamma));
    w.vn[0] = impact->now.vn;
    for (int n = 0; n < SLIP_ORDER; n++) {
        logtime_extend(slip, &w, curve, n);
    }
    direction_keep(&w.slip, SLIP_ORDER, &curve->direction);
    /* where r falls like e^-x its series cancels: allow a loss of two digits. Where it grows, keep
     * overflow away */
    double rate = w.slip.f[0] * curve->time;
    span->end = least_of(logtime_reach(&w), rate < -0.05 ? -2 / rate : 40);
    span->mismatch = 0;
    logtime_at(curve, slip, both(span->end), &last);
    span_point(span, &last, 0, &span->last);
}

#endif
