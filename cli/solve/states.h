/* The states of several contacts. A state is a set of acting contacts; it lasts until another
 * contact starts to act or one of them ends. */
#ifndef CAROM_CLI_SOLVE_STATES_H
#define CAROM_CLI_SOLVE_STATES_H

#include <stdbool.h>

#include "scene/scene.h"

/* In order of time; in the last state no contact acts. Owns what it points to. */
typedef struct States {
    int count;
    int *events; /* the event with which each state begins; its snapshot shows the state */
    /* a row per event, a flag per contact: it acts or is latched after the event; NULL: there are
     * no snapshots, so no states */
    unsigned char *active;
} States;

/* Find the states in the events of a result and their snapshots (none if these have no impulses).
 * Simultaneous events are one change of state. False: out of memory. */
bool states_find(const Scene *scene, const CaromResult *result, const CaromSnapshots *snapshots,
                 States *states);

/* Free what the states own and set them to zero. */
void states_free(States *states);

/* The flags after an event, and those of a state. */
const unsigned char *states_after(const Scene *scene, const States *states, int event);
const unsigned char *states_active(const Scene *scene, const States *states, int state);

/* The number of flags that are set. */
int states_active_count(const Scene *scene, const unsigned char *active);

/* The name by Jia, Mason and Erdmann of a state of two contacts: S1 both act, S2 only the second,
 * S3 only the first, S4 none. */
const char *states_name(const unsigned char active[2]);

#endif
