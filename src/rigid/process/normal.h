/* The normal process: phases, the energy account, events and samples.
 *
 * Compression ends where v_n rises through 0. Restitution ends where (energetic law) E, multiplied
 * by e^2 at the end of compression, is used up; (Poisson) p = (1 + e) p_c; (Newton) v_n = e.
 * Compression restarts, without loss, if v_n falls through 0 before that. None of this depends on
 * the motion of gamma: line.h and curve/walk.h find the events on their stretches. */
#ifndef CAROM_RIGID_NORMAL_H
#define CAROM_RIGID_NORMAL_H

#include "rigid/process/impact.h"
#include "rigid/rigid_visit.h"

/* Append a letter to the sequence; write an event at the present state. */
static void normal_letter(Impact *impact, char letter) {
    record_letter(impact->result, &impact->length, letter);
}

static void normal_event(Impact *impact, CaromEventKind kind) {
    CaromEvent *event = record_event(impact->result);
    if (event) {
        ContactState state = impact_state(impact, &impact->now, impact->E);
        crm_record_write_event(event, kind, 0, &state);
    }
    if (impact->sampler && impact->sampler->visitor) {
        impact->sampler->visitor->event(impact->sampler->visitor->context, kind);
    }
}

/* A visitor follows from the beginning. */
static void visit_begin(const Impact *impact) {
    const RigidVisitor *visitor = impact->sampler->visitor;
    const Slip *slip = &impact->slip;
    if (visitor) {
        const Reduction *reduction = &impact->reduction;
        RigidSetting setting = {.units = impact->units,
                                .B = {slip->B[0], slip->B[1], slip->B[2]},
                                .d = {slip->d[0], slip->d[1]},
                                .speed = impact->speed,
                                .locked = reduction->locked,
                                .wedged = reduction->wedged};
        if (!setting.locked) {
            slip_solve(slip->B, slip->d, setting.K);
            setting.k = 1 - dot2(setting.K, slip->d);
        }
        visitor->begin(visitor->context, &setting);
    }
}

/* A smaller negative v_n at the end is rounding; a larger one is refused (exact.c). */
static const double NORMAL_ROUNDING = 1e-11;

/* Restitution is over. */
static void normal_end(Impact *impact) {
    impact->done = 1;
    if (impact->now.vn < 0 && impact->now.vn > -NORMAL_ROUNDING) {
        impact->now.vn = 0;
    }
    if (impact->law == CAROM_LAW_ENERGETIC) {
        impact->E = 0;
    }
    normal_letter(impact, 'r');
    normal_event(impact, CAROM_EVENT_RESTITUTION_END);
}

/* v_n' now. */
static double normal_rate(const Impact *impact) {
    const double *d = impact->slip.d, *gamma = impact->now.gamma;
    double r = norm2(gamma);
    if (impact->mode == CAROM_MODE_STICK) {
        return 1 - dot2(d, impact->stick);
    }
    return r > 0 ? 1 - impact->slip.mu * dot2(d, gamma) / r : 1;
}

/* v_n has risen to 0: take the loss, choose where restitution ends. Sets done if it ends here. */
static void normal_end_compression(Impact *impact) {
    impact->now.vn = 0;
    normal_letter(impact, 'c');
    normal_event(impact, CAROM_EVENT_COMPRESSION_END);
    impact->phase = IMPACT_RESTITUTION;
    if (impact->condition > IMPACT_PLAIN) {
        impact->rise = normal_rate(impact);
    }
    switch (impact->law) {
    case CAROM_LAW_POISSON:
        impact->stop = (1 + impact->e) * impact->now.p;
        break;
    case CAROM_LAW_NEWTON:
        impact->stop = impact->e;
        break;
    default:
        impact->energy.normal_loss += (1 - impact->e) * (1 + impact->e) * impact->E;
        impact->E *= impact->e * impact->e;
        break;
    }
    if (impact->e == 0) {
        normal_end(impact);
    }
}

/* v_n has fallen to 0. */
static void normal_restart_compression(Impact *impact) {
    impact->now.vn = 0;
    impact->phase = IMPACT_COMPRESSION;
    normal_event(impact, CAROM_EVENT_COMPRESSION_RESTART);
}

/* Book the normal work -int v_n dp of a stretch without events. */
static void normal_book(Impact *impact, double work) {
    impact->E += work;
    if (impact->phase == IMPACT_COMPRESSION) {
        impact->energy.stored += work;
    } else {
        impact->energy.released -= work;
    }
}

/* Write the next sample, in the given state. */
static void normal_sample(Impact *impact, const ImpactState *state, double E) {
    ContactState out = impact_state(impact, state, E);
    crm_sampler_put(impact->sampler, 3, &out);
}

#endif
