/* How far a function stays positive, told from its value and derivatives in one point.
 *
 * With g, g', g'', g''' there and |g''''| <= bound beyond, g lies above a polynomial of degree 4;
 * where that has its first zero can be found without another evaluation. Marching by such steps no
 * root is skipped, and close to one they converge like a method of order 4. */
#ifndef CAROM_MATH_JET_H
#define CAROM_MATH_JET_H

/* The largest step up to reach over which g certainly stays positive; g[0] >= 0. If g[0] = 0 the
 * first derivative that is not 0 tells whether g rises from there; if not, the step is 0. */
double jet_clear(const double g[4], double bound, double reach);

/* The zero next to here, where g falls: the value and derivatives alone tell it to fourth order. */
double jet_near_zero(const double g[4]);

/* The first zero in (0, h] of the polynomial of that degree whose coefficients are a[0] ... and
 * which is positive, or rises from 0, at 0; INFINITY if there is none; NaN if that cannot be told
 * in 200 looks. The degree is 33 at most. */
double jet_polynomial_zero(const double *a, int degree, double h);

/* The same after x, where it rises from 0. */
double jet_polynomial_zero_after(const double *a, int degree, double x, double h);

#endif
