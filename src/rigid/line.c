/* Stretches with a constant direction of the impulse: stick, straight slip, no friction.
 *
 * J, gamma and v_n are linear in p, E is quadratic: every event is a root of a linear or
 * quadratic equation in y, the normal impulse from here. */
#include "rigid/impact.h"

#include <math.h>

/* What a unit of p adds to J, gamma and v_n. */
typedef struct Line {
    double J[2], gamma[2], vn;
} Line;

static Line find_line(const Impact *impact, const double jr[2]) {
    const Slip *slip = &impact->slip;
    const double *B = slip->B, *d = slip->d, *free = impact->free;
    Line line = {{jr[0], jr[1]}, {0, 0}, 1 + dot2(d, jr)};
    if (impact->mode == CAROM_MODE_STICK) {
        line.vn = impact->wedged ? 0 : line.vn;
        return line;
    }
    double x = d[0] + B[0] * jr[0] + B[1] * jr[1], y = d[1] + B[1] * jr[0] + B[2] * jr[1];
    if (impact->locked == 1) {
        /* only along the free direction; the rest is rounding of B and d */
        double along = x * free[0] + y * free[1];
        x = along * free[0];
        y = along * free[1];
    }
    line.gamma[0] = x;
    line.gamma[1] = y;
    return line;
}

/* The state y further along. */
static inline void go(const Line *line, double y, State *state) {
    state->p += y;
    state->J[0] += line->J[0] * y;
    state->J[1] += line->J[1] * y;
    state->gamma[0] += line->gamma[0] * y;
    state->gamma[1] += line->gamma[1] * y;
    state->vn += line->vn * y;
}

static void sample_line(Impact *impact, const Line *line, double y) {
    Sampler *sampler = impact->sampler;
    double unit = impact->units.impulse;
    while (sampler_is_due(sampler, unit * (impact->now.p + y))) {
        double at = sampler->next * sampler->step / unit - impact->now.p;
        State state = impact->now;
        go(line, at, &state);
        impact_sample(impact, &state, impact->E - (impact->now.vn + state.vn) / 2 * at);
    }
}

static void move_by(Impact *impact, const Line *line, double y) {
    State *now = &impact->now;
    double vn = now->vn, friction = dot2(line->J, now->gamma);
    if (impact->sampler) {
        sample_line(impact, line, y);
    }
    go(line, y, now);
    impact_book(impact, -(vn + now->vn) / 2 * y);
    impact->energy.friction_loss -= (friction + dot2(line->J, now->gamma)) / 2 * y;
}

/* y at which restitution ends, v_n rising at the rate a; INFINITY if it does not. */
static double end_of_restitution(const Impact *impact, double a) {
    double vn = impact->now.vn;
    if (impact->law == CAROM_LAW_POISSON) {
        return most_of(impact->stop - impact->now.p, 0);
    }
    if (impact->law == CAROM_LAW_NEWTON) {
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
    const Line line = find_line(impact, jr);
    double a = line.vn;
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
        move_by(impact, &line, y);
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
