/* Confidence intervals by profile. */
#include "estimate/profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/starts.h"

/* Steps that look for a point outside, and halvings after it: the end is known to a hundredth of
 * the interval. */
enum { STEPS = 12, HALVINGS = 7 };

/* The objective with variable k held at a place, minimised over the others from *y, which moves. */
static double profile_at(const Task *task, int k, double place, double *y, DescentEnd *end,
                         ProfileLower *lower) {
    Task held = *task;
    held.low[k] = held.high[k] = y[k] = place;
    crm_starts_descend(&held, y, 1e-7, 15, end);
    if (end->found && end->objective < lower->objective) {
        lower->objective = end->objective;
        memcpy(lower->x, y, (size_t)task->count * sizeof *y);
    }
    return end->found ? end->objective : INFINITY;
}

/* One end of the interval; sign -1: the lower. */
static double find_end(const Task *task, const double *x, double limit, double step, int k,
                       double sign, DescentEnd *end, ProfileLower *lower) {
    double bound = sign < 0 ? task->low[k] : task->high[k], inside = x[k], outside = bound;
    double y[CAROM_FIT_PARAMETERS_MAX], kept[CAROM_FIT_PARAMETERS_MAX];
    bool found = false;
    memcpy(y, x, sizeof *x * (size_t)task->count);
    for (int i = 0; i < STEPS && !found && inside != bound; i++, step *= 2) {
        double place = sign < 0 ? fmax(inside - step, bound) : fmin(inside + step, bound);
        memcpy(kept, y, sizeof kept);
        found = profile_at(task, k, place, y, end, lower) > limit;
        outside = place;
        inside = found ? inside : place;
    }
    if (!found) {
        return inside;
    }
    for (int i = 0; i < HALVINGS; i++) {
        double middle = (inside + outside) / 2;
        memcpy(y, kept, sizeof y);
        if (profile_at(task, k, middle, y, end, lower) > limit) {
            outside = middle;
        } else {
            inside = middle;
            memcpy(kept, y, sizeof kept);
        }
    }
    return (inside + outside) / 2;
}

void crm_profile_interval(const Task *task, const double *x, double objective, const Errors *errors,
                          int k, CaromFitEstimate *estimate, ProfileLower *lower) {
    const CaromFitParameter *parameter = &task->parameters[k];
    DescentEnd *end = malloc(sizeof *end);
    bool linear_known = isfinite(errors->linear[k]) && errors->linear[k] > 0;
    double grown = linear_known ? errors->standard[k] / errors->linear[k] : 1;
    double factor = isfinite(errors->factor) ? errors->factor : 0;
    /* standard errors that leaving out rows has made larger make the interval larger, too */
    double limit = objective + errors->quantile * errors->quantile * factor * grown * grown;
    double step = linear_known ? errors->standard[k] : 0.02 * fmax(fabs(x[k]), 0.5);
    if (!end) {
        return;
    }
    double low = find_end(task, x, limit, step, k, -1, end, lower);
    double high = find_end(task, x, limit, step, k, 1, end, lower);
    free(end);
    estimate->low = crm_task_value(parameter, low);
    estimate->high = crm_task_value(parameter, high);
    estimate->profiled = 1;
    double expected = errors->quantile * errors->standard[k];
    double below = (x[k] - low) / expected, above = (high - x[k]) / expected;
    estimate->linear = below > 0.8 && below < 1.25 && above > 0.8 && above < 1.25;
}
