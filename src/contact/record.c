#include "contact/record.h"

void crm_record_write_event(CaromEvent *event, CaromEventKind kind, int contact,
                            const ContactState *state) {
    event->kind = kind;
    event->contact = contact;
    event->normal_impulse = state->impulse[2];
    for (int i = 0; i < 3; i++) {
        event->impulse[i] = state->impulse[i];
        event->velocity[i] = state->velocity[i];
    }
    event->stored = state->stored;
    event->tangential = state->tangential;
}

void crm_record_write_rows(double *to, int rows, const double vector[3]) {
    if (to) {
        to[0] = vector[0];
        to[rows - 2] = vector[rows - 2];
        to[rows - 1] = vector[2];
    }
}

void crm_record_write_sample(const CaromTrace *trace, int at, int contact, int contact_count,
                             int rows, const ContactState *state) {
    size_t place = (size_t)at * (size_t)contact_count + (size_t)contact;
    size_t row = place * (size_t)rows;
    crm_record_write_rows(trace->impulse ? &trace->impulse[row] : NULL, rows, state->impulse);
    crm_record_write_rows(trace->velocity ? &trace->velocity[row] : NULL, rows, state->velocity);
    if (trace->stored) {
        trace->stored[place] = state->stored;
    }
    if (trace->tangential) {
        trace->tangential[place] = state->tangential;
    }
    if (trace->mode) {
        trace->mode[place] = state->mode;
    }
    size_t tangent = place * (size_t)(rows - 1);
    for (int i = 0; i < rows - 1; i++) {
        if (trace->spring) {
            trace->spring[tangent + (size_t)i] = state->spring[i];
        }
        if (trace->spring_rate) {
            trace->spring_rate[tangent + (size_t)i] = state->spring_rate[i];
        }
    }
}

void crm_sampler_put(Sampler *sampler, int rows, const ContactState *state) {
    int at = sampler->next++;
    if (sampler->trace->clock) {
        sampler->trace->clock[at] = state->impulse[2];
    }
    crm_record_write_sample(sampler->trace, at, 0, 1, rows, state);
}
