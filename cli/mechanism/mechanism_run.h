/* A mechanism followed over time, with all that is shown of it. */
#ifndef CAROM_CLI_MECHANISM_MECHANISM_RUN_H
#define CAROM_CLI_MECHANISM_MECHANISM_RUN_H

#include "mechanism/mechanism_scene.h"

typedef struct MechanismState {
    double time, q[2], u[2], gap, kinetic, potential;
    CaromMechanismPhase phase;
} MechanismState;

typedef struct MechanismEvent {
    MechanismState state; /* after it */
    int impact;           /* number from 1; 0: the phase alone changes */
    double approach, impulse[2], energy_lost;
    char sequence[CAROM_SEQUENCE_SIZE];
    int died_out;
} MechanismEvent;

/* Owns its lists. */
typedef struct MechanismRun {
    MechanismState *states;
    size_t state_count, state_room;
    MechanismEvent *events;
    size_t event_count, event_room;
    int impacts; /* so far */
    MechanismState last;
    CaromMechanismSummary summary;
} MechanismRun;

/* Samples of the path per unit of time; 0: 1000 in all. False: out of memory; see summary.status
 * for the rest. */
bool mechanism_run(MechanismScene *scene, double rate, MechanismRun *run);
void mechanism_run_free(MechanismRun *run);

/* An end as its name in files. */
const char *mechanism_end_name(CaromMechanismEnd end);

#endif
