/* Standard errors, correlations, and which parameters the data can tell. */
#ifndef CAROM_FIT_ESTIMATE_ERRORS_H
#define CAROM_FIT_ESTIMATE_ERRORS_H

#include "descent/triangle.h"
#include "estimate/pass.h"
#include "estimate/task.h"

/* Of the fit's end. */
typedef struct Errors {
    bool told[CAROM_FIT_PARAMETERS_MAX];       /* the data tell the parameter */
    double linear[CAROM_FIT_PARAMETERS_MAX];   /* standard errors of the variables, from J^T J */
    double standard[CAROM_FIT_PARAMETERS_MAX]; /* the larger of these and leaving out rows */
    double covariance[CAROM_FIT_PARAMETERS_MAX * CAROM_FIT_PARAMETERS_MAX]; /* count apart, of the
                                                  variables; scaled to the standard errors */
    double factor;   /* of the variance: the scatter of the residuals in units of sigma, squared */
    double quantile; /* a 95 % interval is value -+ this many standard errors: 1.96, or Student's
                        where the scatter is known from few residuals only */
} Errors;

/* False: out of memory. reasons: one for each parameter, "" if it is told. */
bool crm_errors_compute(const Task *task, const double *x, const Triangle *triangle,
                        const PassSurvey *survey, Errors *errors, CaromFitEstimate *estimates);

/* The name of a coefficient: "mu". */
const char *crm_errors_name(CaromCoefficient coefficient);

#endif
