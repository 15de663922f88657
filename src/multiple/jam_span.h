/* The range of a symmetric, positive semidefinite matrix A = L L^T, L = Q R: Q has orthonormal
 * columns, as many as the rank. */
#ifndef CAROM_MULTIPLE_JAM_SPAN_H
#define CAROM_MULTIPLE_JAM_SPAN_H

/* Problems with more rows are not looked at. */
enum { JAM_ROWS = 36 };

typedef struct JamSpan {
    int rows, rank;
    double Q[JAM_ROWS * JAM_ROWS]; /* columns, rows numbers each */
    double R[JAM_ROWS * JAM_ROWS]; /* columns, rank numbers each */
} JamSpan;

/* By pivots; those below 1e-11 of their diagonal are 0. A has rows * rows numbers. */
void crm_jam_span_find(int rows, const double *A, JamSpan *span);

/* y = Q^T x; its length. */
double crm_jam_span_part(const JamSpan *span, const double *x, double *y);

/* x.A^+ x, for the part of x in the range; x becomes A^+ x. */
double crm_jam_span_solve(const JamSpan *span, double *x);

#endif
