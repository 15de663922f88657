/* Stretches with a constant direction of the impulse: stick, straight slip, no friction.
 *
 * J, gamma and v_n are linear in p and E is quadratic, so every event is a root of a linear or
 * quadratic equation in y, the normal impulse from here.
 *
 * At zero slip the contact sticks for good if |B^-1 d| <= mu_static; otherwise slip starts along
 * the only invariant direction in which it grows, and stays on it (docs/theory.md, sections 2 and
 * 4). A wedged contact (semidefinite.h) may have no answer. */
#ifndef CAROM_RIGID_LINE_H
#define CAROM_RIGID_LINE_H

#include <math.h>

#include "contact/singular.h"
#include "rigid/process/impact.h"
#include "rigid/process/normal.h"
#include "rigid/slip/invariants.h"

/* Derivatives of J, gamma and v_n by p. */
typedef struct Line {
    double J[2], gamma[2], vn;
} Line;

static Line find_line(const Impact *impact, const double jr[2]) {
    const Slip *slip = &impact->slip;
    const double *B = slip->B, *d = slip->d, *free = impact->reduction.free;
    Line line = {{jr[0], jr[1]}, {0, 0}, 1 + dot2(d, jr)};
    if (impact->mode == CAROM_MODE_STICK) {
        line.vn = impact->reduction.wedged ? 0 : line.vn;
        return line;
    }
    double x = d[0] + B[0] * jr[0] + B[1] * jr[1], y = d[1] + B[1] * jr[0] + B[2] * jr[1];
    if (impact->reduction.locked == 1) {
        /* the component across the free direction is rounding of B and d */
        double along = x * free[0] + y * free[1];
        x = along * free[0];
        y = along * free[1];
    }
    line.gamma[0] = x;
    line.gamma[1] = y;
    return line;
}

/* Advance a state by y. */
static inline void line_go(const Line *line, double y, ImpactState *state) {
    state->p += y;
    state->J[0] += line->J[0] * y;
    state->J[1] += line->J[1] * y;
    state->gamma[0] += line->gamma[0] * y;
    state->gamma[1] += line->gamma[1] * y;
    state->vn += line->vn * y;
}

static void line_sample(Impact *impact, const Line *line, double y) {
    Sampler *sampler = impact->sampler;
    double unit = impact->units.impulse;
    while (sampler_is_due(sampler, unit * (impact->now.p + y))) {
        double at = sampler->next * sampler->step / unit - impact->now.p;
        ImpactState state = impact->now;
        line_go(line, at, &state);
        normal_sample(impact, &state, impact->E - (impact->now.vn + state.vn) / 2 * at);
    }
}

static void line_visit(const Impact *impact, const Line *line, double y) {
    const RigidVisitor *visitor = impact->sampler->visitor;
    const double *gamma = impact->now.gamma;
    if (visitor) {
        RigidPiece piece = {
            .kind = impact->mode == CAROM_MODE_STICK ? RIGID_PIECE_STICK : RIGID_PIECE_LINE,
            .gamma = {{gamma[0], gamma[1]},
                      {gamma[0] + line->gamma[0] * y, gamma[1] + line->gamma[1] * y}},
            .vn = {impact->now.vn, impact->now.vn + line->vn * y},
            .J = {line->J[0], line->J[1]},
            .p = y};
        visitor->piece(visitor->context, &piece);
    }
}

static void line_move(Impact *impact, const Line *line, double y) {
    ImpactState *now = &impact->now;
    double vn = now->vn, friction = dot2(line->J, now->gamma);
    if (impact->sampler) {
        line_sample(impact, line, y);
        line_visit(impact, line, y);
    }
    line_go(line, y, now);
    normal_book(impact, -(vn + now->vn) / 2 * y);
    impact->energy.friction_loss -= (friction + dot2(line->J, now->gamma)) / 2 * y;
}

