/* Levenberg and Marquardt's method between bounds.
 *
 * Steps are those of MINPACK (J. J. More, The Levenberg-Marquardt algorithm, 1978), by cminpack's
 * lmpar(), on the variables that are free: a variable on a bound that would leave it is held there
 * for the step. The step is cut at the bounds, and judged by what the cut step promises. The
 * objective may have kinks: where no step helps any more the descent ends. */
#ifndef CAROM_FIT_DESCENT_DESCENT_H
#define CAROM_FIT_DESCENT_DESCENT_H

#include <stdbool.h>

#include "descent/triangle.h"

/* The objective at x, and, unless NULL, the triangle of its linearisation: the objective is half
 * of nothing, |r|^2 (or its robust counterpart, whose gradient must be 2 J^T r). False: there is
 * none at x. */
typedef bool DescentEvaluate(void *context, const double *x, double *objective, Triangle *triangle);

typedef struct Descent {
    int n;
    const double *low, *high; /* low <= high; equal: held */
    DescentEvaluate *evaluate;
    void *context;
    int passes_max;   /* evaluations with a triangle */
    double tolerance; /* relative, of the objective; e.g. 1e-12 */
    double floor;     /* an objective below this is 0 */
} Descent;

typedef struct DescentEnd {
    bool found;       /* at least the start could be evaluated */
    bool settled;     /* ended because nothing helps, not because passes ran out */
    double objective; /* at x */
    int passes;
    Triangle triangle; /* at x */
} DescentEnd;

/* Minimise from x, which moves to the best point found. */
void crm_descend(const Descent *descent, double *x, DescentEnd *end);

#endif
