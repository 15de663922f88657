/* From measured impacts to coefficients. */
#include <carom/fit.h>

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/errors.h"
#include "estimate/pass.h"
#include "estimate/profile.h"
#include "estimate/rivals.h"
#include "estimate/starts.h"
#include "estimate/task.h"

/* Above this, a profile needs many passes over much data, and is a parabola anyway. */
enum { PROFILE_ROWS = 20000 };

/* Rounds of a robust loss (scale) and of uncertain inputs (reference values). */
enum { ROUNDS = 4 };

CaromFitParameter carom_fit_parameter(CaromCoefficient coefficient, int contact) {
    CaromFitParameter parameter = {
        .coefficient = coefficient, .contact = contact, .low = 1e-3, .high = 1e3, .start = NAN};
    if (coefficient == CAROM_COEFFICIENT_MU || coefficient == CAROM_COEFFICIENT_MU_STATIC) {
        parameter.low = 0;
        parameter.high = 10;
    } else if (coefficient == CAROM_COEFFICIENT_E) {
        parameter.low = 0;
        parameter.high = 1;
    }
    return parameter;
}

CaromFitOptions carom_fit_options_default(void) {
    return (CaromFitOptions){0};
}

__attribute__((format(printf, 3, 4))) static CaromStatus
fail(CaromFitResult *result, CaromStatus status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(result->message, sizeof result->message, format, arguments);
    va_end(arguments);
    result->status = status;
    return status;
}

/* Numbers are NAN until they are known. */
static void clear(CaromFitResult *result) {
    memset(result, 0, sizeof *result);
    for (int i = 0; i < CAROM_FIT_PARAMETERS_MAX * CAROM_FIT_PARAMETERS_MAX; i++) {
        result->correlation[i] = result->covariance[i] = NAN;
    }
    for (int k = 0; k < CAROM_FIT_PARAMETERS_MAX; k++) {
        result->parameters[k] =
            (CaromFitEstimate){.value = NAN, .standard_error = NAN, .low = NAN, .high = NAN};
    }
    result->rms = result->chi2 = result->scale = NAN;
}

static const char *check_parameter(const CaromFitParameter *parameter) {
    bool known = parameter->coefficient >= 0 && parameter->coefficient < CAROM_COEFFICIENT_COUNT;
    if (!known || parameter->coefficient == CAROM_COEFFICIENT_MU_STATIC) {
        return "must be mu, e, stiffness or stiffness_ratio: outcomes do not depend smoothly on "
               "mu_static";
    }
    if (!(parameter->low <= parameter->high) || !isfinite(parameter->low) ||
        !isfinite(parameter->high)) {
        return "bounds: low must be at most high, both finite";
    }
    CaromFitParameter widest = carom_fit_parameter(parameter->coefficient, 0);
    bool stiff = crm_task_is_log(parameter);
    if (parameter->low < (stiff ? 1e-300 : widest.low) ||
        (parameter->coefficient == CAROM_COEFFICIENT_E && parameter->high > 1)) {
        return "bounds: mu must be >= 0, e in [0, 1], stiffnesses > 0";
    }
    return NULL;
}

static CaromStatus check_parameters(const CaromFitParameter *parameters, int count,
                                    CaromFitResult *result) {
    if (count < 1 || count > CAROM_FIT_PARAMETERS_MAX) {
        return fail(result, CAROM_INVALID_INPUT, "parameters: must be 1 to %d",
                    CAROM_FIT_PARAMETERS_MAX);
    }
    for (int k = 0; k < count; k++) {
        const char *wrong = check_parameter(&parameters[k]);
        if (wrong) {
            return fail(result, CAROM_INVALID_INPUT, "parameter %d: %s", k, wrong);
        }
        for (int j = 0; j < k; j++) {
            bool same_contact = parameters[j].contact == parameters[k].contact ||
                                parameters[j].contact == CAROM_FIT_ALL_CONTACTS ||
                                parameters[k].contact == CAROM_FIT_ALL_CONTACTS;
            if (parameters[j].coefficient == parameters[k].coefficient && same_contact) {
                return fail(result, CAROM_INVALID_INPUT, "parameter %d: %s is there twice", k,
                            crm_errors_name(parameters[k].coefficient));
            }
        }
    }
    return CAROM_OK;
}

