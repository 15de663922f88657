/* Confidence intervals by profile: where the objective, minimised over all other parameters, has
 * risen by as much as 95 % allow. Right also where the objective is no parabola. */
#ifndef CAROM_FIT_ESTIMATE_PROFILE_H
#define CAROM_FIT_ESTIMATE_PROFILE_H

#include "estimate/errors.h"
#include "estimate/task.h"

/* The interval of parameter k, within the bounds, into *estimate (low, high, profiled, linear).
 * objective: at the minimum x. *lower, if the profile comes below it: the lowest objective and its
 * place; so x was one of several minima, and not the best. */
typedef struct ProfileLower {
    double objective, x[CAROM_FIT_PARAMETERS_MAX];
} ProfileLower;

void crm_profile_interval(const Task *task, const double *x, double objective, const Errors *errors,
                          int k, CaromFitEstimate *estimate, ProfileLower *lower);

#endif
