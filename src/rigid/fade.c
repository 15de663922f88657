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
#include "rigid/curve.h"

#include <math.h>

#include "math/series.h"

#define ORDER 24

typedef struct Work {
    double s[2][ORDER + 1], rate[2][ORDER + 1]; /* s, t (d - b s) */
    double grow[ORDER + 1], turn[ORDER + 1];    /* t f + 1, t g */
    double rho[ORDER + 1];
} Work;

/* From the coefficients up to n, those of order n + 1; the larger of them. */
static double extend(const Slip *slip, double time, Work *w, int n) {
    const double *b = slip->b;
    double first = n == 0, step = 1.0 / (n + 1);
    w->rate[0][n] = time * (slip->d[0] * first - b[0] * w->s[0][n] - b[1] * w->s[1][n]);
    w->rate[1][n] = time * (slip->d[1] * first - b[1] * w->s[0][n] - b[2] * w->s[1][n]);
    /* 1 is -t f_0, so that order 0 vanishes */
    w->grow[n] =
        n ? series_product(w->s[0], w->rate[0], n) + series_product(w->s[1], w->rate[1], n) : 0;
    w->turn[n] = series_product(w->s[0], w->rate[1], n) - series_product(w->s[1], w->rate[0], n);
    w->s[0][n + 1] = -step * series_product(w->turn, w->s[1], n);
    w->s[1][n + 1] = step * series_product(w->turn, w->s[0], n);
    w->rho[n + 1] = step * series_product(w->grow, w->rho, n);
    return fabs(w->s[0][n + 1]) + fabs(w->s[1][n + 1]) + fabs(w->rho[n + 1]);
}

/* All coefficients that count. Returns how many, and the z up to which they do, 0 if they would
 * cancel. */
static int make_terms(const Slip *slip, double time, Work *w, double *far) {
    const double none = 1e-16;
    double factorial = 1, last = 1;
    *far = INFINITY;
    for (int n = 0; n < ORDER; n++) {
        factorial *= n + 1;
        double size = extend(slip, time, w, n), weight = factorial * size;
        if (weight > 3) {
            *far = 0;
            return n + 2;
        }
        if (weight < none && last < none) {
            return n + 2;
        }
        if (n >= ORDER - 2) {
            *far = least_of(*far, exp(log(none / size) / (n + 1)));
        }
        last = weight;
    }
    return ORDER + 1;
}

/* The series c with m c - c' = a. */
static void integrate(const double *a, int count, double m, Pair *c) {
    double sum = 0;
    for (int n = count - 1; n >= 0; n--) {
        sum = (a[n] + (n + 1) * sum) / m;
        c[n / 2][n % 2] = sum;
    }
}

int curve_fade(const Slip *slip, const State *start, double r, double f, Curve *curve) {
    Work w;
    double time = -1 / f, far;
    w.s[0][0] = start->gamma[0] / r;
    w.s[1][0] = start->gamma[1] / r;
    w.rho[0] = 1;
    int count = make_terms(slip, time, &w, &far);
    if (far < FADE_LEAST) {
        return 0;
    }
    double a[4][ORDER + 2] = {{0}}, p = time * r;
    curve->pairs = (count + 1) / 2;
    for (int n = 0; n < count; n++) {
        a[0][n] = p * w.rho[n];
        a[1][n] = -slip->mu * p * series_product(w.rho, w.s[0], n);
        a[2][n] = -slip->mu * p * series_product(w.rho, w.s[1], n);
        a[3][n] = p * r * series_product(w.rho, w.rho, n);
    }
    for (int i = 0; i < 4; i++) {
        integrate(a[i], 2 * curve->pairs, i < 3 ? 1 : 2, curve->c[i]);
    }
    for (int n = 0; n < 2 * curve->pairs; n++) {
        curve->direction[0][n] = n < count ? w.s[0][n] : 0;
        curve->direction[1][n] = n < count ? w.s[1][n] : 0;
        curve->u[n / 2][n % 2] = n < count ? r * w.rho[n] : 0;
    }
    curve->kind = CURVE_FADE;
    curve->has_own_work = 0;
    curve->start = *start;
    curve->time = time;
    curve->begin = curve->z = 0;
    curve->y = 1;
    curve->arrives = far >= FADE_ALL;
    curve->end = curve->arrives ? 1 : -expm1(-far);
    curve_at(curve, slip, curve->end, &curve->last);
    curve->mismatch = curve_mismatch(slip, curve, curve_speed(curve, curve->last.y, curve->last.z));
    return curve->mismatch <= CURVE_AGREES;
}
