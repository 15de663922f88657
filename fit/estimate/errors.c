/* Standard errors, correlations, and which parameters the data can tell.
 *
 * Linear: (J^T J)^-1 times the variance of a residual, which is estimated by chi^2 over the degrees
 * of freedom; with given sigmas it is not taken below 1. By leaving out: (J^T J)^-1 B (J^T J)^-1,
 * B = sum g g^T over rows (crm_pass_leave_out), to first order the scatter of the estimate when one
 * row after another is left out. It holds whatever the noise of each row is, the linear one if all
 * rows have the same; with few rows it is uncertain itself. The larger counts. */
#include "estimate/errors.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A parameter whose full range of effect is below this part of the measured numbers has none:
 * rounding and differences are below it. */
#define NO_EFFECT 1e-7

/* Smallest part of a column of J that is not a combination of others: standard errors beyond 1e5
 * times those of the parameter alone mean nothing. */
#define DEPENDENT 1e-5

const char *crm_errors_name(CaromCoefficient coefficient) {
    static const char *const names[CAROM_COEFFICIENT_COUNT] = {"mu", "mu_static", "e", "stiffness",
                                                               "stiffness_ratio"};
    return names[coefficient];
}

/* Change of a variable that counts as its full range: that of e, and a factor of 2.7 of a
 * stiffness. */
static double range_of(const CaromFitParameter *parameter) {
    return parameter->coefficient == CAROM_COEFFICIENT_E || crm_task_is_log(parameter) ? 1 : 0.5;
}

/* Why the measured numbers do not change with a parameter. */
static void explain(const CaromFitParameter *parameter, const PassSurvey *survey, double value,
                    char *text, size_t size) {
    const char *name = crm_errors_name(parameter->coefficient);
    bool ratio = parameter->coefficient == CAROM_COEFFICIENT_STIFFNESS_RATIO;
    bool stiffness = parameter->coefficient == CAROM_COEFFICIENT_STIFFNESS;
    if ((ratio || stiffness) && survey->compliant == 0) {
        snprintf(text, size, "the rigid model has no stiffness: %s cannot be told", name);
    } else if (ratio && survey->slipped == survey->rows) {
        snprintf(text, size, "every contact slipped throughout: stiffness_ratio cannot be told");
    } else if (stiffness) {
        snprintf(text, size,
                 "only ratios of stiffnesses between contacts act: stiffness cannot be "
                 "told");
    } else if (parameter->coefficient == CAROM_COEFFICIENT_MU && survey->sliding == 0) {
        snprintf(text, size, "no contact slides before the impact: mu cannot be told");
    } else if (parameter->coefficient == CAROM_COEFFICIENT_MU && survey->stuck == survey->rows) {
        snprintf(text, size,
                 "slip stopped in every impact: mu is only known to be large enough for that; %.3g "
                 "is one value that fits",
                 value);
    } else {
        snprintf(text, size, "the measured numbers do not change with %s: it cannot be told", name);
    }
}

/* The norm of a column of R; with independent: of the part that is no combination of the columns
 * of other parameters that are told (Gram and Schmidt). */
static double column_norm(const Triangle *triangle, const bool *told, int column,
                          bool independent) {
    int n = triangle->n, width = n + 1, known = 0;
    double basis[CAROM_FIT_PARAMETERS_MAX][CAROM_FIT_PARAMETERS_MAX + 1], v[TRIANGLE_MAX + 1];
    for (int pick = 0; pick <= n; pick++) {
        int j = pick < n ? pick : column; /* the column itself comes last */
        if (pick < n && (j == column || !independent || !told[j])) {
            continue;
        }
        for (int i = 0; i < width; i++) {
            v[i] = triangle->R[i * width + j];
        }
        double before = 0, norm = 0;
        for (int i = 0; i < width; i++) {
            before = hypot(before, v[i]);
        }
        for (int twice = 0; twice < 2; twice++) {
            for (int k = 0; k < known; k++) {
                double dot = 0;
                for (int i = 0; i < width; i++) {
                    dot += basis[k][i] * v[i];
                }
                for (int i = 0; i < width; i++) {
                    v[i] -= dot * basis[k][i];
                }
            }
        }
        for (int i = 0; i < width; i++) {
            norm = hypot(norm, v[i]);
        }
        if (j == column && pick == n) {
            return norm;
        }
        if (norm > 1e-9 * before && norm > 0) {
            for (int i = 0; i < width; i++) {
                basis[known][i] = v[i] / norm;
            }
            known++;
        }
    }
    return 0;
}

/* The inverse of J^T J of the parameters that are told (count apart; 0 for others), by Gauss and
 * Jordan on the scaled matrix: its condition is limited by DEPENDENT. */
static void invert(const Triangle *triangle, const bool *told, double *inverse) {
    int n = triangle->n;
    double gram[TRIANGLE_MAX * TRIANGLE_MAX], a[TRIANGLE_MAX][2 * TRIANGLE_MAX];
    crm_triangle_gram(triangle, gram);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double scale = sqrt(gram[i * n + i] * gram[j * n + j]);
            a[i][j] = told[i] && told[j] ? gram[i * n + j] / scale : i == j;
            a[i][n + j] = i == j;
        }
    }
    for (int k = 0; k < n; k++) {
        double pivot = a[k][k];
        for (int j = 0; j < 2 * n; j++) {
            a[k][j] /= pivot;
        }
        for (int i = 0; i < n; i++) {
            double factor = i == k ? 0 : a[i][k];
            for (int j = 0; j < 2 * n && factor != 0; j++) {
                a[i][j] -= factor * a[k][j];
            }
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            inverse[i * n + j] =
                told[i] && told[j] ? a[i][n + j] / sqrt(gram[i * n + i] * gram[j * n + j]) : 0;
        }
    }
}

