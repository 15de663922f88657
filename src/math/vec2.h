/* Vectors of the tangent plane, and the smaller and larger of two numbers. */
#ifndef CAROM_MATH_VEC2_H
#define CAROM_MATH_VEC2_H

#include "math/functions.h"

static inline double dot2(const double a[2], const double b[2]) {
    return a[0] * b[0] + a[1] * b[1];
}

/* Exact to rounding for sizes from 1e-308 to 1e154. */
static inline double norm2(const double a[2]) {
    double square = a[0] * a[0] + a[1] * a[1];
    return square > 1e-280 ? sqrt(square) : hypot(a[0], a[1]);
}

/* Inline, unlike fmin() and fmax() on some machines; no argument is NaN. */
static inline double least_of(double a, double b) {
    return a < b ? a : b;
}

static inline double most_of(double a, double b) {
    return a > b ? a : b;
}

static inline double cross2(const double a[2], const double b[2]) {
    return a[0] * b[1] - a[1] * b[0];
}

#endif
