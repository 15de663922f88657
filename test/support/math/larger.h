#ifndef CAROM_TEST_MATH_LARGER_H
#define CAROM_TEST_MATH_LARGER_H

#include <math.h>

/* The larger of two; unlike fmax(), which would lose it, a NaN is kept. */
static inline double larger(double a, double b) {
    return isnan(a) || isnan(b) ? NAN : a > b ? a : b;
}

#endif