/* Which parameters act, and are no combination of others. */
static void judge_effects(const Task *task, const double *x, const Triangle *triangle,
                          const PassSurvey *survey, Errors *errors, CaromFitEstimate *estimates) {
    int n = task->count;
    for (int k = 0; k < n; k++) {
        double effect = column_norm(triangle, NULL, k, false) * range_of(&task->parameters[k]);
        errors->told[k] = effect > NO_EFFECT * sqrt(survey->numbers);
        estimates[k].reason[0] = '\0';
        if (!errors->told[k]) {
            explain(&task->parameters[k], survey, crm_task_value(&task->parameters[k], x[k]),
                    estimates[k].reason, sizeof estimates[k].reason);
        }
    }
    bool dependent[CAROM_FIT_PARAMETERS_MAX] = {false};
    for (int k = 0; k < n; k++) {
        dependent[k] = errors->told[k] && column_norm(triangle, errors->told, k, true) <
                                              DEPENDENT * column_norm(triangle, NULL, k, false);
    }
    for (int k = 0; k < n; k++) {
        if (dependent[k]) {
            errors->told[k] = false;
            snprintf(estimates[k].reason, sizeof estimates[k].reason,
                     "only a combination of %s and other parameters can be told, not %s by itself",
                     crm_errors_name(task->parameters[k].coefficient),
                     crm_errors_name(task->parameters[k].coefficient));
        }
    }
}

/* sandwich = A^-1 B A^-1. */
static void multiply(const double *inverse, const double *sum, int n, double *sandwich) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double total = 0;
            for (int k = 0; k < n; k++) {
                for (int l = 0; l < n; l++) {
                    total += inverse[i * n + k] * sum[k * n + l] * inverse[l * n + j];
                }
            }
            sandwich[i * n + j] = total;
        }
    }
}

/* Standard errors that say nothing: as large as the range of the parameter. */
static void judge_sizes(const Task *task, const double *x, Errors *errors,
                        CaromFitEstimate *estimates) {
    for (int k = 0; k < task->count; k++) {
        const CaromFitParameter *parameter = &task->parameters[k];
        double value = crm_task_value(parameter, x[k]), most = range_of(parameter);
        most = parameter->coefficient == CAROM_COEFFICIENT_MU ? fmax(most, value) : most;
        if (errors->told[k] && !(errors->standard[k] <= most)) {
            errors->told[k] = false;
            snprintf(estimates[k].reason, sizeof estimates[k].reason,
                     "too few or too noisy data: the standard error of %s would be %.2g",
                     crm_errors_name(parameter->coefficient),
                     errors->standard[k] * crm_task_slope(parameter, x[k]));
        }
    }
}

/* The 97.5 % quantile of Student's distribution: by Fisher and Cornish's series, within 0.3 % from
 * 3 degrees of freedom on. */
static double student_quantile(double freedom) {
    const double z = 1.959963984540054, n = 1 / freedom;
    if (freedom < 1.5) {
        return 12.7062047361747; /* tan(0.475 pi) */
    }
    if (freedom < 2.5) {
        return 4.30265272974946;
    }
    double z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z;
    return z + n * ((z3 + z) / 4 + n * ((5 * z5 + 16 * z3 + 3 * z) / 96 +
                                        n * (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / 384));
}

bool crm_errors_compute(const Task *task, const double *x, const Triangle *triangle,
                        const PassSurvey *survey, Errors *errors, CaromFitEstimate *estimates) {
    int n = task->count, told = 0;
    double inverse[TRIANGLE_MAX * TRIANGLE_MAX], sum[TRIANGLE_MAX * TRIANGLE_MAX];
    double sandwich[TRIANGLE_MAX * TRIANGLE_MAX];
    judge_effects(task, x, triangle, survey, errors, estimates);
    for (int k = 0; k < n; k++) {
        told += errors->told[k];
    }
    invert(triangle, errors->told, inverse);
    if (!crm_pass_leave_out(task, x, inverse, sum)) {
        return false;
    }
    multiply(inverse, sum, n, sandwich);
    double freedom = (double)survey->residuals - told;
    double zero[TRIANGLE_MAX] = {0}, square = crm_triangle_value(triangle, zero);
    errors->factor = freedom > 0 ? square / freedom : NAN;
    errors->quantile = student_quantile(fmax(freedom, 1));
    if (survey->sigma_given && !survey->sigma_missing) {
        errors->quantile = student_quantile(INFINITY);
        /* a model that does not fit is not right, also without degrees of freedom */
        errors->factor = fmax(1, square / fmax(freedom, 1));
    }
    for (int k = 0; k < n; k++) {
        errors->linear[k] = sqrt(errors->factor * inverse[k * n + k]);
        /* with one row to leave out nothing is learned from it */
        double rows = survey->rows > 1 ? sqrt(sandwich[k * n + k]) : 0;
        errors->standard[k] = isnan(errors->linear[k]) ? INFINITY : fmax(errors->linear[k], rows);
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double unit = sqrt(inverse[i * n + i] * inverse[j * n + j]);
            errors->covariance[i * n + j] =
                errors->told[i] && errors->told[j]
                    ? inverse[i * n + j] / unit * errors->standard[i] * errors->standard[j]
                    : NAN;
        }
    }
    judge_sizes(task, x, errors, estimates);
    return true;
}
