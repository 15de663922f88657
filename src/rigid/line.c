/* Stretches with a constant direction of the impulse: stick, straight slip, no friction.
 *
 * J, gamma and v_n are linear in p, E is quadratic: every event is a root of a linear or
 * quadratic equation in y, the normal impulse from here. */
#include "rigid/impact.h"

#include <math.h>

/* v_n' on the stretch. */
static double find_rise(const Impact *impact, const double jr[2]) {
    return impact->wedged && impact->mode == CAROM_MODE_STICK ? 0 : 1 + dot2(impact->slip.d, jr);
}

/* The state y further along. */
static State ahead(const Impact *impact, const double jr[2], double y) {
    const Slip *slip = &impact->slip;
    State to = impact->now;
    to.p += y;
    to.J[0] += jr[0] * y;
    to.J[1] += jr[1] * y;
    double rate[2] = {slip->d[0] + slip->B[0] * jr[0] + slip->B[1] * jr[1],
                      slip->d[1] + slip->B[1] * jr[0] + slip->B[2] * jr[1]};
    if (impact->locked == 1) {
        /* only along the free direction; the rest is rounding of B and d */
        double along = dot2(rate, impact->free);
        rate[0] = along * impact->free[0];
        rate[1] = along * impact->free[1];
    }
    if (impact->mode != CAROM_MODE_STICK) {
        to.gamma[0] += rate[0] * y;
        to.gamma[1] += rate[1] * y;
    }
    to.vn += find_rise(impact, jr) * y;
    return to;
}

static void sample(Impact *impact, const double jr[2], double y) {
    Sampler *sampler = impact->sampler;
    while (sampler->next < sampler->trace->capacity - 1 &&
           sampler->next * sampler->step <= impact->now.p + y) {
        double at = sampler->next * sampler->step - impact->now.p;
        State state = ahead(impact, jr, at);
        impact_sample(impact, &state, impact->E - (impact->now.vn + state.vn) / 2 * at);
    }
}

static void move(Impact *impact, const double jr[2], double y) {
    State to = ahead(impact, jr, y);
    double mean[2] = {(impact->now.gamma[0] + to.gamma[0]) / 2,
                      (impact->now.gamma[1] + to.gamma[1]) / 2};
    if (impact->sampler) {
        sample(impact, jr, y);
    }
    impact_book(impact, -(impact->now.vn + to.vn) / 2 * y);
    impact->energy.friction_loss -= dot2(jr, mean) * y;
    impact->now = to;
}

/* y at which restitution ends, v_n rising at the rate a; INFINITY if it does not. */
static double end_of_restitution(const Impact *impact, double a) {
    double vn = impact->now.vn;
    if (impact->law == CAROM_POISSON) {
        return most_of(impact->stop - impact->now.p, 0);
    }
    if (impact->law == CAROM_NEWTON) {
        return vn >= impact->stop ? 0 : a > 0 ? (impact->stop - vn) / a : INFINITY;
    }
    if (impact->E <= 0) {
        return 0;
    }
    if (vn == 0 && a > 0) {
        return sqrt(2 * impact->E * (1 / a));
    }
    double square = vn * vn + 2 * a * impact->E;
    return square < 0 ? INFINITY : 2 * impact->E / (vn + sqrt(square));
}

void line_run(Impact *impact, const double jr[2], double length) {
    double a = find_rise(impact, jr);
    impact->work++;
    while (!impact->done) {
        double vn = impact->now.vn;
        int compression = impact->phase == COMPRESSION;
        double zero = INFINITY; /* y at which v_n = 0 */
        if (compression) {
            zero = a > 0 ? most_of(-vn / a, 0) : INFINITY;
        } else if (a < 0) {
            zero = most_of(-vn / a, 0);
        }
        double end = compression ? INFINITY : end_of_restitution(impact, a);
        double y = least_of(length, least_of(zero, end));
        if (!(y < INFINITY)) {
            return; /* wedged; else the termination theorem rules this out */
        }
        move(impact, jr, y);
        length -= y;
        if (y == end) {
            impact_end(impact);
        } else if (y == zero) {
            if (compression) {
                impact_end_compression(impact);
            } else {
                impact_restart_compression(impact);
            }
        } else {
            return;
        }
    }
}
