/* Collects the errors of derivatives: median and worst. */
#ifndef CAROM_TEST_DERIVATIVE_ERRORS_H
#define CAROM_TEST_DERIVATIVE_ERRORS_H

typedef struct Errors {
    double *values;
    int count, capacity;
} Errors;

void errors_add(Errors *errors, double value);

/* Of all values; NaN counts as infinite. */
double errors_quantile(Errors *errors, double part);

void errors_free(Errors *errors);

#endif
