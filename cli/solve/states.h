/* The states that several contacts go through. A state is a set of contacts that act; it lasts
 * until another contact starts to act or one of them ends. */
#ifndef CAROM_CLI_STATES_H
#define CAROM_CLI_STATES_H

#include <stdbool.h>

#include "scene/scene.h"

/* In order of time; in the last one no contact acts. Owns what it points to. */
typedef struct States {
    int count;
    int *events; /* the event with which each state begins: its snapshot shows the state */
    /* a row per event, a flag per contact: it acts, or is held, after the event; NULL: there are
     * no states, as there are no snapshots */
    unsigned char *active;
} States;

/* Find the states in the events of a result and their snapshots (none without their impulses).
 * False: no memory. Events at one moment are one change of state. */
bool states_find(const Scene *scene, const CaromResult *result, const CaromSnapshots *snapshots,
                 States *states);

/* Give back what the states own and make them all zero. */
void states_free(States *states);

/* The flags after an event, and those of a state. */
const unsigned char *states_after(const Scene *scene, const States *states, int event);
const unsigned char *states_active(const Scene *scene, const States *states, int state);

/* How many flags are set. */
int states_active_count(const Scene *scene, const unsigned char *active);

/* The name that Jia, Mason and Erdmann give to a set of two contacts: S1 both act, S2 only the
 * second, S3 only the first, S4 none. */
const char *states_name(const unsigned char active[2]);

#endif
