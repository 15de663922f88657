/* Dense factorisations for the systems of modes. Matrices are by rows. */
#ifndef CAROM_IMPULSE_DENSE_H
#define CAROM_IMPULSE_DENSE_H

/* Four partial sums; several times as fast as one, with less rounding. */
static inline double dense_dot(const double *a, const double *b, int count) {
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    int i = 0;
    for (; i + 4 <= count; i += 4) {
        s0 += a[i] * b[i];
        s1 += a[i + 1] * b[i + 1];
        s2 += a[i + 2] * b[i + 2];
        s3 += a[i + 3] * b[i + 3];
    }
    for (; i < count; i++) {
        s0 += a[i] * b[i];
    }
    return (s0 + s2) + (s1 + s3);
}

/* y += a x */
static inline void dense_add(double *restrict y, double a, const double *restrict x, int count) {
    for (int i = 0; i < count; i++) {
        y[i] += a * x[i];
    }
}

/* Rank and independent rows of a symmetric semidefinite G (k x k): Cholesky, largest pivot relative
 * to its diagonal entry first, until none exceeds cut. order[0..rank) are the independent rows, the
 * rest of order the dependent ones; row i of L (k x k) has rank entries with G = L L^T. rest: k
 * numbers of scratch. Returns the rank. */
int crm_dense_rank(int k, const double *G, double cut, double *L, double *rest, int *order);

/* x = G_BB^-1 x for the independent rows; x has rank entries in the order of order. */
void crm_dense_forward(int rank, int k, const double *L, const int *order, double *x);
void crm_dense_backward(int rank, int k, const double *L, const int *order, double *x);

/* LU with row pivots in place; pivots has k entries. Returns the smallest pivot over the largest
 * entry of its row before elimination; 0: singular. */
double crm_dense_lu(int k, double *A, int *pivots, double *scale);
void crm_dense_lu_solve(int k, const double *A, const int *pivots, double *x);

/* x = A^-T x */
void crm_dense_lu_solve_transposed(int k, const double *A, const int *pivots, double *x);

/* Is G + cut diag(G) positive definite? L: k x k of scratch. */
int crm_dense_is_semidefinite(int k, const double *G, double cut, double *L);

#endif
