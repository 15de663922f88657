#include "multiple_euler/stepper.h"

#include "contact/record.h"
#include "math/vec2.h"

/* Growth of a stiffness after which a fixed step cannot follow the bounces. */
static const double HARDENED = 1e15;

/* ---- phases ---- */

void crm_stepper_end_compression(Stepper *stepper, int contact) {
    Spring *spring = &stepper->springs[contact];
    double kept = spring->e * spring->e;
    crm_stepper_report(stepper, contact, CAROM_EVENT_COMPRESSION_END);
    stepper->energy.tangential += spring_tangential(spring);
    spring->restitution = 1;
    spring->peak = most_of(spring->peak, spring->E);
    /* a contact that stored nothing was not compressed */
    if (spring->E > 0 && stepper->problem->law != CAROM_LAW_MONO_STIFFNESS) {
        stepper->energy.normal_loss += (1 - kept) * spring->E;
        spring->E *= kept;
        spring->k /= kept;
    }
    if (!(spring->k < HARDENED * spring->k_first)) {
        stepper->message = STEPPER_ACCUMULATES;
    }
}

void crm_stepper_restart_compression(Stepper *stepper, int contact) {
    Spring *spring = &stepper->springs[contact];
    double kept = spring->e * spring->e;
    crm_stepper_report(stepper, contact, CAROM_EVENT_COMPRESSION_RESTART);
    spring->restitution = 0;
    if (stepper->problem->law == CAROM_LAW_PLASTIC_DEFORMATION) {
        /* the next end of compression takes its part of this again */
        stepper->energy.normal_loss -= (1 / kept - 1) * spring->E;
        spring->E /= kept;
        spring->k *= kept;
    }
}

void crm_stepper_end_restitution(Stepper *stepper, int contact) {
    Spring *spring = &stepper->springs[contact];
    crm_stepper_report(stepper, contact, CAROM_EVENT_RESTITUTION_END);
    stepper->energy.normal_loss += most_of(spring->E, 0);
    stepper->energy.friction_loss += spring_tangential(spring);
    spring->E = spring->peak = spring->f[0] = spring->f[1] = 0;
    spring->restitution = 0;
    spring->mode = CAROM_MODE_OPEN;
    if (stepper->problem->law == CAROM_LAW_PLASTIC_DEFORMATION) {
        spring->k = spring->k_first;
    }
}

/* ---- events ---- */

/* Energy of a contact's normal spring after an event of another contact, or of its own. */
static double stored_then(const Stepper *stepper, const Spring *spring, int own,
                          CaromEventKind kind) {
    int mono = stepper->problem->law == CAROM_LAW_MONO_STIFFNESS;
    if (own && kind == CAROM_EVENT_RESTITUTION_END) {
        return 0;
    }
    return own && kind == CAROM_EVENT_COMPRESSION_END && !mono ? spring->e * spring->e * spring->E
                                                               : spring->E;
}

static void write_snapshots(const Stepper *stepper, int contact, CaromEventKind kind, int at) {
    const CaromSnapshots *snapshots = stepper->result->snapshots;
    size_t n = (size_t)stepper->count, row = (size_t)at * 3 * n;
    for (int i = 0; i < stepper->size; i++) {
        if (snapshots->impulse) {
            snapshots->impulse[row + (size_t)i] = stepper->I[i];
        }
        if (snapshots->velocity) {
            snapshots->velocity[row + (size_t)i] = stepper->v[i];
        }
    }
    for (int i = 0; i < stepper->count; i++) {
        const Spring *spring = &stepper->springs[i];
        size_t place = (size_t)at * n + (size_t)i;
        int own = i == contact;
        if (snapshots->stored) {
            snapshots->stored[place] = stored_then(stepper, spring, own, kind);
        }
        if (snapshots->active) {
            snapshots->active[place] =
                (unsigned char)(own ? kind != CAROM_EVENT_RESTITUTION_END : spring_acts(spring));
        }
    }
}

void crm_stepper_report(Stepper *stepper, int contact, CaromEventKind kind) {
    CaromEvent *event = record_event(stepper->result);
    const Spring *spring = &stepper->springs[contact];
    if (event) {
        ContactState state = {
            .stored = spring->E, .tangential = spring_tangential(spring), .mode = spring->mode};
        for (int k = 0; k < 3; k++) {
            state.impulse[k] = stepper->I[3 * contact + k];
            state.velocity[k] = stepper->v[3 * contact + k];
        }
        crm_record_write_event(event, kind, contact, &state);
        if (stepper->result->snapshots) {
            write_snapshots(stepper, contact, kind, stepper->result->event_count - 1);
        }
    }
}

/* ---- result ---- */

void crm_stepper_finish(const Stepper *stepper) {
    CaromResult *result = stepper->result;
    CaromEnergy *energy = &result->energy;
    *energy = stepper->energy;
    energy->change = 0;
    for (int i = 0; i < stepper->size; i++) {
        energy->change += stepper->I[i] * (stepper->problem->velocity[i] + stepper->v[i]) / 2;
        if (result->impulse) {
            result->impulse[i] = stepper->I[i];
        }
        if (result->velocity) {
            result->velocity[i] = stepper->v[i];
        }
    }
    energy->residual = energy->change + energy->normal_loss + energy->friction_loss;
    result->error = NAN;
    result->work = stepper->work;
}
