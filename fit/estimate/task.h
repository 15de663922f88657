/* What a fit works on: data, parameters as variables of the descent, and how residuals count. */
#ifndef CAROM_FIT_ESTIMATE_TASK_H
#define CAROM_FIT_ESTIMATE_TASK_H

#include <stdbool.h>

#include <carom/fit.h>

/* Variables are the parameters themselves, but the logarithms of stiffnesses and their ratios:
 * these act by factors. */
typedef struct Task {
    const CaromFitData *data;
    size_t stride; /* rows 0, stride, 2 stride, ... */
    const CaromFitParameter *parameters;
    int count;
    const CaromFitOptions *options;
    CaromFitLoss loss;
    double scale; /* standard deviation of a residual in units of sigma, for the loss */
    /* Values at which uncertain inputs are propagated; NULL: they count as exact. */
    const double *reference;
    double reference_values[CAROM_FIT_PARAMETERS_MAX]; /* memory for it */
    bool *differences; /* set if a row was differentiated by differences; may be NULL */
    double low[CAROM_FIT_PARAMETERS_MAX], high[CAROM_FIT_PARAMETERS_MAX]; /* of the variables */
} Task;

bool crm_task_is_log(const CaromFitParameter *parameter);

/* A parameter's value from its variable, and back. */
double crm_task_value(const CaromFitParameter *parameter, double variable);
double crm_task_variable(const CaromFitParameter *parameter, double value);

/* d value/d variable. */
double crm_task_slope(const CaromFitParameter *parameter, double variable);

void crm_task_values(const Task *task, const double *x, double *values);

#endif
