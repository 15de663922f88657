/* The double pendulum over time: flight, impacts of the tip with the floor, sliding, rest.
 *
 * Between impacts CVODE integrates the equations of motion and finds the moment at which the tip
 * meets the floor; there carom_planar_solve() gives the impulse.
 *
 * A tip may bounce infinitely often in a finite time, each time with less speed. An impact after
 * which the tip would leave slower than rest_speed is therefore taken as plastic (e = 0): the
 * bounces have decayed, and the tip stays on the floor as long as the floor pushes. There it
 * slides, and
 *
 *   - lifts off when the force of the floor has fallen to zero: flight again;
 *   - comes to rest when the slip has stopped and friction can hold it: with tip and bearing
 *     fixed the two bars form a rigid triangle, and the simulation ends;
 *   - slips back when friction cannot hold it;
 *   - jams where sliding friction is too large for any finite force of the floor (Painleve's
 *     paradox, W_nn <= mu |W_tn| in the direction of slip): the simulation ends with that reason.
 *
 * A tip that leaves with rest_speed or more stays away for a time that is bounded from below, so
 * the work is bounded; PHASES_MAX is a safety net. The speed of rebound decides, not that of
 * approach: with a small e a fast approach has a rebound too low for root finding. */
#ifndef SIMULATION_H
#define SIMULATION_H

#include <stdio.h>

#include <carom/carom.h>

#include "pendulum.h"

/* Most flights and slides of a simulation. */
#define PHASES_MAX 100000

typedef struct Setting {
    Pendulum pendulum;
    CaromContact contact; /* tip and floor */
    Motion start;         /* tip above the floor */
    double duration;
    double rest_speed; /* slower rebounds are suppressed; > 0 */
    double tolerance;  /* of CVODE, relative */
    double sample;     /* time between rows of the table */
} Setting;

typedef enum Ending {
    ENDING_TIME,   /* the duration is over */
    ENDING_REST,   /* at rest on the floor */
    ENDING_JAM,    /* no finite force allows sliding */
    ENDING_PHASES, /* PHASES_MAX reached */
    ENDING_SOLVER, /* CVODE gave up */
    ENDING_IMPACT, /* carom refused the impact */
    ENDING_FLOOR   /* the tip is below the floor */
} Ending;

/* Summary. Energies are relative to the energy at the start above that of both bars at floor
 * height. */
typedef struct Summary {
    Ending ending;
    double time;        /* of the end */
    int impacts;        /* all of them */
    int deaths;         /* plastic ones: the bounces have decayed */
    int lift_offs;      /* flights that began without an impact */
    double first_death; /* time of the first plastic impact; NaN: none */
    double energy_start, energy_end;
    double gain;   /* largest gain of energy at an impact: rounding at most */
    double drift;  /* largest change of energy in one flight: the integrator's error */
    double lowest; /* lowest height of the tip: as above */
} Summary;

/* Run. table: gets a header and rows of time, motion, height, energies and phase (NULL: none); log:
 * gets the events (NULL: none). */
Summary simulate(const Setting *setting, FILE *table, FILE *log);

const char *ending_string(Ending ending);

#endif
