/* The normal process: phases, energy account, events, samples. */
#include "rigid/impact.h"

#include <math.h>

void impact_letter(Impact *impact, char letter) {
    record_letter(impact->result, &impact->length, letter);
}

void impact_state(const Impact *impact, const State *state, double *impulse, double *velocity) {
    const Units *units = &impact->units;
    if (impulse) {
        units_restore(units, state->J, state->p, units->impulse, impulse);
    }
    if (velocity) {
        units_restore(units, state->gamma, state->vn, units->velocity, velocity);
    }
}

static ContactState contact_state(const Impact *impact, const State *state, double E) {
    ContactState out = {.stored = E * impact->units.impulse * impact->units.velocity,
                        .mode = impact->mode};
    impact_state(impact, state, out.impulse, out.velocity);
    return out;
}

void impact_event(Impact *impact, CaromEventKind kind) {
    CaromEvent *event = record_event(impact->result);
    if (event) {
        ContactState state = contact_state(impact, &impact->now, impact->E);
        crm_record_write_event(event, kind, 0, &state);
    }
}

/* v_n at the end that rounding may leave below 0; what is further below is no answer (solve.c). */
static const double ROUNDING = 1e-11;

void impact_end(Impact *impact) {
    impact->done = 1;
    if (impact->now.vn < 0 && impact->now.vn > -ROUNDING) {
        impact->now.vn = 0;
    }
    if (impact->law == CAROM_LAW_ENERGETIC) {
        impact->E = 0;
    }
    impact_letter(impact, 'r');
    impact_event(impact, CAROM_EVENT_RESTITUTION_END);
}

void impact_end_compression(Impact *impact) {
    impact->now.vn = 0;
    impact_letter(impact, 'c');
    impact_event(impact, CAROM_EVENT_COMPRESSION_END);
    impact->phase = RESTITUTION;
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
        impact_end(impact);
    }
}

void impact_restart_compression(Impact *impact) {
    impact->now.vn = 0;
    impact->phase = COMPRESSION;
    impact_event(impact, CAROM_EVENT_COMPRESSION_RESTART);
}

void impact_book(Impact *impact, double normal_work) {
    impact->E += normal_work;
    if (impact->phase == COMPRESSION) {
        impact->energy.stored += normal_work;
    } else {
        impact->energy.released -= normal_work;
    }
}

void impact_sample(Impact *impact, const State *state, double E) {
    ContactState out = contact_state(impact, state, E);
    crm_sampler_put(impact->sampler, 3, &out);
}
