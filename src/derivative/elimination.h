/* Linear equations by elimination with row exchanges. */
#ifndef CAROM_DERIVATIVE_ELIMINATION_H
#define CAROM_DERIVATIVE_ELIMINATION_H

#include "math/functions.h"

/* Smallest pivot relative to its row. */
static const double LEAST_PIVOT = 1e-11;

/* A = P L U in place; 0 if singular: a pivot has fallen to rounding of its row. sizes: room for m.
 */
static inline int eliminate_rows(int m, double *A, double *pivots, double *sizes) {
    for (int i = 0; i < m; i++) {
        sizes[i] = 0;
        for (int j = 0; j < m; j++) {
            sizes[i] = fmax(sizes[i], fabs(A[i * m + j]));
        }
    }
    for (int k = 0; k < m; k++) {
        int pivot = k;
        for (int i = k; i < m; i++) {
            double here = fabs(A[i * m + k]) * sizes[pivot];
            pivot = here > fabs(A[pivot * m + k]) * sizes[i] ? i : pivot;
        }
        pivots[k] = pivot;
        for (int j = 0; j < m; j++) {
            double swap = A[k * m + j];
            A[k * m + j] = A[pivot * m + j];
            A[pivot * m + j] = swap;
        }
        double swap = sizes[k];
        sizes[k] = sizes[pivot];
        sizes[pivot] = swap;
        if (!(fabs(A[k * m + k]) > LEAST_PIVOT * sizes[k])) {
            return 0;
        }
        for (int i = k + 1; i < m; i++) {
            double by = A[i * m + k] /= A[k * m + k];
            for (int j = k + 1; j < m; j++) {
                A[i * m + j] -= by * A[k * m + j];
            }
        }
    }
    return 1;
}

/* x = A^-1 x in place. */
static inline void solve_rows(int m, const double *A, const double *pivots, double *x) {
    for (int k = 0; k < m; k++) {
        int pivot = (int)pivots[k];
        double swap = x[k];
        x[k] = x[pivot];
        x[pivot] = swap;
    }
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < i; j++) {
            x[i] -= A[i * m + j] * x[j];
        }
    }
    for (int i = m - 1; i >= 0; i--) {
        for (int j = i + 1; j < m; j++) {
            x[i] -= A[i * m + j] * x[j];
        }
        x[i] /= A[i * m + i];
    }
}

#endif
