/* Exponentials, logarithms and roots with the same bits on every machine.
 *
 * Only sums, products, quotients and square roots of doubles are used, in a fixed order. Arguments
 * and special values are as in <math.h>; floating-point exceptions and errno are not. Largest
 * errors measured by test/math/test_elementary.c are stated there. */
#ifndef CAROM_MATH_EXPONENTIAL_H
#define CAROM_MATH_EXPONENTIAL_H

double crm_exp(double x);
double crm_expm1(double x);
double crm_log(double x);
double crm_log1p(double x);

/* x >= 0. The relative error grows with |y|: y 2^-61. */
double crm_pow(double x, double y);

double crm_asinh(double x);
double crm_cbrt(double x);
double crm_hypot(double x, double y);

#endif
