/* Other minima that fit as well. */
#include "estimate/rivals.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An interval that a rival makes so many times as wide says that the data do not choose. */
#define MUCH_WIDER 2

int crm_rivals_descend(const Task *task, Starts *starts, double *x, DescentEnd *end) {
    DescentEnd *other = starts->count > 1 ? malloc(sizeof *other) : NULL;
    int passes = 0;
    for (int i = 0; other && i < starts->count; i++) {
        Minimum *minimum = &starts->ends[i];
        crm_starts_descend(task, minimum->x, 1e-11, 60, other);
        passes += other->passes;
        minimum->objective = other->found ? other->objective : INFINITY;
        if (minimum->objective < (1 - 1e-9) * end->objective) {
            memcpy(x, minimum->x, (size_t)task->count * sizeof *x);
            *end = *other;
        }
    }
    free(other);
    return passes;
}

/* Parameter k has the value `rival` in another minimum. */
static void judge_rival(const CaromFitParameter *parameter, double rival,
                        CaromFitEstimate *estimate) {
    double before =
        crm_task_variable(parameter, estimate->high) - crm_task_variable(parameter, estimate->low);
    if (!(rival < estimate->low || rival > estimate->high)) {
        return;
    }
    estimate->low = fmin(estimate->low, rival);
    estimate->high = fmax(estimate->high, rival);
    estimate->linear = 0;
    double now =
        crm_task_variable(parameter, estimate->high) - crm_task_variable(parameter, estimate->low);
    if (estimate->identified && now > MUCH_WIDER * before) {
        estimate->identified = 0;
        estimate->standard_error = NAN;
        snprintf(estimate->reason, sizeof estimate->reason,
                 "%s %.4g fits as well within 95 %%: the data do not choose between them",
                 crm_errors_name(parameter->coefficient), rival);
    } else if (estimate->identified) {
        estimate->standard_error *= now / before;
    }
}

void crm_rivals_judge(const Task *task, const Starts *starts, double objective,
                      const Errors *errors, CaromFitEstimate *estimates) {
    double limit = objective + errors->quantile * errors->quantile * errors->factor;
    for (int i = 0; i < starts->count; i++) {
        for (int k = 0; k < task->count && starts->ends[i].objective <= limit; k++) {
            const CaromFitParameter *parameter = &task->parameters[k];
            judge_rival(parameter, crm_task_value(parameter, starts->ends[i].x[k]), &estimates[k]);
        }
    }
}