static void fill_task(const CaromFitData *data, const CaromFitParameter *parameters, int count,
                      const CaromFitOptions *options, bool *differences, Task *task) {
    *task = (Task){.data = data,
                   .stride = 1,
                   .parameters = parameters,
                   .count = count,
                   .options = options,
                   .scale = 1,
                   .differences = differences};
    for (int k = 0; k < count; k++) {
        task->low[k] = crm_task_variable(&parameters[k], parameters[k].low);
        task->high[k] = crm_task_variable(&parameters[k], parameters[k].high);
    }
}

/* Can every row be used? Looked at in the middle of the bounds' usual part. */
static CaromStatus check_rows(const Task *task, PassSurvey *survey, CaromFitResult *result) {
    double x[CAROM_FIT_PARAMETERS_MAX];
    size_t free = 0;
    for (int k = 0; k < task->count; k++) {
        double usual = task->parameters[k].coefficient == CAROM_COEFFICIENT_E ? 0.5 : 0.3;
        x[k] = crm_task_is_log(&task->parameters[k]) ? 0 : usual;
        x[k] = fmin(fmax(x[k], task->low[k]), task->high[k]);
        free += task->low[k] < task->high[k];
    }
    if (!crm_pass_survey(task, x, survey, NULL)) {
        return fail(result, CAROM_INVALID_INPUT, "out of memory");
    }
    if (survey->bad < task->data->rows) {
        return fail(result, CAROM_INVALID_INPUT, "row %zu: %s", survey->bad, survey->reason);
    }
    if (survey->sigma_given && survey->sigma_missing) {
        return fail(result, CAROM_INVALID_INPUT, "sigma: given for some rows and not for others");
    }
    if (survey->uncertain && survey->sigma_missing) {
        return fail(result, CAROM_INVALID_INPUT,
                    "sigmas of inputs (the velocity before) need a sigma of the numbers after");
    }
    if (survey->residuals == 0) {
        return fail(result, CAROM_INVALID_INPUT, "there is no measured number in the data");
    }
    if (survey->residuals < free) {
        return fail(result, CAROM_INVALID_INPUT,
                    "%zu measured number%s cannot determine %zu parameters", survey->residuals,
                    survey->residuals == 1 ? "" : "s", free);
    }
    return CAROM_OK;
}

/* The number of rank middle among those that are not NAN, all >= 0: their bit patterns are in the
 * same order, and are told one byte after the other, so that nothing is copied or moved. */
static double select_number(const double *numbers, size_t count, size_t rank) {
    uint64_t known = 0, mask = 0, bits;
    for (int shift = 56; shift >= 0; shift -= 8) {
        size_t counts[256] = {0};
        for (size_t i = 0; i < count; i++) {
            memcpy(&bits, &numbers[i], sizeof bits);
            if (!isnan(numbers[i]) && (bits & mask) == known) {
                counts[bits >> shift & 255]++;
            }
        }
        uint64_t byte = 0;
        while (byte < 255 && rank >= counts[byte]) {
            rank -= counts[byte++];
        }
        known |= byte << shift;
        mask |= (uint64_t)255 << shift;
    }
    double number;
    memcpy(&number, &known, sizeof number);
    return number;
}

/* The standard deviation of a residual by the median of the rows' root mean squares, as if there
 * were three numbers in a row. NAN: there is no row. */
static double median_scale(const double *distances, size_t rows) {
    size_t count = 0;
    for (size_t i = 0; i < rows; i++) {
        count += isnan(distances[i]) ? 0 : 1;
    }
    /* sqrt(median of chi^2 with 3, 2.366, over 3) */
    return count > 0 ? select_number(distances, rows, count / 2) / 0.888 : NAN;
}

/* The minimum; a robust loss and uncertain velocities need the result to weigh the rows. */
static CaromStatus minimise(Task *task, const PassSurvey *survey, double *distances, double *x,
                            Starts *starts, DescentEnd *end, CaromFitResult *result) {
    double reference[CAROM_FIT_PARAMETERS_MAX];
    PassSurvey now;
    if (!crm_starts_run(task, x, end, starts)) {
        return fail(result, CAROM_NOT_CONVERGED, "no start came to a minimum");
    }
    result->starts = starts->starts;
    result->minima = starts->minima;
    result->passes = end->passes;
    bool robust = task->options->loss != CAROM_FIT_SQUARES, uncertain = survey->uncertain;
    for (int round = 0; round < ROUNDS && (robust || uncertain); round++) {
        if (!crm_pass_survey(task, x, &now, distances)) {
            return fail(result, CAROM_INVALID_INPUT, "out of memory");
        }
        double scale = median_scale(distances, task->data->rows);
        task->loss = task->options->loss;
        task->scale = scale > 0 ? scale : 1;
        if (uncertain) {
            crm_task_values(task, x, reference);
            task->reference = reference;
        }
        crm_starts_descend(task, x, 1e-11, 60, end);
        result->passes += end->passes;
        if (!end->found) {
            return fail(result, CAROM_NOT_CONVERGED, "the weighted fit has no minimum");
        }
    }
    task->reference = NULL;
    if (uncertain) { /* the caller's memory: reference ends with this function */
        crm_task_values(task, x, task->reference_values);
        task->reference = task->reference_values;
    }
    if (robust || uncertain) { /* the other minima by the same measure */
        result->passes += crm_rivals_descend(task, starts, x, end);
    }
    return CAROM_OK;
}

