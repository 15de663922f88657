/* Slip in log-time: the safe expansion.
 *
 * With dp = r dsigma the slip is a polynomial system, regular even as r -> 0:
 *   s' = g s_perp, r' = f r, p' = r, J' = -mu r s, A' = -v_n r, F' = r^2,
 *   f = s.(d - mu B s), g = s_perp.(d - mu B s).
 * Taylor coefficients by products of series, O(order^2). No invariant direction is needed and no
 * case is special, which is why every other expansion falls back on this one. */
#include "rigid/slip_series.h"

#include <math.h>

#include "math/series.h"

typedef struct Work {
    SlipSeries slip;
    double vn[SLIP_ORDER + 1], friction[SLIP_ORDER];
} Work;

/* From the coefficients up to n, those of order n + 1. */
static void extend(const Slip *slip, Work *w, Curve *curve, int n) {
    const double *r = w->slip.r;
    double step = curve->time / (n + 1), p = step * r[n];
    slip_series_extend(slip, &w->slip, n);
    double jx = -slip->mu * step * series_product(r, w->slip.s[0], n);
    double jy = -slip->mu * step * series_product(r, w->slip.s[1], n);
    double lanes[4] = {p, jx, jy, -step * series_product(r, w->vn, n)};
    for (int i = 0; i < 4; i++) {
        curve->c[i][n] = lanes[i];
    }
    w->friction[n] = step * series_product(r, r, n);
    w->vn[n + 1] = p + slip->d[0] * jx + slip->d[1] * jy;
}

/* How far the series are good: their last coefficients must not count. F and A hold products of two
 * others and converge last. */
static double reach(const Work *w) {
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

void curve_logtime(const Slip *slip, const State *start, Curve *curve) {
    Work w;
    curve_begin(curve, CURVE_LOGTIME, start, 0);
    curve->has_own_work = 1;
    curve->terms = SLIP_ORDER;
    curve->time = w.slip.time = 1 / slip->rate;
    w.slip.fading = 0;
    slip_series_begin(&w.slip, start->gamma, norm2(start->gamma));
    w.vn[0] = start->vn;
    for (int n = 0; n < SLIP_ORDER; n++) {
        extend(slip, &w, curve, n);
    }
    slip_series_direction(&w.slip, SLIP_ORDER, curve);
    /* where r falls like e^-x its series cancels: two digits are enough to lose. Where it grows,
     * keep overflow away */
    double rate = w.slip.f[0] * curve->time;
    curve->end = least_of(reach(&w), rate < -0.05 ? -2 / rate : 40);
    curve->mismatch = 0;
    curve_finish(slip, curve);
}
