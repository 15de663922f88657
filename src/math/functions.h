/* <math.h>, or with CAROM_DETERMINISTIC our own functions under its names.
 *
 * Libraries of mathematical functions differ in the last bit; sums, products, quotients, square
 * roots and the functions that only take a double apart (frexp, ldexp, ceil, remainder, ...) do
 * not. fmax and fmin may choose either of 0 and -0. */
#ifndef CAROM_MATH_FUNCTIONS_H
#define CAROM_MATH_FUNCTIONS_H

#include <math.h>

#include "math/exponential.h"
#include "math/trigonometric.h"

#ifdef CAROM_DETERMINISTIC

static inline double crm_fmax(double a, double b) {
    return a > b || b != b ? a : b;
}

static inline double crm_fmin(double a, double b) {
    return a < b || b != b ? a : b;
}

#define exp(x) crm_exp(x)
#define expm1(x) crm_expm1(x)
#define log(x) crm_log(x)
#define log1p(x) crm_log1p(x)
#define pow(x, y) crm_pow(x, y)
#define asinh(x) crm_asinh(x)
#define cbrt(x) crm_cbrt(x)
#define hypot(x, y) crm_hypot(x, y)
#define sin(x) crm_sin(x)
#define cos(x) crm_cos(x)
#define tan(x) crm_tan(x)
#define acos(x) crm_acos(x)
#define atan(x) crm_atan(x)
#define atan2(y, x) crm_atan2(y, x)
#define fmax(a, b) crm_fmax(a, b)
#define fmin(a, b) crm_fmin(a, b)

#endif

#endif
