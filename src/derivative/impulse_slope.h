/* Derivatives of several rigid contacts at impulse level. */
#ifndef CAROM_DERIVATIVE_IMPULSE_SLOPE_H
#define CAROM_DERIVATIVE_IMPULSE_SLOPE_H

#include <stddef.h>

#include <carom/derivative.h>

/* In numbers. */
size_t crm_impulse_slope_workspace(int contact_count);

/* Weights of a function of the outcome; gradient NULL: a Jacobian is wanted instead. */
typedef struct Reverse {
    const double *impulse, *velocity; /* either may be NULL */
    double *gradient;
} Reverse;

/* Solve and differentiate; fills the Jacobians and kinks of *derivative and the gradient. On
 * failure only derivative->message is set. */
CaromStatus crm_impulse_slope(const CaromProblem *problem, double *workspace, CaromResult *result,
                              const Reverse *reverse, CaromDerivative *derivative);

#endif
