#include "support/derivative/difference.h"

#include <math.h>
#include <string.h>

/* The difference with step h. Returns 0 if the sequence of events changes. */
static int take(const Difference *difference, int input, long double h, const char *signature,
                long double out[DIFFERENCE_ROWS]) {
    static const long double weights[] = {0, 45.0L / 60, -9.0L / 60, 1.0L / 60};
    memset(out, 0, DIFFERENCE_ROWS * sizeof *out);
    for (int k = -3; k <= 3; k++) {
        long double outcome[DIFFERENCE_ROWS], weight = k < 0 ? -weights[-k] : weights[k];
        char other[DIFFERENCE_SIGNATURE] = "";
        if (k == 0) {
            continue;
        }
        if (!difference->solve(difference->problem, input, k * h, outcome, other) ||
            strcmp(signature, other) != 0) {
            return 0;
        }
        for (int i = 0; i < difference->rows; i++) {
            out[i] += weight * outcome[i] / h;
        }
    }
    return 1;
}

double difference_column(const Difference *difference, int input, double size,
                         double column[DIFFERENCE_ROWS]) {
    long double here[DIFFERENCE_ROWS], coarse[DIFFERENCE_ROWS], fine[DIFFERENCE_ROWS];
    char signature[DIFFERENCE_SIGNATURE] = "";
    double least = INFINITY;
    if (!difference->solve(difference->problem, input, 0, here, signature)) {
        return INFINITY;
    }
    for (int i = 0; i < 7 && !(least < 1e-13); i++) {
        long double h = powl(10, -1.5L - i) * size;
        if (!take(difference, input, h, signature, coarse) ||
            !take(difference, input, h / 2, signature, fine)) {
            continue;
        }
        double doubt = 0;
        for (int k = 0; k < difference->rows; k++) {
            doubt += (double)fabsl(coarse[k] - fine[k]) * size / difference->units[k];
        }
        if (doubt < least) {
            least = doubt;
            for (int k = 0; k < difference->rows; k++) {
                column[k] = (double)fine[k];
            }
        }
    }
    return least;
}

double difference_error(const Difference *difference, double size, const double *column,
                        const double *truth) {
    double off = 0, all = 1;
    for (int i = 0; i < difference->rows; i++) {
        off += fabs(column[i] - truth[i]) * size / difference->units[i];
        all += fabs(truth[i]) * size / difference->units[i];
    }
    return off / all;
}
