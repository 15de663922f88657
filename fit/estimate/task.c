/* Parameters as variables of the descent. */
#include "estimate/task.h"

#include <math.h>

bool crm_task_is_log(const CaromFitParameter *parameter) {
    return parameter->coefficient == CAROM_COEFFICIENT_STIFFNESS ||
           parameter->coefficient == CAROM_COEFFICIENT_STIFFNESS_RATIO;
}

double crm_task_value(const CaromFitParameter *parameter, double variable) {
    double value = crm_task_is_log(parameter) ? exp(variable) : variable;
    /* the logarithm of a bound does not come back to its last digit */
    return fmin(fmax(value, parameter->low), parameter->high);
}

double crm_task_variable(const CaromFitParameter *parameter, double value) {
    return crm_task_is_log(parameter) ? log(value) : value;
}

double crm_task_slope(const CaromFitParameter *parameter, double variable) {
    return crm_task_is_log(parameter) ? exp(variable) : 1;
}

void crm_task_values(const Task *task, const double *x, double *values) {
    for (int k = 0; k < task->count; k++) {
        values[k] = crm_task_value(&task->parameters[k], x[k]);
    }
}
