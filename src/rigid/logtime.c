/* Slip in log-time: the safe expansion.
 *
 * With dp = r dsigma the slip is a polynomial system, regular even as r -> 0:
 *   s' = g s_perp, r' = f r, p' = r, J' = -mu r s, A' = -v_n r, F' = r^2,
 *   f = s.(d - mu B s), g = s_perp.(d - mu B s).
 * Taylor coefficients by products of series, O(order^2). No invariant direction is needed and no
 * case is special, which is why every other expansion falls back on this one. */
#include "rigid/curve.h"

#include <math.h>

#include "math/series.h"

#define ORDER 24

typedef struct Work {
    double s[2][ORDER + 1], rate[2][ORDER + 1]; /* s, d - b s */
    double f[ORDER + 1], g[ORDER + 1], r[ORDER + 1];
    double vn[ORDER + 1], friction[ORDER];
} Work;

/* From the coefficients up to n, those of order n + 1. */
static void extend(const Slip *slip, Work *w, Curve *curve, int n) {
    const double *b = slip->b;
    double time = curve->time, step = time / (n + 1);
    w->rate[0][n] = -b[0] * w->s[0][n] - b[1] * w->s[1][n] + (n == 0 ? slip->d[0] : 0);
    w->rate[1][n] = -b[1] * w->s[0][n] - b[2] * w->s[1][n] + (n == 0 ? slip->d[1] : 0);
    w->f[n] = series_product(w->s[0], w->rate[0], n) + series_product(w->s[1], w->rate[1], n);
    w->g[n] = series_product(w->s[0], w->rate[1], n) - series_product(w->s[1], w->rate[0], n);
    double p = step * w->r[n];
    double jx = -slip->mu * step * series_product(w->r, w->s[0], n);
    double jy = -slip->mu * step * series_product(w->r, w->s[1], n);
    w->friction[n] = step * series_product(w->r, w->r, n);
    double lanes[4] = {p, jx, jy, -step * series_product(w->r, w->vn, n)};
    for (int i = 0; i < 4; i++) {
        curve->c[i][n / 2][n % 2] = lanes[i];
    }
    w->s[0][n + 1] = -step * series_product(w->g, w->s[1], n);
    w->s[1][n + 1] = step * series_product(w->g, w->s[0], n);
    w->r[n + 1] = step * series_product(w->f, w->r, n);
    w->vn[n + 1] = p + slip->d[0] * jx + slip->d[1] * jy;
}

/* How far the series are good: their last coefficients must not count. F and A hold products of two
 * others and converge last. */
static double reach(const Work *w) {
    const double tolerance = 1e-18;
    double x = INFINITY;
    for (int n = ORDER - 2; n <= ORDER - 1; n++) {
        double s = most_of(fabs(w->s[0][n]), fabs(w->s[1][n]));
        double r = fabs(w->r[n] / w->r[0]), f = fabs(w->friction[n - 1] / w->friction[0]);
        double size = most_of(s, most_of(r, f));
        if (size > 0) {
            x = least_of(x, exp(log(tolerance / size) / n));
        }
    }
    return x;
}

void curve_logtime(const Slip *slip, const State *start, Curve *curve) {
    Work w;
    double r = norm2(start->gamma);
    curve->kind = CURVE_LOGTIME;
    curve->has_own_work = 1;
    curve->arrives = 0;
    curve->start = *start;
    curve->pairs = ORDER / 2;
    curve->time = 1 / slip->rate;
    w.s[0][0] = start->gamma[0] / r;
    w.s[1][0] = start->gamma[1] / r;
    w.r[0] = r;
    w.vn[0] = start->vn;
    for (int n = 0; n < ORDER; n++) {
        extend(slip, &w, curve, n);
    }
    for (int n = 0; n < ORDER; n++) {
        curve->direction[0][n] = w.s[0][n];
        curve->direction[1][n] = w.s[1][n];
    }
    curve->begin = 0;
    curve->z = 0;
    curve->y = 1;
    /* where r falls like e^-x its series cancels: two digits are enough to lose. Where it grows,
     * keep overflow away */
    double rate = w.f[0] * curve->time;
    curve->end = least_of(reach(&w), rate < -0.05 ? -2 / rate : 40);
    curve->mismatch = 0;
    curve_at(curve, slip, curve->end, &curve->last);
}
