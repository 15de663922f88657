/* The first zero of polynomials on [0, 1], one in each element.
 *
 * The coefficients b_i of a polynomial in Bernstein's basis bound it: it has no zero where they
 * have one sign, and exactly one where the sign changes once. Otherwise nothing is said, and the
 * caller looks at a shorter piece. */
#ifndef CAROM_LANES_MANY_ROOT_H
#define CAROM_LANES_MANY_ROOT_H

#include "math/many.h"

#ifdef CAROM_LANES

/* Degree of the series, and of a polynomial that is only looked at for a zero. */
enum { ROOT_DEGREE = 16, ROOT_LOW = 12 };

/* The inverses of their binomial coefficients. */
static const double ROOT_OVER[ROOT_DEGREE + 1] = {
    1,          1 / 16.0,    1 / 120.0,   1 / 560.0,   1 / 1820.0, 1 / 4368.0,
    1 / 8008.0, 1 / 11440.0, 1 / 12870.0, 1 / 11440.0, 1 / 8008.0, 1 / 4368.0,
    1 / 1820.0, 1 / 560.0,   1 / 120.0,   1 / 16.0,    1};
static const double ROOT_OVER_LOW[ROOT_LOW + 1] = {
    1,         1 / 12.0,  1 / 66.0,  1 / 220.0, 1 / 495.0, 1 / 792.0, 1 / 924.0,
    1 / 792.0, 1 / 495.0, 1 / 220.0, 1 / 66.0,  1 / 12.0,  1};

typedef struct ManyRoot {
    ManyMask clear; /* positive on all of (0, 1] */
    ManyMask one;   /* one zero, from positive to negative */
    Many at;        /* it, about */
} ManyRoot;

/* a_0 + a_1 x + ... */
INLINE Many many_sum(const Many *a, Many x) {
    Many sum = a[ROOT_DEGREE];
    for (int i = ROOT_DEGREE - 1; i >= 0; i--) {
        sum = sum * x + a[i];
    }
    return sum;
}

/* The same, and its slope. */
INLINE Many many_polynomial(const Many *a, Many x, Many *slope) {
    Many value = a[ROOT_DEGREE], rate = many_all(0);
    for (int i = ROOT_DEGREE - 1; i >= 0; i--) {
        rate = rate * x + value;
        value = value * x + a[i];
    }
    *slope = rate;
    return value;
}

/* Newton's method from *x, for the elements of `active`. Returns which have converged to a zero in
 * (0, 1]; the others' *x stays or is useless. */
static inline ManyMask many_newton(const Many *a, ManyMask active, Many *x) {
    ManyMask converged = active & ~active, due = active;
    for (int i = 0; i < 10 && many_any(due); i++) {
        Many slope, value = many_polynomial(a, *x, &slope), step = value / slope;
        *x = many_choose(due, *x - step, *x);
        /* the next error is of the order of the square of this step */
        ManyMask small = due & (many_abs(step) <= 1e-8 * many_abs(*x));
        converged |= small;
        due &= ~small;
    }
    return converged & (*x > 0) & (*x <= 1);
}

/* A polynomial of the degree, one of the two above, at (0, 1]. small: what rounding and truncation
 * may leave of a coefficient, relative to the sum of all. */
INLINE void many_root_find(const Many *a, int degree, double small, ManyRoot *root) {
    const double *over = degree == ROOT_LOW ? ROOT_OVER_LOW : ROOT_OVER;
    Many b[ROOT_DEGREE + 1], size = many_all(0), none = size, least = many_all(INFINITY);
    for (int i = 0; i <= degree; i++) {
        b[i] = a[i] * over[i];
        size += many_abs(a[i]);
    }
    for (int k = 1; k <= degree; k++) {
        for (int i = degree; i >= k; i--) {
            b[i] += b[i - 1];
        }
    }
    for (int i = 0; i <= degree; i++) {
        least = many_least(b[i], least);
    }
    size *= small;
    root->clear = least > size;
    root->one = root->clear & ~root->clear;
    root->at = none;
    if (!many_any(~root->clear)) {
        return;
    }
    ManyMask before = b[0] > 0, changes = root->one;
    for (int i = 1; i <= degree; i++) {
        ManyMask now = b[i] > 0, change = now ^ before;
        /* the control polygon is close to the curve */
        Many cross = (i - 1 + b[i - 1] / (b[i - 1] - b[i])) * (1.0 / degree);
        root->at = many_choose(change, cross, root->at);
        changes -= change;
        before = now;
    }
    root->one = (b[0] > size) & (changes == 1) & (b[degree] < -size);
}

/* Does a polynomial that is below 0 at 0 stay there, or rise through 0 exactly once? */
static inline ManyMask many_rises_once(const Many *a, double small) {
    Many falls[ROOT_DEGREE + 1];
    ManyRoot root;
    for (int i = 0; i <= ROOT_DEGREE; i++) {
        falls[i] = -a[i];
    }
    many_root_find(falls, ROOT_DEGREE, small, &root);
    return root.clear | root.one;
}

/* Is it positive on (0, 1]? It may be 0 at 0. */
static inline ManyMask many_is_positive(const Many *a, double small) {
    Many shifted[ROOT_DEGREE + 1];
    ManyMask zero = a[0] == 0;
    ManyRoot root;
    for (int i = 0; i <= ROOT_DEGREE; i++) {
        shifted[i] = many_choose(zero, i < ROOT_DEGREE ? a[i + 1] : many_all(0), a[i]);
    }
    many_root_find(shifted, ROOT_DEGREE, small, &root);
    return root.clear;
}

/* Where a polynomial passes through 0 that rises from below 0 to `last` at 1, above 0, in the
 * elements of *rises; those where it is not found leave *failed set. */
INLINE Many many_rise_to_zero(const Many *a, Many last, ManyMask rises, ManyMask *failed) {
    Many x = a[0] / (a[0] - last);
    *failed = rises & ~many_newton(a, rises, &x);
    return x;
}

#endif

#endif