/* y at which restitution ends, v_n rising at the rate a; INFINITY if it does not. */
static double line_restitution_end(const Impact *impact, double a) {
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

/* Run a stretch with constant J' = jr for at most `length` of p (may be INFINITY), or to the end
 * of the impact. */
static void line_run(Impact *impact, const double jr[2], double length) {
    const Line line = find_line(impact, jr);
    double a = line.vn;
    impact->work++;
    while (!impact->done) {
        double vn = impact->now.vn;
        int compression = impact->phase == IMPACT_COMPRESSION;
        /* y at which v_n = 0 */
        double zero = (compression ? a > 0 : a < 0) ? most_of(-vn / a, 0) : INFINITY;
        double end = compression ? INFINITY : line_restitution_end(impact, a);
        double y = least_of(length, least_of(zero, end));
        if (!(y < INFINITY)) {
            return; /* wedged; otherwise every impact ends (docs/theory.md, section 7) */
        }
        line_move(impact, &line, y);
        length -= y;
        if (y == end) {
            normal_end(impact);
        } else if (y == zero) {
            if (compression) {
                normal_end_compression(impact);
            } else {
                normal_restart_compression(impact);
            }
        } else {
            return;
        }
    }
}

/* Make gamma exactly 0, with the impulse that this takes: otherwise the rounding left in gamma
 * would be missing in the energy account. */
static void meet_zero(Impact *impact) {
    const Slip *slip = &impact->slip;
    const Reduction *reduction = &impact->reduction;
    double *gamma = impact->now.gamma, change[2] = {0, 0};
    if (reduction->locked == 1) {
        double along = dot2(reduction->free, gamma) / reduction->mobility;
        change[0] = along * reduction->free[0];
        change[1] = along * reduction->free[1];
    } else if (slip->mu > 0 && !reduction->locked) {
        slip_solve(slip->B, gamma, change);
    }
    impact->now.J[0] -= change[0];
    impact->now.J[1] -= change[1];
    impact->now.vn -= slip->d[0] * change[0] + slip->d[1] * change[1];
    gamma[0] = gamma[1] = 0;
}

/* Stick with v_n constant. If that is not the end of the impact there is no answer, and the impact
 * is left undone. */
static void run_wedged(Impact *impact) {
    double jr[2] = {-impact->stick[0], -impact->stick[1]}, vn = impact->now.vn;
    /* v_n and gamma vanish at once */
    if (impact->phase == IMPACT_COMPRESSION && vn >= -SINGULAR * (1 + norm2(impact->slip.d))) {
        normal_end_compression(impact);
    }
    /* v_n' is 0 to SINGULAR: no answer if the end depends on its rounding */
    if (impact->law == CAROM_LAW_ENERGETIC && vn * vn <= 2 * SINGULAR * impact->E) {
        return;
    }
    line_run(impact, jr, INFINITY);
}

/* The direction in which slip starts from zero; exists if the contact cannot stick. */
static void line_centrifugal(const Impact *impact, double direction[2]) {
    const Slip *slip = &impact->slip;
    const double *b = slip->b, *d = slip->d, *free = impact->reduction.free;
    double s[4][2], rate[2], best = -INFINITY;
    if (impact->reduction.locked) {
        double side = dot2(d, free) < 0 ? -1 : 1;
        direction[0] = side * free[0];
        direction[1] = side * free[1];
        return;
    }
    int count = crm_invariants_find(b[0], b[1], b[2], d[0], d[1], s);
    for (int i = 0; i < count; i++) {
        slip_rate(slip, s[i], rate);
        if (dot2(rate, s[i]) > best) {
            best = dot2(rate, s[i]);
            direction[0] = s[i][0];
            direction[1] = s[i][1];
        }
    }
}

/* The slip has stopped: run to the end of the impact. Leaves it undone if the contact wedges. */
static void line_run_from_zero(Impact *impact) {
    impact_find_stick(impact);
    impact->halt = impact->now.p;
    double jr[2] = {-impact->stick[0], -impact->stick[1]}, s[2] = {0, 0};
    meet_zero(impact);
    normal_letter(impact, 's');
    if (impact->sticks) {
        impact->mode = CAROM_MODE_STICK;
        normal_event(impact, CAROM_EVENT_STICK);
        if (impact->reduction.wedged) {
            run_wedged(impact);
        } else {
            line_run(impact, jr, INFINITY);
        }
        return;
    }
    line_centrifugal(impact, s);
    jr[0] = -impact->slip.mu * s[0];
    jr[1] = -impact->slip.mu * s[1];
    normal_event(impact, CAROM_EVENT_SLIP);
    line_run(impact, jr, INFINITY);
}

/* Straight slip from here on, in direction s, then zero slip if it stops. */
static void line_run_straight(Impact *impact, const double s[2]) {
    const Slip *slip = &impact->slip;
    double rate[2];
    slip_rate(slip, s, rate);
    double r = dot2(impact->now.gamma, s), f = dot2(rate, s);
    double jr[2] = {-slip->mu * s[0], -slip->mu * s[1]}, push = dot2(slip->d, jr);
    if (impact->reduction.wedged && fabs(1 + push) <= SINGULAR * (1 + fabs(push))) {
        return; /* v_n does not change, or only by rounding */
    }
    line_run(impact, jr, f < 0 ? -r / f : INFINITY);
    if (!impact->done) {
        line_run_from_zero(impact);
    }
}

#endif
