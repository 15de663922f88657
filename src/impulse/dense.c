#include "impulse/dense.h"
#include "math/vec2.h"

#include <math.h>
#include <string.h>

int crm_dense_rank(int k, const double *G, double cut, double *L, double *rest, int *order) {
    for (int i = 0; i < k; i++) {
        order[i] = i;
        rest[i] = G[i * k + i];
    }
    for (int r = 0; r < k; r++) {
        int best = -1;
        double largest = cut;
        for (int at = r; at < k; at++) {
            int i = order[at];
            double size = rest[i] > 0 ? rest[i] / G[i * k + i] : 0;
            if (size > largest) {
                largest = size;
                best = at;
            }
        }
        if (best < 0) {
            return r;
        }
        int j = order[best];
        order[best] = order[r];
        order[r] = j;
        double pivot = sqrt(rest[j]);
        L[j * k + r] = pivot;
        memset(L + j * k + r + 1, 0, (size_t)(k - r - 1) * sizeof *L);
        for (int at = r + 1; at < k; at++) {
            int i = order[at];
            double l = (G[i * k + j] - dense_dot(L + i * k, L + j * k, r)) / pivot;
            L[i * k + r] = l;
            rest[i] -= l * l;
        }
    }
    return k;
}

void crm_dense_forward(int rank, int k, const double *L, const int *order, double *x) {
    for (int i = 0; i < rank; i++) {
        const double *row = L + order[i] * k;
        x[i] = (x[i] - dense_dot(row, x, i)) / row[i];
    }
}

void crm_dense_backward(int rank, int k, const double *L, const int *order, double *x) {
    for (int i = rank - 1; i >= 0; i--) {
        const double *row = L + order[i] * k;
        x[i] /= row[i];
        dense_add(x, -x[i], row, i);
    }
}

/* Find the pivot of column c, bring its row up, and divide the column by it. Returns its size
 * relative to its row; 0: there is none. */
static double take_pivot(int k, double *A, int *pivots, double *scale, int c) {
    int best = c;
    double largest = 0;
    for (int i = c; i < k; i++) {
        double size = fabs(A[i * k + c]) * scale[i];
        if (size > largest) {
            largest = size;
            best = i;
        }
    }
    pivots[c] = best;
    if (best != c) {
        for (int j = 0; j < k; j++) {
            double a = A[c * k + j];
            A[c * k + j] = A[best * k + j];
            A[best * k + j] = a;
        }
        scale[best] = scale[c];
    }
    double inverse = largest > 0 ? 1 / A[c * k + c] : 0;
    for (int i = c + 1; i < k; i++) {
        A[i * k + c] *= inverse;
    }
    return largest;
}

/* z -= a x + b y */
static void subtract_rows(double *restrict z, double a, const double *restrict x, double b,
                          const double *restrict y, int count) {
    for (int i = 0; i < count; i++) {
        z[i] -= a * x[i] + b * y[i];
    }
}

/* Speed: two columns at a time, so that each row is read and written once for both. */
double crm_dense_lu(int k, double *A, int *pivots, double *scale) {
    double least = INFINITY;
    for (int i = 0; i < k; i++) {
        double most = 0;
        for (int j = 0; j < k; j++) {
            most = most_of(most, fabs(A[i * k + j]));
        }
        scale[i] = most > 0 ? 1 / most : 0;
    }
    for (int c = 0; c < k; c += 2) {
        const double *first = A + c * k, *second = first + k;
        double size = take_pivot(k, A, pivots, scale, c);
        if (c + 1 < k && size > 0) {
            for (int i = c + 1; i < k; i++) {
                A[i * k + c + 1] -= A[i * k + c] * first[c + 1];
            }
            size = least_of(size, take_pivot(k, A, pivots, scale, c + 1));
            dense_add(A + (c + 1) * k + c + 2, -second[c], first + c + 2, k - c - 2);
        }
        if (!(size > 0)) {
            return 0;
        }
        least = least_of(least, size);
        for (int i = c + 2; i < k; i++) {
            double *row = A + i * k;
            subtract_rows(row + c + 2, row[c], first + c + 2, row[c + 1], second + c + 2,
                          k - c - 2);
        }
    }
    return least;
}

void crm_dense_lu_solve(int k, const double *A, const int *pivots, double *x) {
    for (int c = 0; c < k; c++) {
        double y = x[pivots[c]];
        x[pivots[c]] = x[c];
        x[c] = y;
    }
    for (int i = 1; i < k; i++) {
        x[i] -= dense_dot(A + i * k, x, i);
    }
    for (int i = k - 1; i >= 0; i--) {
        x[i] = (x[i] - dense_dot(A + i * k + i + 1, x + i + 1, k - i - 1)) / A[i * k + i];
    }
}

void crm_dense_lu_solve_transposed(int k, const double *A, const int *pivots, double *x) {
    for (int i = 0; i < k; i++) {
        x[i] /= A[i * k + i];
        dense_add(x + i + 1, -x[i], A + i * k + i + 1, k - i - 1);
    }
    for (int i = k - 1; i > 0; i--) {
        dense_add(x, -x[i], A + i * k, i);
    }
    for (int c = k - 1; c >= 0; c--) {
        double y = x[pivots[c]];
        x[pivots[c]] = x[c];
        x[c] = y;
    }
}

int crm_dense_is_semidefinite(int k, const double *G, double cut, double *L) {
    for (int i = 0; i < k; i++) {
        double *row = L + i * k;
        for (int j = 0; j < k; j++) {
            if (G[i * k + i] == 0 && G[i * k + j] != 0) {
                return 0;
            }
        }
        for (int j = 0; j < i; j++) {
            double pivot = L[j * k + j];
            row[j] = pivot > 0 ? (G[i * k + j] - dense_dot(row, L + j * k, j)) / pivot : 0;
        }
        double diagonal = G[i * k + i], rest = (1 + cut) * diagonal - dense_dot(row, row, i);
        if (diagonal > 0 ? !(rest > 0) : diagonal < 0) {
            return 0;
        }
        row[i] = diagonal > 0 ? sqrt(rest) : 0;
    }
    return 1;
}
