/* One pass over the rows: the objective, its triangle, or what a report needs. */
#ifndef CAROM_FIT_ESTIMATE_PASS_H
#define CAROM_FIT_ESTIMATE_PASS_H

#include <stdbool.h>
#include <stddef.h>

#include "descent/triangle.h"
#include "estimate/task.h"

/* The objective at x and, unless NULL, its triangle: a DescentEvaluate with a Task as context. */
bool crm_pass_evaluate(void *task, const double *x, double *objective, Triangle *triangle);

/* What is known about the rows at x. */
typedef struct PassSurvey {
    size_t rows, residuals;         /* rows with a number, and their numbers */
    size_t slipped, stuck, sliding; /* rows that slip throughout, end in stick, slide at first */
    size_t compliant;
    size_t bad;       /* index of the first row that cannot be used; rows of the data: none */
    char reason[160]; /* why */
    bool sigma_given, sigma_missing, uncertain;
    bool differences; /* of one part */
    double squares;   /* sum of squared residuals, not divided by sigma */
    double chi2;      /* divided */
    double numbers;   /* sum of squared measured numbers over sigma */
} PassSurvey;

/* Look at every row. distances (NULL: not wanted): each row's root mean square residual in units of
 * sigma; NAN for rows that do not count. False: out of memory. */
bool crm_pass_survey(const Task *task, const double *x, PassSurvey *survey, double *distances);

/* The sum over rows of g g^T (count x count by rows), g = J_i^T (1 - H_i)^-1 r_i, with the row's
 * leverage H_i = J_i A^-1 J_i^T: the change of the sum of all gradients by leaving a row out.
 * False: out of memory. */
bool crm_pass_leave_out(const Task *task, const double *x, const double *inverse, double *sum);

#endif
