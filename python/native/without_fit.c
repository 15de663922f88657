/* What is left of fit, measure and aim where cminpack was missing: a message. */
#include "rows.h"

#ifndef CAROM_HAS_FIT
#include <stdio.h>

static const char missing[] =
    "this build has no fit, measure and aim: cminpack was missing (Debian: libcminpack-dev)";

static int fail(const char **message) {
    *message = missing;
    return CAROM_INVALID_INPUT;
}

int rows_fit(const Shape *shape, const Problems *problems, const Rows *after, const Rows *sigma,
             const Rows *velocity_sigma, int loss, int count, const FitParameter *parameters,
             const FitOut *out) {
    (void)shape, (void)problems, (void)after, (void)sigma, (void)velocity_sigma, (void)loss;
    (void)count, (void)parameters;
    snprintf(out->message, FIT_MESSAGE, "%s", missing);
    return CAROM_INVALID_INPUT;
}

int rows_validate(const Shape *shape, const Problems *problems, const Rows *after,
                  const Rows *sigma, const Rows *velocity_sigma, int loss, int count,
                  const FitParameter *parameters, int folds, double *squares, double *numbers,
                  char *message) {
    (void)shape, (void)problems, (void)after, (void)sigma, (void)velocity_sigma, (void)loss;
    (void)count, (void)parameters, (void)folds, (void)squares, (void)numbers;
    snprintf(message, FIT_MESSAGE, "%s", missing);
    return CAROM_INVALID_INPUT;
}

int measure_values(const char *kind, const double *first, const double *second, int count,
                   double sigma, double option, double *result, const char **message) {
    (void)kind, (void)first, (void)second, (void)count, (void)sigma, (void)option, (void)result;
    return fail(message);
}

int measure_springs(int springs, const double *numbers, double *result, const char **message) {
    (void)springs, (void)numbers, (void)result;
    return fail(message);
}

int measure_bounce(const double *points, int count, const double *gravity, double *result,
                   int32_t *last, const char **message) {
    (void)points, (void)count, (void)gravity, (void)result, (void)last;
    return fail(message);
}

int measure_roll(const double *points, int count, double radius, double gravity, double mu_slide,
                 double mu_roll, double *result, const char **message) {
    (void)points, (void)count, (void)radius, (void)gravity, (void)mu_slide, (void)mu_roll;
    (void)result;
    return fail(message);
}

int measure_tumble(const double *points, int count, const double *gravity, const double *inertia,
                   double time, double *result, const char **message) {
    (void)points, (void)count, (void)gravity, (void)inertia, (void)time, (void)result;
    return fail(message);
}

int aim_function(void *context, int free_count, const double *low, const double *high,
                 const double *given, int miss_count, int starts, int slopes, int capacity,
                 AimOut *out, const char **message) {
    (void)context, (void)free_count, (void)low, (void)high, (void)given, (void)miss_count;
    (void)starts, (void)slopes, (void)capacity, (void)out;
    return fail(message);
}

char *scene_aim(const char *text, size_t size, char *error) {
    (void)text, (void)size;
    snprintf(error, 1024, "%s", missing);
    return NULL;
}

#endif
