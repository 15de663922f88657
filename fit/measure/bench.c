/* Bench procedures: closed forms and their propagated uncertainty. */
#include <carom/measure.h>

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include <carom/material.h>

static CaromStatus fail(CaromMeasured *result, const char **message, const char *what) {
    if (result) {
        *result = (CaromMeasured){NAN, NAN};
    }
    if (message) {
        *message = what;
    }
    return CAROM_INVALID_INPUT;
}

/* Running sums of repetitions. */
typedef struct Mean {
    int count;
    double sum, squares, variance; /* variance: propagated ones, summed; NAN: not known */
} Mean;

static void add(Mean *mean, double value, double error) {
    mean->count++;
    mean->sum += value;
    mean->squares += value * value;
    mean->variance += error * error;
}

static CaromStatus finish(const Mean *mean, bool known, CaromMeasured *result,
                          const char **message) {
    double n = mean->count, value = mean->sum / n;
    double scatter = n > 1 ? sqrt(fmax(mean->squares / n - value * value, 0) / (n - 1)) : NAN;
    double propagated = known ? sqrt(mean->variance) / n : NAN;
    *result = (CaromMeasured){value, fmax(scatter, propagated)}; /* fmax() ignores a NAN */
    if (message) {
        *message = "";
    }
    return CAROM_OK;
}

static bool is_positive(double x) {
    return x > 0 && isfinite(x);
}

/* Pairs x, y of lengths: scale (y/x)^power - shift, mean over count. */
static CaromStatus measure_pairs(const double *x, const double *y, int count, double sigma,
                                 double scale, double power, double shift, CaromMeasured *result,
                                 const char **message) {
    Mean mean = {0};
    if (!x || !y || !result || count < 1 || !(sigma >= 0)) {
        return fail(result, message, "at least one pair of numbers, and sigma >= 0");
    }
    for (int i = 0; i < count; i++) {
        if (!is_positive(x[i]) || !is_positive(y[i])) {
            return fail(result, message, "heights and distances: must be > 0");
        }
        double ratio = scale * pow(y[i] / x[i], power);
        add(&mean, ratio - shift, fabs(power) * ratio * sigma * hypot(1 / x[i], 1 / y[i]));
    }
    return finish(&mean, sigma > 0, result, message);
}

CaromStatus carom_measure_drop(const double *drops, const double *bounces, int count, double sigma,
                               CaromMeasured *result, const char **message) {
    for (int i = 0; drops && bounces && i < count; i++) {
        if (bounces[i] > drops[i]) {
            return fail(result, message, "a bounce is higher than its drop");
        }
    }
    return measure_pairs(drops, bounces, count, sigma, 1, 0.5, 0, result, message);
}

CaromStatus carom_measure_pendulum(const double *released, const double *reached, int count,
                                   double sigma, double mass_ratio, CaromMeasured *result,
                                   const char **message) {
    if (!(mass_ratio >= 0) || !isfinite(mass_ratio)) {
        return fail(result, message, "mass ratio: must be >= 0");
    }
    for (int i = 0; released && reached && i < count; i++) {
        /* e = 0 and e = 1 of what is reached */
        double part = (1 + mass_ratio) * sqrt(reached[i] / released[i]);
        if (part > 1 + (mass_ratio > 0)) {
            return fail(result, message, "a height reached is more than e = 1 gives");
        }
        if (mass_ratio > 0 && part < 1) {
            return fail(result, message,
                        "a height reached is less than e = 0 gives: released/(1 + mass ratio)^2");
        }
    }
    return measure_pairs(released, reached, count, sigma, 1 + mass_ratio, 0.5, mass_ratio > 0,
                         result, message);
}

CaromStatus carom_measure_ramp(const double *heights, const double *distances, int count,
                               double sigma, int as_printed, CaromMeasured *result,
                               const char **message) {
    return measure_pairs(distances, heights, count, sigma, as_printed ? 1.4 : 1, 1, 0, result,
                         message);
}

CaromStatus carom_measure_tilt(const double *angles, int count, double sigma, CaromMeasured *result,
                               const char **message) {
    Mean mean = {0};
    if (!angles || !result || count < 1 || !(sigma >= 0)) {
        return fail(result, message, "at least one angle, and sigma >= 0");
    }
    for (int i = 0; i < count; i++) {
        if (!(angles[i] >= 0 && angles[i] < acos(-1) / 2)) {
            return fail(result, message, "angle: must be in [0, 90 degrees)");
        }
        double slope = tan(angles[i]);
        add(&mean, slope, (1 + slope * slope) * sigma);
    }
    return finish(&mean, sigma > 0, result, message);
}

/* exp of the slope per step, times 1/per, of a straight line through ln y[i] over i. sigmas: of
 * ln y, up to a common factor where it is not known; they weigh. paired: neighbours share a time,
 * and their errors have the correlation -1/2. */
