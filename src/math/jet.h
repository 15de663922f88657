/* First zeros of functions, from bounds on the fourth derivative.
 *
 * With g, g', g'', g''' at a point and |g''''| <= bound beyond it, g lies above a polynomial of
 * degree 4, whose first zero needs no further evaluation of g. Steps to that zero skip no root of
 * g, and near a root they converge with order 4. */
#ifndef CAROM_MATH_JET_H
#define CAROM_MATH_JET_H

/* The largest step up to reach over which g certainly stays positive; g[0] >= 0. If g[0] = 0, the
 * sign of the first nonzero derivative decides whether g rises; if it falls, the step is 0. */
double crm_jet_clear(const double g[4], double bound, double reach);

/* The nearby zero of a falling g, to fourth order, from value and derivatives alone. */
double crm_jet_near_zero(const double g[4]);

/* The first zero in (0, h] of a[0] + ... + a[degree] x^degree, which must be positive, or rise from
 * 0, at 0. INFINITY if there is none; NaN if 200 evaluations do not decide. degree <= 33. */
double crm_jet_polynomial_zero(const double *a, int degree, double h);

/* The first zero in (x, h], given that the polynomial rises from 0 at x. */
double crm_jet_polynomial_zero_after(const double *a, int degree, double x, double h);

#endif
