/* 3-vectors, 3x3 matrices by rows, and symmetric 3x3 matrices packed as the upper triangle by
 * rows: xx, xy, xz, yy, yz, zz. Outputs must not alias inputs unless stated. */
#ifndef CAROM_MATH_VEC3_H
#define CAROM_MATH_VEC3_H

#include <float.h>
#include <math.h>
#include <stdbool.h>

static inline double vec3_dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* c = a x b */
static inline void vec3_cross(const double a[3], const double b[3], double c[3]) {
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

/* c = a - b; c may be a or b */
static inline void vec3_sub(const double a[3], const double b[3], double c[3]) {
    for (int i = 0; i < 3; i++) {
        c[i] = a[i] - b[i];
    }
}

/* y += s x */
static inline void vec3_axpy(double s, const double x[3], double y[3]) {
    for (int i = 0; i < 3; i++) {
        y[i] += s * x[i];
    }
}

static inline bool vec3_is_finite(const double a[3]) {
    return isfinite(a[0]) && isfinite(a[1]) && isfinite(a[2]);
}

static inline double vec3_max_abs(const double a[3]) {
    double largest = 0.0;
    for (int i = 0; i < 3; i++) {
        double size = fabs(a[i]);
        largest = size > largest ? size : largest;
    }
    return largest;
}

/* Scale a finite vector of any size to unit length; false, and a unchanged, if a is zero. */
static inline bool vec3_normalise(double a[3]) {
    double largest = vec3_max_abs(a);
    if (!(largest > 0.0)) {
        return false;
    }
    /* outside this range the squares could overflow or lose digits to underflow */
    if (!(largest > 1e-140 && largest < 1e140)) {
        for (int i = 0; i < 3; i++) {
            a[i] /= largest;
        }
    }
    double length = sqrt(vec3_dot(a, a));
    for (int i = 0; i < 3; i++) {
        a[i] /= length;
    }
    return true;
}

/* y = A x */
static inline void mat3_mul(const double A[9], const double x[3], double y[3]) {
    for (int i = 0; i < 3; i++) {
        y[i] = vec3_dot(A + 3 * i, x);
    }
}

/* y = A^T x */
static inline void mat3_mul_transposed(const double A[9], const double x[3], double y[3]) {
    for (int i = 0; i < 3; i++) {
        y[i] = A[i] * x[0] + A[3 + i] * x[1] + A[6 + i] * x[2];
    }
}

/* x.S x */
static inline double sym3_quadratic(const double S[6], const double x[3]) {
    return S[0] * x[0] * x[0] + S[3] * x[1] * x[1] + S[5] * x[2] * x[2] +
           2.0 * (S[1] * x[0] * x[1] + S[2] * x[0] * x[2] + S[4] * x[1] * x[2]);
}

/* Cholesky factor S = L L^T, packed L: 00, 10, 11, 20, 21, 22. False if S is not positive definite
 * beyond rounding: each pivot must exceed a few ulps of its diagonal entry, a test that does not
 * depend on the units of the three axes. L is then incomplete. */
static inline bool sym3_cholesky(const double S[6], double L[6]) {
    const double least = 8.0 * DBL_EPSILON;
    if (!(S[0] > 0.0)) {
        return false;
    }
    L[0] = sqrt(S[0]);
    L[1] = S[1] / L[0];
    L[3] = S[2] / L[0];
    double pivot = S[3] - L[1] * L[1];
    if (!(pivot > least * S[3])) {
        return false;
    }
    L[2] = sqrt(pivot);
    L[4] = (S[4] - L[3] * L[1]) / L[2];
    pivot = S[5] - L[3] * L[3] - L[4] * L[4];
    if (!(pivot > least * S[5])) {
        return false;
    }
    L[5] = sqrt(pivot);
    return true;
}

/* x = L^-1 x, in place */
static inline void sym3_solve_lower(const double L[6], double x[3]) {
    x[0] = x[0] / L[0];
    x[1] = (x[1] - L[1] * x[0]) / L[2];
    x[2] = (x[2] - L[3] * x[0] - L[4] * x[1]) / L[5];
}

/* x = L^-T x, in place */
static inline void sym3_solve_upper(const double L[6], double x[3]) {
    x[2] = x[2] / L[5];
    x[1] = (x[1] - L[4] * x[2]) / L[2];
    x[0] = (x[0] - L[1] * x[1] - L[3] * x[2]) / L[0];
}

#endif
