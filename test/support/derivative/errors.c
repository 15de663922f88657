#include "support/derivative/errors.h"

#include <math.h>
#include <stdlib.h>

void errors_add(Errors *errors, double value) {
    if (errors->count == errors->capacity) {
        errors->capacity = errors->capacity ? 2 * errors->capacity : 1024;
        errors->values = realloc(errors->values, (size_t)errors->capacity * sizeof *errors->values);
        if (errors->values == NULL) {
            abort();
        }
    }
    errors->values[errors->count++] = isnan(value) ? INFINITY : value;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double errors_quantile(Errors *errors, double part) {
    if (errors->count == 0) {
        return NAN;
    }
    qsort(errors->values, (size_t)errors->count, sizeof *errors->values, compare);
    return errors->values[(int)(part * (errors->count - 1))];
}

void errors_free(Errors *errors) {
    free(errors->values);
    *errors = (Errors){0};
}
