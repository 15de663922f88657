/* Of a continuum of answers the one of least kinetic energy after. */
#ifndef CAROM_IMPULSE_ENERGY_DESCENT_H
#define CAROM_IMPULSE_ENERGY_DESCENT_H

#include "impulse/modes.h"
#include "impulse/quadratic.h"
#include "impulse/sharing.h"

/* A bound of the step at one contact: vector.dI or vector.dv of it, plus slack, is not negative. */
typedef struct EnergyBound {
    int contact, is_velocity;
    double vector[3];
} EnergyBound;

/* Scratch; arrays of the workspace. */
typedef struct EnergyDescent {
    double *dI, *dv;       /* size x size: directions by rows, change of impulse and velocity */
    double *slope;         /* size: derivative of the Lagrangian by I, rows of slip left out */
    double *force, *pull;  /* size: what active bounds add to it, by impulse and by velocity */
    double *step, *change; /* size: of impulse, of velocity */
    EnergyBound *bound;    /* 2 size: one for each constraint */
    Quadratic quadratic;
    double little; /* was added to the diagonal of the model */
    int unique;    /* all directions change the velocity: one impulse only has it */
} EnergyDescent;

/* Follow the continuum that state, an answer, is part of to less and less energy until it can
 * fall no further. Every step ends at an answer. Returns how far the velocity may be from that of
 * least energy, relative: the change in the step that was not taken. */
double crm_energy_descent_run(const Strike *strike, ModeSystem *system, Sharing *sharing,
                              EnergyDescent *descent, StrikeState *state, StrikeState *spare);

#endif
