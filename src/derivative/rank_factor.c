/* P A Q = L U with L = (L1; L2), U = (U1, U2), L1 and U1 triangular of the size of the rank. Right
 * null vectors are Q (-U1^-1 U2 e; e), left ones P^T (-L1^-T L2^T e; e). */
#include "derivative/rank_factor.h"

#include <string.h>

#include "math/functions.h"

static double dot_rows(int m, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < m; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

void crm_rank_project(int m, int count, const double *vectors, double *x) {
    for (int i = 0; i < count; i++) {
        const double *z = vectors + i * m;
        double part = dot_rows(m, z, x);
        for (int k = 0; k < m; k++) {
            x[k] -= part * z[k];
        }
    }
}

/* Gram and Schmidt's method, twice: once leaves rounding times the condition. */
static void make_orthonormal(int m, int count, double *vectors) {
    for (int i = 0; i < count; i++) {
        double *z = vectors + i * m;
        for (int pass = 0; pass < 2; pass++) {
            crm_rank_project(m, i, vectors, z);
            double size = sqrt(dot_rows(m, z, z));
            for (int k = 0; k < m; k++) {
                z[k] /= size;
            }
        }
    }
}

static void swap_numbers(double *a, double *b) {
    double kept = *a;
    *a = *b;
    *b = kept;
}

/* The largest entry of the rest, relative to its row, becomes the pivot; 0: none exceeds cut. */
static int bring_pivot(RankFactor *factor, int k, double cut) {
    int m = factor->m, row = -1, column = -1;
    double *LU = factor->LU, *sizes = factor->scratch, largest = cut;
    for (int i = k; i < m; i++) {
        for (int j = k; j < m; j++) {
            if (fabs(LU[i * m + j]) > largest * sizes[i]) {
                largest = fabs(LU[i * m + j]) / sizes[i];
                row = i;
                column = j;
            }
        }
    }
    if (row < 0) {
        return 0;
    }
    for (int j = 0; j < m; j++) {
        swap_numbers(&LU[k * m + j], &LU[row * m + j]);
    }
    for (int i = 0; i < m; i++) {
        swap_numbers(&LU[i * m + k], &LU[i * m + column]);
    }
    swap_numbers(&sizes[k], &sizes[row]);
    swap_numbers(&factor->rows[k], &factor->rows[row]);
    swap_numbers(&factor->cells[k], &factor->cells[column]);
    return 1;
}

static void find_right(RankFactor *factor) {
    int m = factor->m, rank = factor->rank;
    for (int j = rank; j < m; j++) {
        double *z = factor->right + (j - rank) * m, *x = factor->scratch;
        memset(z, 0, (size_t)m * sizeof *z);
        for (int i = rank - 1; i >= 0; i--) {
            x[i] = (-factor->LU[i * m + j] -
                    dot_rows(rank - i - 1, &factor->LU[i * m + i + 1], &x[i + 1])) /
                   factor->LU[i * m + i];
            z[(int)factor->cells[i]] = x[i];
        }
        z[(int)factor->cells[j]] = 1;
    }
    make_orthonormal(m, m - rank, factor->right);
}

static void find_left(RankFactor *factor) {
    int m = factor->m, rank = factor->rank;
    for (int j = rank; j < m && factor->left; j++) {
        double *u = factor->left + (j - rank) * m, *x = factor->scratch;
        memset(u, 0, (size_t)m * sizeof *u);
        for (int i = rank - 1; i >= 0; i--) {
            x[i] = -factor->LU[j * m + i];
            for (int k = i + 1; k < rank; k++) {
                x[i] -= factor->LU[k * m + i] * x[k];
            }
            u[(int)factor->rows[i]] = x[i];
        }
        u[(int)factor->rows[j]] = 1;
    }
    if (factor->left) {
        make_orthonormal(m, m - rank, factor->left);
    }
}

void crm_rank_factor(RankFactor *factor, double cut, double floor) {
    int m = factor->m;
    double *LU = factor->LU;
    for (int i = 0; i < m; i++) {
        factor->rows[i] = factor->cells[i] = i;
        factor->scratch[i] = floor;
        for (int j = 0; j < m; j++) {
            factor->scratch[i] = fmax(factor->scratch[i], fabs(LU[i * m + j]));
        }
    }
    int k = 0;
    for (; k < m && bring_pivot(factor, k, cut); k++) {
        for (int i = k + 1; i < m; i++) {
            double by = LU[i * m + k] /= LU[k * m + k];
            for (int j = k + 1; j < m && by != 0; j++) {
                LU[i * m + j] -= by * LU[k * m + j];
            }
        }
    }
    factor->rank = k;
    find_right(factor);
    find_left(factor);
}

/* A part of x along a left null vector that is rounding, relative. */
static const double NO_PART = 1e-9;

int crm_rank_solve(const RankFactor *factor, double *x) {
    int m = factor->m, rank = factor->rank;
    double *y = factor->scratch, size = 0, part = 0;
    for (int i = 0; i < m; i++) {
        size = fmax(size, fabs(x[i]));
    }
    for (int i = 0; i < m - rank; i++) {
        part = fmax(part, fabs(dot_rows(m, factor->left + i * m, x)));
    }
    for (int i = 0; i < rank; i++) {
        y[i] = x[(int)factor->rows[i]] - dot_rows(i, &factor->LU[i * m], y);
    }
    memset(x, 0, (size_t)m * sizeof *x);
    for (int i = rank - 1; i >= 0; i--) {
        for (int k = i + 1; k < rank; k++) {
            y[i] -= factor->LU[i * m + k] * y[k];
        }
        x[(int)factor->cells[i]] = y[i] /= factor->LU[i * m + i];
    }
    return part <= NO_PART * size;
}

/* Any solution of A^T x = y, the free unknowns 0. */
static void solve_transposed(const RankFactor *factor, double *x) {
    int m = factor->m, rank = factor->rank;
    double *y = factor->scratch;
    for (int i = 0; i < rank; i++) {
        y[i] = x[(int)factor->cells[i]];
        for (int k = 0; k < i; k++) {
            y[i] -= factor->LU[k * m + i] * y[k];
        }
        y[i] /= factor->LU[i * m + i];
    }
    memset(x, 0, (size_t)m * sizeof *x);
    for (int i = rank - 1; i >= 0; i--) {
        for (int k = i + 1; k < rank; k++) {
            y[i] -= factor->LU[k * m + i] * y[k];
        }
        x[(int)factor->rows[i]] = y[i];
    }
}

void crm_rank_solve_transposed(const RankFactor *factor, double *x) {
    crm_rank_project(factor->m, factor->m - factor->rank, factor->right, x);
    solve_transposed(factor, x);
    crm_rank_project(factor->m, factor->m - factor->rank, factor->left, x);
}

void crm_rank_solve_symmetric(const RankFactor *factor, double *x) {
    crm_rank_project(factor->m, factor->m - factor->rank, factor->right, x);
    solve_transposed(factor, x);
    crm_rank_project(factor->m, factor->m - factor->rank, factor->right, x);
}

double crm_rank_null_part(const RankFactor *factor, const double *x) {
    double largest = 0;
    for (int i = 0; i < factor->m - factor->rank; i++) {
        largest = fmax(largest, fabs(dot_rows(factor->m, factor->right + i * factor->m, x)));
    }
    return largest;
}
