/* A least-squares problem as its triangle: the R of a QR factorisation of [J | r], row by row.
 *
 * |J x + r|^2 = |R (x, 1)|^2 for every x, so the triangle is all that a step needs, however many
 * rows there are. Factorisations are by cminpack. */
#ifndef CAROM_FIT_DESCENT_TRIANGLE_H
#define CAROM_FIT_DESCENT_TRIANGLE_H

/* Most columns of J. */
enum { TRIANGLE_MAX = 32 };

/* Rows that are collected before they are folded in. */
enum { TRIANGLE_BLOCK = 128 };

typedef struct Triangle {
    int n;                                             /* columns of J */
    int filled;                                        /* rows of block */
    double R[(TRIANGLE_MAX + 1) * (TRIANGLE_MAX + 1)]; /* by rows, n + 1 apart; upper */
    double block[TRIANGLE_BLOCK * (TRIANGLE_MAX + 1)]; /* by rows, n + 1 apart */
} Triangle;

void crm_triangle_begin(Triangle *triangle, int n);

/* Add a row of J (n numbers) and of r. */
void crm_triangle_add(Triangle *triangle, const double *slopes, double residual);

/* Fold in what is left: R is valid after it. */
void crm_triangle_end(Triangle *triangle);

/* Fold another R (by rows, n + 1 apart) in. */
void crm_triangle_merge(Triangle *triangle, const double *R);

/* |J x + r|^2. */
double crm_triangle_value(const Triangle *triangle, const double *x);

/* J^T r. */
void crm_triangle_gradient(const Triangle *triangle, double *gradient);

/* J^T J, by rows, n apart. */
void crm_triangle_gram(const Triangle *triangle, double *gram);

#endif
