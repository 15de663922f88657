#include "judge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "search.h"

enum { RESAMPLES = 2000 };

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double judge_mean(const double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += x[i];
    }
    return sum / n;
}

double judge_median(const double *x, int n) {
    double sorted[IMPACTS_MAX];
    memcpy(sorted, x, (size_t)n * sizeof *x);
    qsort(sorted, (size_t)n, sizeof *sorted, compare);
    return sorted[n / 2];
}

double judge_bootstrap(const double *x, int n, double (*statistic)(const double *x, int n)) {
    unsigned long long state = 88172645463325252ULL;
    double sum = 0, squares = 0, drawn[IMPACTS_MAX];
    for (int i = 0; i < RESAMPLES; i++) {
        for (int k = 0; k < n; k++) {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            drawn[k] = x[state % (unsigned)n];
        }
        double value = statistic(drawn, n);
        sum += value;
        squares += value * value;
    }
    return sqrt(fmax(squares / RESAMPLES - sum / RESAMPLES * sum / RESAMPLES, 0));
}

void judge(const Model *model, const Set *halves, Verdict *verdict) {
    const Set *test = &halves[1];
    double *c = verdict->coefficients;
    memset(c, 0, sizeof verdict->coefficients);
    verdict->train = search_best(model, halves[0].impacts, halves[0].count, c);
    search_error(model, test->impacts, test->count, c, verdict->errors);
    verdict->gains = 0;
    verdict->most = 0;
    for (int i = 0; i < test->count; i++) {
        double after[VELOCITIES];
        if (model->strike(&test->impacts[i], c, after)) {
            double gain = impact_energy(&test->impacts[i], after) - 1;
            verdict->gains += gain > 1e-6;
            verdict->most = fmax(verdict->most, gain);
        }
    }
}

void judge_print_coefficients(const Model *model, const double *coefficients) {
    for (int k = 0; k < model->count; k++) {
        printf("%s%s %.3g", k ? ", " : "", model->names[k], coefficients[k]);
    }
}
