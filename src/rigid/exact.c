/* The exact solve of one rigid contact: which stretch comes next. */
#include "rigid/exact.h"

#include <float.h>
#include <math.h>

#include "rigid/curve.h"
#include "rigid/invariants.h"

/* Stretches that one slip arc can take. Measured: see docs/theory.md. */
static const int MAX_STRETCHES = 400;

/* Slip stopped: stick for good, or slip away along the centrifugal invariant direction. */
static void run_from_zero(Impact *impact) {
    const Slip *slip = &impact->slip;
    double jr[2] = {-impact->stick[0], -impact->stick[1]};
    impact->now.gamma[0] = impact->now.gamma[1] = 0;
    impact_letter(impact, 's');
    if (impact->sticks) {
        impact->mode = CAROM_MODE_STICK;
        impact_event(impact, CAROM_STICK);
        line_run(impact, jr, INFINITY);
        return;
    }
    double s[4][2], rate[2], best = -INFINITY;
    int count = invariants_find(slip->b[0], slip->b[1], slip->b[2], slip->d[0], slip->d[1], s);
    for (int i = 0; i < count; i++) {
        slip_rate(slip, s[i], rate);
        if (dot2(rate, s[i]) > best) {
            best = dot2(rate, s[i]);
            jr[0] = -slip->mu * s[i][0];
            jr[1] = -slip->mu * s[i][1];
        }
    }
    impact_event(impact, CAROM_SLIP);
    line_run(impact, jr, INFINITY);
}

/* Straight slip from here on, in the present direction. */
static void run_straight(Impact *impact) {
    const Slip *slip = &impact->slip;
    const double *gamma = impact->now.gamma;
    double r = hypot(gamma[0], gamma[1]);
    double s[2] = {gamma[0] / r, gamma[1] / r}, rate[2];
    slip_rate(slip, s, rate);
    double f = dot2(rate, s);
    double jr[2] = {-slip->mu * s[0], -slip->mu * s[1]};
    line_run(impact, jr, f < 0 ? -r / f : INFINITY);
    if (!impact->done) {
        run_from_zero(impact);
    }
}

/* Is what the slip direction will still turn below rounding, in what it does to the impulse? */
static int is_straight(const Slip *slip, const double gamma[2]) {
    double r = hypot(gamma[0], gamma[1]);
    double s[2] = {gamma[0] / r, gamma[1] / r}, rate[2];
    slip_rate(slip, s, rate);
    double f = dot2(s, rate), g = fabs(cross2(s, rate));
    double least = 1 / (1 + slip->mu * hypot(slip->d[0], slip->d[1])); /* final p is above this */
    return g <= 1e-17 * slip->rate || (f < 0 && r * g <= 1e-17 * f * f * least);
}

static void run_slip(Impact *impact) {
    Curve curve;
    for (int i = 0; i < MAX_STRETCHES && !impact->done; i++) {
        if (is_straight(&impact->slip, impact->now.gamma)) {
            run_straight(impact);
            return;
        }
        curve_logtime(&impact->slip, &impact->now, &curve);
        curve_run(impact, &curve);
    }
}

void exact_run(Impact *impact) {
    const Slip *slip = &impact->slip;
    const double *gamma = impact->now.gamma;
    const double none[2] = {0, 0};
    if (gamma[0] == 0) {
        run_from_zero(impact);
    } else if (fabs(slip->d[1] - slip->b[1]) <= 4 * DBL_EPSILON * slip->rate) {
        impact_letter(impact, 'l');
        run_straight(impact);
    } else if (slip->mu == 0) {
        line_run(impact, none, INFINITY);
    } else {
        run_slip(impact);
    }
}
