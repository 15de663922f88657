/* Slip that dies away before it turns: an expansion with the decay taken out.
 *
 * Where r' = f < 0 is large beside g and its changes, as next to isotropic B, the direction all but
 * stays while the slip falls by any number of decades. With z = -f_0 sigma (sigma: log-time,
 * dp = r dsigma) r = r_0 e^-z rho(z), and with ' = d/dz and t = -1/f_0
 *
 *   s' = t g s_perp,  rho' = (t f + 1) rho,  p' = t r_0 e^-z rho,  J' = -mu s p',
 *   F' = t r_0^2 e^-2z rho^2.
 *
 * s and rho are power series. The integrals are e^-z or e^-2z times one, too: if
 * p = c(0) - e^-z c(z), then c - c' is the series of t r_0 rho, so that
 * c_n = t r_0 rho_n + (n + 1) c_(n+1), from the last one down. Their terms hold n! rho_n; where
 * these fall below rounding the stretch goes on to zero slip. */
#include "rigid/slip_series.h"

#include <math.h>

#include "math/series.h"

/* All coefficients that count. Returns how many, and the z up to which they do, 0 if they would
 * cancel. */
static int make_terms(const Slip *slip, SlipSeries *w, double *far) {
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

int curve_fade(const Slip *slip, const State *start, double r, double f, Curve *curve) {
    SlipSeries w = {.time = -1 / f, .fading = 1};
    double far, a[4][SLIP_ORDER + 4] = {{0}};
    slip_series_begin(&w, start->gamma, r);
    int count = make_terms(slip, &w, &far);
    if (far < FADE_LEAST) {
        return 0;
    }
    curve_begin(curve, CURVE_FADE, start, 0);
    curve->terms = (count + 3) & ~3;
    curve->time = w.time;
    for (int n = 0; n < count; n++) {
        a[0][n] = w.time * w.r[n];
        a[1][n] = -slip->mu * w.time * series_product(w.r, w.s[0], n);
        a[2][n] = -slip->mu * w.time * series_product(w.r, w.s[1], n);
        a[3][n] = w.time * series_product(w.r, w.r, n);
    }
    for (int i = 0; i < 4; i++) {
        integrate_faded(a[i], curve->terms, i < 3 ? 1 : 2, curve->c[i]);
    }
    for (int n = 0; n < curve->terms; n++) {
        curve->u[n] = n < count ? w.r[n] : 0;
    }
    slip_series_direction(&w, count, curve);
    curve->ending = far < FADE_ALL ? CURVE_GOES_ON : CURVE_STOPS;
    curve->end = far < FADE_ALL ? -expm1(-far) : 1;
    curve_finish(slip, curve);
    Fraction off = curve_mismatch(slip, curve, curve_speed(curve, curve->last.y, curve->last.z));
    curve->mismatch = off.above / off.below;
    return curve->mismatch <= CURVE_AGREES;
}
