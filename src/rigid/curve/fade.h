/* Fade: slip that decays before it turns, expanded with the decay taken out.
 *
 * Where r' = f < 0 is large beside g and its changes, as next to isotropic B, the direction hardly
 * changes while the slip falls by decades. With z = -f_0 sigma (sigma: log-time, dp = r dsigma),
 * r = r_0 e^-z rho(z), and with ' = d/dz and t = -1/f_0
 *
 *   s' = t g s_perp,  rho' = (t f + 1) rho,  p' = t r_0 e^-z rho,  J' = -mu s p',
 *   F' = t r_0^2 e^-2z rho^2.
 *
 * s and rho are power series. The integrals are e^-z or e^-2z times one, too: if
 * p = c(0) - e^-z c(z), then c - c' is the series of t r_0 rho, so that
 * c_n = t r_0 rho_n + (n + 1) c_(n+1), from the last one down. Their terms contain n! rho_n; where
 * these fall below rounding the stretch reaches zero slip. The parameter is x = 1 - y, y = e^-z. */
#ifndef CAROM_RIGID_FADE_H
#define CAROM_RIGID_FADE_H

#include "math/functions.h"
#include "rigid/curve/four_series.h"
#include "rigid/curve/slip_series.h"
#include "rigid/curve/span.h"

/* e^-z at this z is negligible. */
#define FADE_ALL 40.0

typedef struct FadeCurve {
    CurveSpan span;
    FourSeries series;    /* p, J, F */
    double r[SLIP_TERMS]; /* r_0 rho */
    DirectionSeries direction;
    double time; /* t */
} FadeCurve;

/* The points at x, with direction and speed of slip. */
static inline void fade_at(const FadeCurve *curve, const Slip *slip, Pair x, PointPair *at) {
    const double(*c)[CURVE_TERMS] = curve->series.c;
    int terms = curve->series.terms;
    double r[2];
    Pair sum[4];
    at->x = x;
    for (int i = 0; i < 2; i++) {
        int zero = curve->span.ending == CURVE_STOPS && LANE(x, i) >= curve->span.end;
        double y = zero ? 0 : 1 - LANE(x, i), z = zero ? FADE_ALL : -log1p(-LANE(x, i));
        LANE(at->y, i) = y;
        LANE(at->z, i) = z;
        r[i] = y > 0 ? y * series_at(curve->r, terms, z) : 0;
    }
    Pair y = at->y, speed = pair_load(r);
    four_series_at(&curve->series, at->z, sum);
    /* at zero slip z = FADE_ALL, where the series mean nothing */
    for (int i = 0; i < 4; i++) {
        sum[i] = pair_where(y, 0, sum[i]);
    }
    direction_at(&curve->direction, at->z, at->rates.s);
    span_state(&curve->span, slip, pair_minus(both(c[0][0]), pair_times(y, sum[0])),
               pair_minus(both(c[1][0]), pair_times(y, sum[1])),
               pair_minus(both(c[2][0]), pair_times(y, sum[2])), at);
    at->A = pair_minus(pair_negate(span_work(&curve->span, at)),
                       pair_times(both(slip->mu),
                                  pair_minus(both(c[3][0]), pair_times(pair_times(y, y), sum[3]))));
    at->rates.r = speed;
    at->rates.inverse = pair_where(speed, 0, pair_over(both(1), speed));
}

/* dx/dp = y/(t r) and its derivative; y' = -x'. */
static inline void fade_pace(const FadeCurve *curve, PointPair *at) {
    const Rates *rates = &at->rates;
    double last = 1 / (curve->time * curve->r[0]);
    for (int i = 0; i < 2; i++) {
        double y = LANE(at->y, i);
        LANE(at->x1, i) = y > 0 ? y * LANE(rates->inverse, i) / curve->time : last;
    }
    at->x2 = pair_times(pair_times(pair_negate(at->x1), rates->inverse),
                        pair_plus(both(1 / curve->time), rates->f));
}

static inline double fade_locate(const FadeCurve *curve, const double s[2]) {
    const CurvePoint *last = &curve->span.last;
    return -expm1(-direction_locate(&curve->direction, s, last->z, last->s));
}

/* The shortest z worth a stretch. */
static const double FADE_LEAST = 1.5;

/* All coefficients above rounding. Returns their number; *far is the z up to which they suffice, 0
 * if they would cancel. */
static int fade_terms(const Slip *slip, SlipSeries *w, double *far) {
    const double none = 1e-16;
    double factorial = 1, last = 1;
    *far = INFINITY;
    for (int n = 1; n <= SLIP_ORDER; n++) {
        slip_series_extend(slip, w, n - 1);
        double size = fabs(w->s[0][n]) + fabs(w->s[1][n]) + fabs(w->r[n] / w->r[0]);
        factorial *= n;
        if (factorial * size > 3) {
            *far = 0;
            return n + 1;
        }
        if (factorial * size < none && last < none) {
            return n + 1;
        }
        if (n >= SLIP_ORDER - 1) {
            *far = least_of(*far, exp(log(none / size) / n));
        }
        last = factorial * size;
    }
    return SLIP_ORDER + 1;
}

/* The series c with m c - c' = a. */
static void integrate_faded(const double *a, int count, double m, double *c) {
    double sum = 0;
    for (int n = count - 1; n >= 0; n--) {
        sum = (a[n] + (n + 1) * sum) / m;
        c[n] = sum;
    }
}

/* Expansion of slip that starts now with speed r and r' = f < 0. Returns 0 and leaves *curve
 * unusable if the terms cancel, reach too short or fail the check. */
static int fade_make(const Impact *impact, double r, double f, FadeCurve *curve) {
    const Slip *slip = &impact->slip;
    CurveSpan *span = &curve->span;
    FourSeries *series = &curve->series;
    SlipSeries w = {.time = -1 / f, .fading = 1};
    PointPair last;
    double far, a[4][SLIP_TERMS] = {{0}};
    slip_series_begin(&w, impact->now.gamma, r);
    int count = fade_terms(slip, &w, &far);
    if (far < FADE_LEAST) {
        return 0;
    }
    span_begin(span, &impact->now, 0);
    series->terms = (count + 3) & ~3;
    curve->time = w.time;
    for (int n = 0; n < count; n++) {
        a[0][n] = w.time * w.r[n];
        a[1][n] = -slip->mu * w.time * series_product(w.r, w.s[0], n);
        a[2][n] = -slip->mu * w.time * series_product(w.r, w.s[1], n);
        a[3][n] = w.time * series_product(w.r, w.r, n);
    }
    for (int i = 0; i < 4; i++) {
        integrate_faded(a[i], series->terms, i < 3 ? 1 : 2, series->c[i]);
    }
    for (int n = 0; n < series->terms; n++) {
        curve->r[n] = n < count ? w.r[n] : 0;
    }
    direction_keep(&w, count, &curve->direction);
    span->ending = far < FADE_ALL ? CURVE_GOES_ON : CURVE_STOPS;
    span->end = far < FADE_ALL ? -expm1(-far) : 1;
    fade_at(curve, slip, both(span->end), &last);
    span_point(span, &last, 0, &span->last);
    Fraction off = span_mismatch(span, slip, LANE(last.rates.r, 0));
    span->mismatch = off.above / off.below;
    return span->mismatch <= CURVE_AGREES;
}

#endif
