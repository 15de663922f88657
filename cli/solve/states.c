/* The states of several contacts. */
#include "solve/states.h"

#include <stdlib.h>
#include <string.h>

/* The flags after each event. */
static void mark(size_t count, const CaromResult *result, unsigned char *active) {
    for (int i = 0; i < result->event_count; i++) {
        const CaromEvent *event = &result->events[i];
        unsigned char *row = active + (size_t)i * count;
        if (i > 0) {
            memcpy(row, row - count, count);
        }
        if (event->kind == CAROM_EVENT_ACTIVATION || event->kind == CAROM_EVENT_LATCH) {
            row[event->contact] = 1;
        } else if (event->kind == CAROM_EVENT_RESTITUTION_END ||
                   event->kind == CAROM_EVENT_RELEASE) {
            row[event->contact] = 0;
        }
    }
}

/* Events a and a + 1 are simultaneous: no impulse has grown in between. */
static bool is_same_moment(const CaromSnapshots *snapshots, size_t size, int a) {
    const double *impulse = &snapshots->impulse[(size_t)a * size];
    for (size_t k = 0; k < size; k++) {
        if (impulse[k] != impulse[size + k]) {
            return false;
        }
    }
    return true;
}

bool states_find(const Scene *scene, const CaromResult *result, const CaromSnapshots *snapshots,
                 States *states) {
    size_t contacts = (size_t)scene->contact_count, size = (size_t)scene_rows(scene) * contacts;
    size_t events = (size_t)result->event_count;
    *states = (States){0};
    if (!snapshots->impulse || events == 0) {
        return true;
    }
    states->events = calloc(events, sizeof *states->events);
    states->active = calloc(events * contacts, 1);
    if (!states->events || !states->active) {
        return false;
    }
    mark(contacts, result, states->active);
    const unsigned char *last = NULL;
    for (int i = 0; i < result->event_count; i++) {
        const unsigned char *now = states_after(scene, states, i);
        bool more = i + 1 < result->event_count && is_same_moment(snapshots, size, i);
        if (!more && (!last || memcmp(now, last, contacts) != 0)) {
            states->events[states->count++] = i;
            last = now;
        }
    }
    return true;
}

void states_free(States *states) {
    free(states->events);
    free(states->active);
    *states = (States){0};
}

const unsigned char *states_after(const Scene *scene, const States *states, int event) {
    return &states->active[(size_t)event * (size_t)scene->contact_count];
}

const unsigned char *states_active(const Scene *scene, const States *states, int state) {
    return states_after(scene, states, states->events[state]);
}

int states_active_count(const Scene *scene, const unsigned char *active) {
    int count = 0;
    for (int i = 0; i < scene->contact_count; i++) {
        count += active[i] != 0;
    }
    return count;
}

const char *states_name(const unsigned char active[2]) {
    return active[0] ? (active[1] ? "S1" : "S3") : (active[1] ? "S2" : "S4");
}
