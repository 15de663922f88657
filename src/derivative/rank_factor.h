/* Linear equations with a square matrix that may be singular: elimination with full pivoting, null
 * spaces, solutions of least norm.
 *
 *   A x = y has solutions if y is orthogonal to the left null vectors u, u^T A = 0; they differ by
 *   the right null vectors z, A z = 0. A^T likewise, with z and u exchanged. */
#ifndef CAROM_DERIVATIVE_RANK_FACTOR_H
#define CAROM_DERIVATIVE_RANK_FACTOR_H

/* m x m; arrays of the caller's. */
typedef struct RankFactor {
    int m, rank;
    double *LU;           /* m x m */
    double *rows, *cells; /* m: the order of rows and columns, as numbers */
    double *right,
        *left;       /* m x m: m - rank orthonormal null vectors, one a row; left may be NULL */
    double *scratch; /* m */
} RankFactor;

/* Factor the matrix in LU in place. A pivot below cut times the largest entry of its row before
 * elimination, or times floor if that is more, counts as 0. */
void crm_rank_factor(RankFactor *factor, double cut, double floor);

/* x = A^-1 x in place, the free unknowns 0. 0: there is none. */
int crm_rank_solve(const RankFactor *factor, double *x);

/* x = A^-T x in place, or the solution of least norm. left must not be NULL. Where there is none,
 * the part of x along right null vectors is ignored. */
void crm_rank_solve_transposed(const RankFactor *factor, double *x);

/* The same of a symmetric matrix: left null vectors are the right ones. */
void crm_rank_solve_symmetric(const RankFactor *factor, double *x);

/* The largest part of x along a right null vector. */
double crm_rank_null_part(const RankFactor *factor, const double *x);

/* Take the parts of x along count orthonormal vectors (rows of m) away. */
void crm_rank_project(int m, int count, const double *vectors, double *x);

#endif
