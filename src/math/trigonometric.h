/* Trigonometric functions with the same bits on every machine.
 *
 * Only sums, products, quotients and square roots of doubles and integer arithmetic are used, in a
 * fixed order. Arguments and special values are as in <math.h>; floating-point exceptions and errno
 * are not. Largest errors measured by test/math/test_elementary.c are stated there. */
#ifndef CAROM_MATH_TRIGONOMETRIC_H
#define CAROM_MATH_TRIGONOMETRIC_H

double crm_sin(double x);
double crm_cos(double x);
double crm_tan(double x);
double crm_acos(double x);
double crm_atan(double x);
double crm_atan2(double y, double x);

#endif
