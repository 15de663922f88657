/* A small least-squares problem in memory: residuals by a function, slopes by another or by
 * differences. */
#ifndef CAROM_FIT_DESCENT_CURVE_H
#define CAROM_FIT_DESCENT_CURVE_H

#include <stdbool.h>

/* The residuals at x. False: there are none. */
typedef bool CurveResiduals(void *context, const double *x, double *residuals);

/* Their derivatives, m rows of n numbers. False: there are none here; then, and for columns with a
 * NAN, differences are taken. */
typedef bool CurveSlopes(void *context, const double *x, double *slopes);

typedef struct Curve {
    int n, m;                 /* variables, at most TRIANGLE_MAX, and residuals */
    const double *low, *high; /* bounds */
    const double *size;       /* of each variable: differences are taken over 1e-5 of it */
    CurveResiduals *residuals;
    CurveSlopes *slopes; /* NULL: differences */
    void *context;
    double floor; /* an objective below this is 0 */
} Curve;

/* Minimise from x, which moves. *objective: the sum of squares. inverse (n x n by rows, may be
 * NULL): of J^T J; NAN where it is singular. False: out of memory, or no residuals at the start. */
bool crm_curve_solve(const Curve *curve, double *x, double *objective, double *inverse);

#endif