static CaromStatus measure_decay(const double *logs, const double *sigmas, int count, double per,
                                 bool known, bool paired, CaromMeasured *result,
                                 const char **message) {
    double total = 0, middle = 0, mean = 0, spread = 0, slope = 0, squares = 0, variance = 0;
    for (int i = 0; i < count; i++) {
        double weight = 1 / (sigmas[i] * sigmas[i]);
        total += weight;
        middle += weight * i;
        mean += weight * logs[i];
    }
    middle /= total;
    mean /= total;
    for (int i = 0; i < count; i++) {
        double weight = 1 / (sigmas[i] * sigmas[i]);
        spread += weight * (i - middle) * (i - middle);
        slope += weight * (i - middle) * logs[i];
    }
    slope /= spread;
    for (int i = 0; i < count; i++) {
        /* part of the slope that one standard deviation of this one changes */
        double part = (i - middle) / (sigmas[i] * spread);
        double residual = (logs[i] - mean - slope * (i - middle)) / sigmas[i];
        squares += residual * residual;
        variance += part * part;
        if (paired && i + 1 < count) {
            variance -= part * (i + 1 - middle) / (sigmas[i + 1] * spread);
        }
    }
    double scatter = count > 2 ? sqrt(squares / (count - 2) / spread) : NAN;
    double e = exp(slope / per);
    *result = (CaromMeasured){e, e / per * fmax(scatter, known ? sqrt(variance) : NAN)};
    if (message) {
        *message = "";
    }
    return CAROM_OK;
}

/* Most bounces that are used. */
enum { BOUNCES_MAX = 1000 };

CaromStatus carom_measure_heights(const double *heights, int count, double sigma,
                                  CaromMeasured *result, const char **message) {
    double logs[BOUNCES_MAX], sigmas[BOUNCES_MAX];
    if (!heights || !result || count < 2 || count > BOUNCES_MAX || !(sigma >= 0)) {
        return fail(result, message, "at least two heights, and sigma >= 0");
    }
    for (int i = 0; i < count; i++) {
        if (!is_positive(heights[i]) || (i > 0 && heights[i] > heights[i - 1])) {
            return fail(result, message, "heights: must be > 0 and must not rise");
        }
        logs[i] = log(heights[i]);
        sigmas[i] = (sigma > 0 ? sigma : heights[0]) / heights[i];
    }
    return measure_decay(logs, sigmas, count, 2, sigma > 0, false, result, message);
}

CaromStatus carom_measure_times(const double *times, int count, double sigma, CaromMeasured *result,
                                const char **message) {
    double logs[BOUNCES_MAX], sigmas[BOUNCES_MAX];
    if (!times || !result || count < 3 || count > BOUNCES_MAX || !(sigma >= 0)) {
        return fail(result, message, "at least three times, and sigma >= 0");
    }
    for (int i = 0; i + 1 < count; i++) {
        double flight = times[i + 1] - times[i];
        if (!is_positive(flight)) {
            return fail(result, message, "times: must rise");
        }
        logs[i] = log(flight);
        sigmas[i] = (sigma > 0 ? sqrt(2) * sigma : times[1] - times[0]) / flight;
    }
    return measure_decay(logs, sigmas, count - 1, 1, sigma > 0, true, result, message);
}

CaromStatus carom_measure_springs(int springs, CaromMeasured stiffness, CaromMeasured stretch,
                                  CaromMeasured rest, CaromMeasured mass, CaromMeasured *result,
                                  const char **message) {
    double work = stretch.value * stretch.value - rest.value * rest.value;
    if (!result || springs < 1 || !is_positive(stiffness.value) || !is_positive(mass.value) ||
        !(rest.value >= 0) || !is_positive(work)) {
        return fail(result, message,
                    "springs: at least one, stiffness and mass > 0, stretch above that at rest");
    }
    double speed = sqrt(springs * stiffness.value * work / mass.value);
    double parts[4] = {
        0.5 * stiffness.standard_error / stiffness.value, 0.5 * mass.standard_error / mass.value,
        stretch.value * stretch.standard_error / work, rest.value * rest.standard_error / work};
    double error = hypot(hypot(parts[0], parts[1]), hypot(parts[2], parts[3]));
    *result = (CaromMeasured){speed, speed * error};
    if (message) {
        *message = "";
    }
    return CAROM_OK;
}

CaromStatus carom_measure_poisson(CaromMeasured nu, CaromMeasured *result, const char **message) {
    double ratio = carom_stiffness_ratio(nu.value);
    if (!result || isnan(ratio)) {
        return fail(result, message, "Poisson's ratio: must be above -1 and at most 1/2");
    }
    double rest = 1 - nu.value;
    *result = (CaromMeasured){ratio, nu.standard_error / (2 * rest * rest)};
    if (message) {
        *message = "";
    }
    return CAROM_OK;
}
