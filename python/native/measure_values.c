/* Bench procedures, by libcarom-fit. */
#include "rows.h"

#ifdef CAROM_HAS_FIT
#include <string.h>

#include <carom/measure.h>

_Static_assert(sizeof(CaromTrackPoint) == 8 * sizeof(double), "a point is a row of 8 numbers");

int measure_values(const char *kind, const double *first, const double *second, int count,
                   double sigma, double option, double *result, const char **message) {
    CaromMeasured out = {0, 0};
    CaromStatus status = CAROM_INVALID_INPUT;
    if (strcmp(kind, "drop") == 0) {
        status = carom_measure_drop(first, second, count, sigma, &out, message);
    } else if (strcmp(kind, "bounces") == 0) {
        status = carom_measure_heights(first, count, sigma, &out, message);
    } else if (strcmp(kind, "times") == 0) {
        status = carom_measure_times(first, count, sigma, &out, message);
    } else if (strcmp(kind, "pendulum") == 0) {
        status = carom_measure_pendulum(first, second, count, sigma, option, &out, message);
    } else if (strcmp(kind, "tilt") == 0) {
        status = carom_measure_tilt(first, count, sigma, &out, message);
    } else if (strcmp(kind, "ramp") == 0) {
        status = carom_measure_ramp(first, second, count, sigma, option != 0, &out, message);
    } else if (strcmp(kind, "poisson") == 0) {
        status = carom_measure_poisson((CaromMeasured){first[0], sigma}, &out, message);
    }
    memcpy(result, &out, sizeof out);
    return status;
}

int measure_springs(int springs, const double *numbers, double *result, const char **message) {
    CaromMeasured in[4], out;
    memcpy(in, numbers, sizeof in);
    CaromStatus status = carom_measure_springs(springs, in[0], in[1], in[2], in[3], &out, message);
    memcpy(result, &out, sizeof out);
    return status;
}

int measure_bounce(const double *points, int count, const double *gravity, double *result,
                   int32_t *last, const char **message) {
    CaromTrackBounce bounce;
    CaromStatus status =
        carom_measure_bounce((const CaromTrackPoint *)points, count, gravity, &bounce, message);
    *last = bounce.last;
    memcpy(result, bounce.before, sizeof bounce.before);
    memcpy(result + 6, bounce.after, sizeof bounce.after);
    memcpy(result + 12, &bounce.e, sizeof bounce.e);
    result[14] = bounce.time;
    result[15] = bounce.rms;
    return status;
}

int measure_roll(const double *points, int count, double radius, double gravity, double mu_slide,
                 double mu_roll, double *result, const char **message) {
    CaromTrackRoll roll;
    CaromStatus status = carom_measure_roll((const CaromTrackPoint *)points, count, radius, gravity,
                                            mu_slide, mu_roll, &roll, message);
    memcpy(result, roll.velocity, sizeof roll.velocity);
    memcpy(result + 4, roll.angular_velocity, sizeof roll.angular_velocity);
    memcpy(result + 8, &roll.mu_slide, sizeof roll.mu_slide);
    memcpy(result + 10, &roll.mu_roll, sizeof roll.mu_roll);
    result[12] = roll.rms;
    return status;
}

int measure_tumble(const double *points, int count, const double *gravity, const double *inertia,
                   double time, double *result, const char **message) {
    CaromTrackTumble tumble;
    CaromStatus status = carom_measure_tumble((const CaromTrackPoint *)points, count, gravity,
                                              inertia, time, &tumble, message);
    memcpy(result, tumble.velocity, sizeof tumble.velocity);
    memcpy(result + 6, tumble.angular_velocity, sizeof tumble.angular_velocity);
    result[12] = tumble.rms;
    result[13] = tumble.angle;
    return status;
}

#endif
