/* Direction and speed of slip as power series in log-time, dp = r dsigma: s' = g s_perp, r' = f r,
 * with f and g of d - mu B s. Both expansions that need no invariant direction are made of them. */
#ifndef CAROM_RIGID_SLIP_SERIES_H
#define CAROM_RIGID_SLIP_SERIES_H

#include "rigid/curve.h"

#define SLIP_ORDER 24

typedef struct SlipSeries {
    double time;                                          /* sigma of z = 1 */
    int fading;                                           /* r is r e^(-f_0 sigma) */
    double s[2][SLIP_ORDER + 1], rate[2][SLIP_ORDER + 1]; /* s, d - b s */
    double f[SLIP_ORDER + 1], g[SLIP_ORDER + 1], r[SLIP_ORDER + 1];
} SlipSeries;

/* Order 0, for slip of velocity gamma = r s. */
INTERNAL void slip_series_begin(SlipSeries *w, const double gamma[2], double r);

/* From the coefficients up to n, those of order n + 1. */
INTERNAL void slip_series_extend(const Slip *slip, SlipSeries *w, int n);

/* Give the first coefficients of s to a curve, as many as it uses; the rest is 0. */
INTERNAL void slip_series_direction(const SlipSeries *w, int count, Curve *curve);

#endif
