/* Direction and speed of slip as power series in log-time, dp = r dsigma:
 *
 *   s' = g s_perp,  r' = f r,   f = s.(d - mu B s),  g = s_perp.(d - mu B s)
 *
 * by products of series. Fades and log-time curves, which need no invariant direction, are made of
 * them. */
#ifndef CAROM_RIGID_SLIP_SERIES_H
#define CAROM_RIGID_SLIP_SERIES_H

#include "math/series.h"
#include "rigid/slip/slip.h"

#define SLIP_ORDER 24
/* Terms 0 to SLIP_ORDER, rounded up to a multiple of four. */
#define SLIP_TERMS 28

typedef struct SlipSeries {
    double time;                                          /* sigma of z = 1 */
    int fading;                                           /* r stands for r e^(-f_0 sigma) */
    double s[2][SLIP_ORDER + 1], rate[2][SLIP_ORDER + 1]; /* s, d - b s */
    double f[SLIP_ORDER + 1], g[SLIP_ORDER + 1], r[SLIP_ORDER + 1];
} SlipSeries;

/* Order 0, for slip of velocity gamma = r s. */
static inline void slip_series_begin(SlipSeries *w, const double gamma[2], double r) {
    w->s[0][0] = gamma[0] / r;
    w->s[1][0] = gamma[1] / r;
    w->r[0] = r;
}

/* From the coefficients up to n, those of order n + 1. */
static inline void slip_series_extend(const Slip *slip, SlipSeries *w, int n) {
    const double *b = slip->b;
    double step = w->time / (n + 1);
    w->rate[0][n] = -b[0] * w->s[0][n] - b[1] * w->s[1][n] + (n == 0 ? slip->d[0] : 0);
    w->rate[1][n] = -b[1] * w->s[0][n] - b[2] * w->s[1][n] + (n == 0 ? slip->d[1] : 0);
    w->f[n] = series_product(w->s[0], w->rate[0], n) + series_product(w->s[1], w->rate[1], n);
    w->g[n] = series_product(w->s[0], w->rate[1], n) - series_product(w->s[1], w->rate[0], n);
    if (n == 0 && w->fading) {
        w->f[0] = 0;
    }
    w->s[0][n + 1] = -step * series_product(w->g, w->s[1], n);
    w->s[1][n + 1] = step * series_product(w->g, w->s[0], n);
    w->r[n + 1] = step * series_product(w->f, w->r, n);
}

/* The direction alone. */
typedef struct DirectionSeries {
    int terms;
    double s[2][SLIP_TERMS];
} DirectionSeries;

/* Keep the first `count` terms. */
static inline void direction_keep(const SlipSeries *w, int count, DirectionSeries *direction) {
    direction->terms = count;
    for (int n = 0; n < count; n++) {
        direction->s[0][n] = w->s[0][n];
        direction->s[1][n] = w->s[1][n];
    }
}

static inline void direction_at(const DirectionSeries *direction, Pair z, Pair s[2]) {
    s[0] = s[1] = both(0);
    for (int n = direction->terms - 1; n >= 0; n--) {
        s[0] = pair_join(s[0], z, both(direction->s[0][n]));
        s[1] = pair_join(s[1], z, both(direction->s[1][n]));
    }
}

/* The z in [0, far] with direction s, by bisection; `last` is the direction at far. */
static inline double direction_locate(const DirectionSeries *direction, const double s[2],
                                      double far, const double last[2]) {
    /* the direction turns one way only, so bisection cannot fail */
    double lo = 0, hi = far, sign = cross2(s, last);
    for (int i = 0; i < 60 && hi > lo; i++) {
        double z = (lo + hi) / 2;
        Pair at[2];
        direction_at(direction, both(z), at);
        if ((s[0] * LANE(at[1], 0) - s[1] * LANE(at[0], 0)) * sign > 0) {
            hi = z;
        } else {
            lo = z;
        }
    }
    return (lo + hi) / 2;
}

#endif
