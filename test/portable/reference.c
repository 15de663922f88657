/* The reference cases of test/reference, on a machine that may have no more than a C compiler:
 * cases.h is written by cases.py. Prints how many there are and the largest error, relative to the
 * largest component of the impulse; says which are wrong. */
#include <carom.h>
#include <math.h>
#include <stdio.h>

#include "cases.h"

enum { MOST = 40, ROWS = 3 * MOST };

static CaromContact contact_from(const double *x) {
    return (CaromContact){
        .mu = x[0], .mu_static = x[1], .e = x[2], .stiffness = x[3], .stiffness_ratio = x[4]};
}

static double error_of(const double *impulse, const double *truth, int rows) {
    double size = 0, error = 0;
    for (int i = 0; i < rows; i++) {
        double off = fabs(impulse[i] - truth[i]);
        size = fabs(truth[i]) > size ? fabs(truth[i]) : size;
        error = off <= error ? error : off; /* NaN stays */
    }
    return error / size;
}

/* One case; returns where the next begins. */
static const double *run(const double *x, int number, int *wrong, double *worst) {
    double bound = x[0], impulse[ROWS], velocity[ROWS];
    int planar = (int)x[3], count = (int)x[4], rows = (planar ? 2 : 3) * count;
    const double *W = x + 5, *v = W + rows * rows, *coefficients = v + rows;
    CaromContact contacts[MOST];
    for (int i = 0; i < count; i++) {
        contacts[i] = contact_from(coefficients + 5 * i);
    }
    CaromProblem problem = {(CaromModel)x[1], (CaromLaw)x[2], count, W, v, contacts, planar};
    CaromResult result = {.impulse = impulse, .velocity = velocity};
    CaromStatus status = carom_solve(&problem, NULL, &result);
    double error = error_of(impulse, coefficients + 5 * count, rows);
    if (!(error <= bound)) {
        printf("case %d: %s, error %g, allowed %g\n", number, carom_status_string(status), error,
               bound);
        *wrong += 1;
    }
    *worst = error <= *worst ? *worst : error;
    return coefficients + 5 * count + rows;
}

int main(void) {
    int number = 0, wrong = 0;
    double worst = 0;
    for (const double *x = cases; *x != 0; number++) {
        x = run(x, number, &wrong, &worst);
    }
    printf("%d reference cases, largest error %.2e, wrong: %d\n", number, worst, wrong);
    return wrong > 0;
}
