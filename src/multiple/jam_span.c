#include "multiple/jam_span.h"

#include <math.h>
#include <string.h>

/* A pivot is 0 below this, relative to the diagonal. */
static const double SPAN_ZERO = 1e-11;

/* L: columns of the pivoted Cholesky factor. */
static int find_factor(int rows, const double *A, double *L) {
    double left[JAM_ROWS];
    int rank = 0;
    for (int i = 0; i < rows; i++) {
        left[i] = A[i * rows + i];
    }
    for (; rank < rows; rank++) {
        int best = 0;
        double largest = 0;
        for (int i = 0; i < rows; i++) {
            double share = left[i] > 0 ? left[i] / A[i * rows + i] : 0;
            if (share > largest) {
                largest = share;
                best = i;
            }
        }
        if (largest < SPAN_ZERO) {
            break;
        }
        double *column = &L[rank * rows], root = sqrt(left[best]);
        for (int i = 0; i < rows; i++) {
            double sum = A[i * rows + best];
            for (int c = 0; c < rank; c++) {
                sum -= L[c * rows + i] * L[c * rows + best];
            }
            column[i] = left[i] > 0 ? sum / root : 0;
            left[i] -= left[i] > 0 ? column[i] * column[i] : 0;
        }
        left[best] = 0;
    }
    return rank;
}

/* L = Q R by Gram and Schmidt, twice; Q takes the place of L. */
static void find_basis(JamSpan *span) {
    int rows = span->rows, rank = span->rank;
    for (int c = 0; c < rank; c++) {
        double *q = &span->Q[c * rows], *r = &span->R[c * rank], norm = 0;
        memset(r, 0, (size_t)rank * sizeof *r);
        for (int pass = 0; pass < 2; pass++) {
            for (int d = 0; d < c; d++) {
                double dot = 0;
                for (int i = 0; i < rows; i++) {
                    dot += span->Q[d * rows + i] * q[i];
                }
                for (int i = 0; i < rows; i++) {
                    q[i] -= dot * span->Q[d * rows + i];
                }
                r[d] += dot;
            }
        }
        for (int i = 0; i < rows; i++) {
            norm += q[i] * q[i];
        }
        r[c] = sqrt(norm);
        for (int i = 0; i < rows; i++) {
            q[i] /= r[c];
        }
    }
}

void crm_jam_span_find(int rows, const double *A, JamSpan *span) {
    span->rows = rows;
    span->rank = find_factor(rows, A, span->Q);
    find_basis(span);
}

double crm_jam_span_part(const JamSpan *span, const double *x, double *y) {
    double square = 0;
    for (int c = 0; c < span->rank; c++) {
        y[c] = 0;
        for (int i = 0; i < span->rows; i++) {
            y[c] += span->Q[c * span->rows + i] * x[i];
        }
        square += y[c] * y[c];
    }
    return sqrt(square);
}

double crm_jam_span_solve(const JamSpan *span, double *x) {
    int rank = span->rank;
    double y[JAM_ROWS], square = 0;
    crm_jam_span_part(span, x, y);
    for (int c = rank - 1; c >= 0; c--) {
        for (int d = c + 1; d < rank; d++) {
            y[c] -= span->R[d * rank + c] * y[d];
        }
        y[c] /= span->R[c * rank + c];
        square += y[c] * y[c];
    }
    for (int c = 0; c < rank; c++) {
        for (int d = 0; d < c; d++) {
            y[c] -= span->R[c * rank + d] * y[d];
        }
        y[c] /= span->R[c * rank + c];
    }
    memset(x, 0, (size_t)span->rows * sizeof *x);
    for (int c = 0; c < rank; c++) {
        for (int i = 0; i < span->rows; i++) {
            x[i] += span->Q[c * span->rows + i] * y[c];
        }
    }
    return square;
}
