/* The normal process: phases, energy account, events, samples. */
#include "rigid/impact.h"

#include <math.h>

void impact_letter(Impact *impact, char letter) {
    if (impact->length < CAROM_SEQUENCE_SIZE - 1) {
        impact->result->sequence[impact->length++] = letter;
        impact->result->sequence[impact->length] = '\0';
    }
}

/* A tangential vector in the caller's axes, times scale. */
static void turn_back(const Impact *impact, const double a[2], double scale, double out[2]) {
    const double *x = impact->axis;
    out[0] = scale * (x[0] * a[0] - x[1] * a[1]);
    out[1] = scale * (x[1] * a[0] + x[0] * a[1]);
}

void impact_state(const Impact *impact, const State *state, double *impulse, double *velocity) {
    if (impulse) {
        turn_back(impact, state->J, impact->unit_impulse, impulse);
        impulse[2] = impact->unit_impulse * state->p;
    }
    if (velocity) {
        turn_back(impact, state->gamma, impact->unit_velocity, velocity);
        velocity[2] = impact->unit_velocity * state->vn;
    }
}

void impact_event(Impact *impact, CaromEventKind kind) {
    CaromResult *result = impact->result;
    if (result->event_count < result->event_capacity && result->events) {
        CaromEvent *event = &result->events[result->event_count];
        event->kind = kind;
        event->contact = 0;
        impact_state(impact, &impact->now, event->impulse, event->velocity);
        event->normal_impulse = event->impulse[2];
        event->stored = impact->E * impact->unit_impulse * impact->unit_velocity;
        event->tangential = 0;
    }
    result->event_count++;
}

/* v_n at the end that rounding may leave below 0; what is further below is no answer (solve.c). */
static const double ROUNDING = 1e-11;

void impact_end(Impact *impact) {
    impact->done = 1;
    if (impact->now.vn < 0 && impact->now.vn > -ROUNDING) {
        impact->now.vn = 0;
    }
    if (impact->law == CAROM_ENERGETIC) {
        impact->E = 0;
    }
    impact_letter(impact, 'r');
    impact_event(impact, CAROM_RESTITUTION_END);
}

void impact_end_compression(Impact *impact) {
    impact->now.vn = 0;
    impact_letter(impact, 'c');
    impact_event(impact, CAROM_COMPRESSION_END);
    impact->phase = RESTITUTION;
    switch (impact->law) {
    case CAROM_POISSON:
        impact->stop = (1 + impact->e) * impact->now.p;
        break;
    case CAROM_NEWTON:
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
    impact_event(impact, CAROM_COMPRESSION_RESTART);
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
    Sampler *sampler = impact->sampler;
    CaromTrace *trace = sampler->trace;
    double I[3], v[3];
    int i = sampler->next++;
    impact_state(impact, state, I, v);
    if (trace->clock) {
        trace->clock[i] = I[2];
    }
    for (int k = 0; k < 3; k++) {
        if (trace->impulse) {
            trace->impulse[3 * i + k] = I[k];
        }
        if (trace->velocity) {
            trace->velocity[3 * i + k] = v[k];
        }
    }
    if (trace->stored) {
        trace->stored[i] = E * impact->unit_impulse * impact->unit_velocity;
    }
    if (trace->tangential) {
        trace->tangential[i] = 0;
    }
    if (trace->mode) {
        trace->mode[i] = impact->mode;
    }
}