/* An interval by profile that has the whole range of a parameter: a standard error is that of one
 * side or of one place only. */
static void judge_interval(const CaromFitParameter *parameter, CaromFitEstimate *estimate) {
    double width = estimate->high - estimate->low, most = 0.9;
    if (crm_task_is_log(parameter)) {
        width = log(estimate->high / estimate->low);
        most = 4; /* a factor of 55 */
    } else if (parameter->coefficient == CAROM_COEFFICIENT_MU) {
        most = fmax(1, 4 * estimate->value);
    }
    /* the logarithm of a bound does not come back to its last digit */
    bool lowest = estimate->value <= parameter->low * (1 + 1e-12);
    bool highest = estimate->value >= parameter->high * (1 - 1e-12);
    if (estimate->identified && crm_task_is_log(parameter) && (lowest || highest)) {
        estimate->identified = 0;
        estimate->standard_error = NAN;
        snprintf(estimate->reason, sizeof estimate->reason,
                 "at the end of its range: the data only tell that %s is %s %.3g (95 %%)",
                 crm_errors_name(parameter->coefficient), lowest ? "below" : "above",
                 lowest ? estimate->high : estimate->low);
    } else if (estimate->identified && width > most) {
        estimate->identified = 0;
        estimate->standard_error = NAN;
        snprintf(estimate->reason, sizeof estimate->reason,
                 "every %s from %.3g to %.3g fits within 95 %%: it is not told",
                 crm_errors_name(parameter->coefficient), estimate->low, estimate->high);
    }
}

/* A stiffness ratio that is not told, in the plain case: with the usual one every contact slips
 * throughout. */
static void explain_ratio(const Task *task, const double *x, int k, CaromFitEstimate *estimate) {
    double usual[CAROM_FIT_PARAMETERS_MAX];
    PassSurvey survey;
    memcpy(usual, x, (size_t)task->count * sizeof *usual);
    usual[k] = log(carom_contact_default().stiffness_ratio);
    if (crm_pass_survey(task, usual, &survey, NULL) && survey.slipped == survey.rows) {
        snprintf(estimate->reason, sizeof estimate->reason,
                 "every contact slipped throughout: stiffness_ratio cannot be told");
    }
}

/* Values, standard errors and intervals. */
static void fill_estimates(const Task *task, const double *x, double objective,
                           const Errors *errors, const PassSurvey *survey, ProfileLower *lower,
                           CaromFitResult *result) {
    bool profile = !task->options->no_profile && survey->rows <= PROFILE_ROWS;
    /* one row without sigma does not tell how much measurements scatter */
    bool scatter = survey->rows > 1 || survey->sigma_given;
    int n = task->count;
    for (int k = 0; k < n; k++) {
        const CaromFitParameter *parameter = &task->parameters[k];
        CaromFitEstimate *estimate = &result->parameters[k];
        double slope = crm_task_slope(parameter, x[k]), error = errors->standard[k];
        estimate->value = crm_task_value(parameter, x[k]);
        estimate->identified = errors->told[k];
        estimate->standard_error = errors->told[k] && scatter ? error * slope : NAN;
        estimate->low = estimate->high = NAN;
        if (errors->told[k] && scatter) {
            double low = fmax(x[k] - errors->quantile * error, task->low[k]);
            double high = fmin(x[k] + errors->quantile * error, task->high[k]);
            estimate->low = crm_task_value(parameter, low);
            estimate->high = crm_task_value(parameter, high);
            estimate->linear = 1;
        }
        if (profile && scatter && isfinite(errors->factor) && errors->factor > 0 &&
            task->low[k] < task->high[k]) {
            crm_profile_interval(task, x, objective, errors, k, estimate, lower);
            judge_interval(parameter, estimate);
        }
        if (!estimate->identified && survey->compliant > 0 &&
            parameter->coefficient == CAROM_COEFFICIENT_STIFFNESS_RATIO) {
            explain_ratio(task, x, k, estimate);
        }
        for (int j = 0; j < n; j++) {
            double c = errors->covariance[k * n + j];
            int at = k * CAROM_FIT_PARAMETERS_MAX + j;
            bool told = errors->told[k] && errors->told[j];
            result->covariance[at] =
                told ? c * slope * crm_task_slope(&task->parameters[j], x[j]) : NAN;
            result->correlation[at] = told ? c / (errors->standard[k] * errors->standard[j]) : NAN;
        }
    }
}

