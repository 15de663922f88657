/* Sums and products of two doubles with their rounding errors, without fused operations: the same
 * bits on every machine with IEEE doubles. */
#ifndef CAROM_MATH_EXACT_SUM_H
#define CAROM_MATH_EXACT_SUM_H

/* hi + lo is exact. */
typedef struct Two {
    double hi, lo;
} Two;

/* a + b */
static inline Two two_sum(double a, double b) {
    double sum = a + b, back = sum - a;
    return (Two){sum, (a - (sum - back)) + (b - back)};
}

/* a + b for |a| >= |b|, or a = 0 */
static inline Two two_quick_sum(double a, double b) {
    double sum = a + b;
    return (Two){sum, b - (sum - a)};
}

/* a b, by halves of 26 digits (Dekker); |a|, |b| < 1e300, and a b not below 1e-290 */
static inline Two two_product(double a, double b) {
    const double halve = 0x1p27 + 1;
    double x = halve * a, y = halve * b, product = a * b;
    double a1 = x - (x - a), b1 = y - (y - b), a2 = a - a1, b2 = b - b1;
    return (Two){product, ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2};
}

#endif
