/* A model on measured impacts: coefficients from one half, errors on the other. */
#ifndef CAROM_VALIDATION_JUDGE_H
#define CAROM_VALIDATION_JUDGE_H

#include "impact.h"

enum { IMPACTS_MAX = 4000 };

typedef struct Set {
    int count;
    Impact impacts[IMPACTS_MAX];
} Set;

typedef struct Verdict {
    double coefficients[COEFFICIENTS_MAX];
    double train;               /* mean error on the first half */
    double errors[IMPACTS_MAX]; /* of each impact of the second */
    int gains;                  /* impacts of the second half that gain energy */
    double most;                /* energy gained, of that before */
} Verdict;

/* Search on halves[0], predict halves[1]. */
void judge(const Model *model, const Set *halves, Verdict *verdict);

/* "mu 0.175, e 0.547" */
void judge_print_coefficients(const Model *model, const double *coefficients);

double judge_mean(const double *x, int n);
double judge_median(const double *x, int n);

/* The standard error of judge_mean() or judge_median() by resampling, with a fixed seed. */
double judge_bootstrap(const double *x, int n, double (*statistic)(const double *x, int n));

#endif
