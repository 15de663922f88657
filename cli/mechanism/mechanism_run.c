#include "mechanism/mechanism_run.h"

#include <stdlib.h>
#include <string.h>

static MechanismState copy_state(const CaromMechanismState *state) {
    return (MechanismState){.time = state->time,
                            .q = {state->q[0], state->q[1]},
                            .u = {state->u[0], state->u[1]},
                            .gap = state->gap,
                            .kinetic = state->kinetic,
                            .potential = state->potential,
                            .phase = state->phase};
}

/* Room for one more element; NULL: no memory. */
static void *add(void **list, size_t *count, size_t *room, size_t size) {
    if (*count == *room) {
        size_t larger = *room ? 2 * *room : 256;
        void *moved = realloc(*list, larger * size);
        if (!moved) {
            return NULL;
        }
        *list = moved;
        *room = larger;
    }
    return (char *)*list + (*count)++ * size;
}

static int keep_state(void *data, const CaromMechanismState *state) {
    MechanismRun *run = data;
    MechanismState *kept =
        add((void **)&run->states, &run->state_count, &run->state_room, sizeof *kept);
    run->last = copy_state(state);
    if (kept) {
        *kept = run->last;
    }
    return kept != NULL;
}

static int keep_event(void *data, const CaromMechanismEvent *event) {
    MechanismRun *run = data;
    MechanismEvent *kept =
        add((void **)&run->events, &run->event_count, &run->event_room, sizeof *kept);
    if (!kept) {
        return 0;
    }
    *kept = (MechanismEvent){.state = copy_state(&event->state), .died_out = event->died_out};
    if (event->impact) {
        kept->impact = ++run->impacts;
        kept->approach = event->approach;
        memcpy(kept->impulse, event->impact->impulse, sizeof kept->impulse);
        memcpy(kept->sequence, event->impact->sequence, sizeof kept->sequence);
        kept->energy_lost = -event->impact->energy.change;
    }
    return 1;
}

bool mechanism_run(MechanismScene *scene, double rate, MechanismRun *run) {
    CaromMechanismOptions options = carom_mechanism_options_default();
    *run = (MechanismRun){0};
    options.contact = scene->scene.contacts[0];
    options.law = scene->scene.law;
    options.duration = scene->time;
    options.rest = scene->rest;
    options.sample = rate > 0 ? 1 / rate : scene->time / 1000;
    options.data = run;
    options.show_state = keep_state;
    options.show_event = keep_event;
    CaromMechanism mechanism = double_pendulum_mechanism(&scene->pendulum);
    double q[2] = {scene->q[0], scene->q[1]}, u[2] = {scene->u[0], scene->u[1]};
    carom_mechanism_follow(&mechanism, &options, q, u, &run->summary);
    return run->summary.end != CAROM_MECHANISM_END_STOPPED; /* nothing else stops it */
}

void mechanism_run_free(MechanismRun *run) {
    free(run->states);
    free(run->events);
    *run = (MechanismRun){0};
}

const char *mechanism_end_name(CaromMechanismEnd end) {
    static const char *const names[] = {
        [CAROM_MECHANISM_END_TIME] = "time",       [CAROM_MECHANISM_END_REST] = "rest",
        [CAROM_MECHANISM_END_JAM] = "jam",         [CAROM_MECHANISM_END_PHASES] = "phases",
        [CAROM_MECHANISM_END_STOPPED] = "stopped", [CAROM_MECHANISM_END_FAILED] = "failed"};
    return names[end];
}
