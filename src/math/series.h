/* Power series as arrays of coefficients. */
#ifndef CAROM_MATH_SERIES_H
#define CAROM_MATH_SERIES_H

/* Coefficient n of the product a b. */
static inline double series_product(const double *a, const double *b, int n) {
    double sum = 0;
    for (int i = 0; i <= n; i++) {
        sum += a[i] * b[n - i];
    }
    return sum;
}

#endif