/* A parameter that is given has no error; one whose bounds are equal counts as told. */
static void finish(const PassSurvey *survey, double scale, CaromFitResult *result) {
    result->rows = survey->rows;
    result->residuals = survey->residuals;
    result->rms = sqrt(survey->squares / (double)survey->residuals);
    result->chi2 = survey->chi2;
    result->sigma_given = survey->sigma_given;
    result->slipped = survey->slipped;
    result->stuck = survey->stuck;
    result->scale = scale;
    result->status = CAROM_OK;
}

/* What is known at the minimum x. A profile that comes lower moves it there, and is made again. */
static bool judge(const Task *task, double *x, DescentEnd *end, PassSurvey *survey,
                  double *distances, Errors *errors, CaromFitResult *result) {
    for (int round = 0; round < ROUNDS; round++) {
        ProfileLower lower = {.objective = end->objective};
        if (!crm_pass_survey(task, x, survey, distances) ||
            !crm_errors_compute(task, x, &end->triangle, survey, errors, result->parameters)) {
            return false;
        }
        fill_estimates(task, x, end->objective, errors, survey, &lower, result);
        /* by enough to matter: an interval of 95 % is a rise by 3.84 factors or more. The last
         * profile is kept as it is. */
        if (!(end->objective - lower.objective > 0.1 * errors->factor) || round == ROUNDS - 1) {
            return true;
        }
        memcpy(x, lower.x, (size_t)task->count * sizeof *x);
        crm_starts_descend(task, x, 1e-11, 60, end);
        result->passes += end->passes;
        result->minima++;
    }
    return true;
}

/* There is no correlation with what is not identified. */
static void hide_unknown(int count, CaromFitResult *result) {
    for (int k = 0; k < count; k++) {
        for (int j = 0; j < count; j++) {
            if (!result->parameters[k].identified || !result->parameters[j].identified) {
                int at = k * CAROM_FIT_PARAMETERS_MAX + j;
                result->covariance[at] = result->correlation[at] = NAN;
            }
        }
    }
}

static CaromStatus run(Task *task, double *distances, DescentEnd *end, Errors *errors,
                       CaromFitResult *result) {
    double x[CAROM_FIT_PARAMETERS_MAX];
    PassSurvey survey;
    Starts starts;
    if (check_rows(task, &survey, result) < 0 ||
        minimise(task, &survey, distances, x, &starts, end, result) < 0) {
        return result->status;
    }
    if (!judge(task, x, end, &survey, distances, errors, result)) {
        return fail(result, CAROM_INVALID_INPUT, "out of memory");
    }
    crm_rivals_judge(task, &starts, end->objective, errors, result->parameters);
    hide_unknown(task->count, result);
    double scale = median_scale(distances, task->data->rows);
    for (size_t i = 0; i < task->data->rows && scale > 0; i++) {
        distances[i] /= scale;
    }
    finish(&survey, scale, result);
    return CAROM_OK;
}

CaromStatus carom_fit(const CaromFitData *data, const CaromFitParameter *parameters, int count,
                      const CaromFitOptions *options, double *distances, CaromFitResult *result) {
    const CaromFitOptions standard = carom_fit_options_default();
    bool differences = false;
    Task task;
    if (!result) {
        return CAROM_INVALID_INPUT;
    }
    clear(result);
    if (!data || !data->read || !parameters) {
        return fail(result, CAROM_INVALID_INPUT, "data, parameters: NULL");
    }
    if (check_parameters(parameters, count, result) < 0) {
        return result->status;
    }
    double *own = distances ? NULL : malloc((data->rows + 1) * sizeof *own);
    DescentEnd *end = malloc(sizeof *end);
    Errors *errors = malloc(sizeof *errors);
    fill_task(data, parameters, count, options ? options : &standard, &differences, &task);
    CaromStatus status = (distances || own) && end && errors
                             ? run(&task, distances ? distances : own, end, errors, result)
                             : fail(result, CAROM_INVALID_INPUT, "out of memory");
    result->differences = differences;
    free(own);
    free(end);
    free(errors);
    return status;
}
