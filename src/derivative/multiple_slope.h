/* Derivatives of several compliant contacts. */
#ifndef CAROM_DERIVATIVE_MULTIPLE_SLOPE_H
#define CAROM_DERIVATIVE_MULTIPLE_SLOPE_H

#include <stddef.h>

#include <carom/derivative.h>

#include "derivative/impulse_slope.h"

/* In numbers. */
size_t crm_multiple_slope_workspace(int contact_count);

/* As crm_impulse_slope(). */
CaromStatus crm_multiple_slope(const CaromProblem *problem, double *workspace, CaromResult *result,
                               const Reverse *reverse, CaromDerivative *derivative);

/* The same for one contact, with a workspace on the stack. */
CaromStatus crm_multiple_slope_one(const CaromProblem *problem, CaromResult *result,
                                   const Reverse *reverse, CaromDerivative *derivative);

#endif
