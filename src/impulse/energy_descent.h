/* Of a continuum of answers the one of least kinetic energy after. */
#ifndef CAROM_IMPULSE_ENERGY_DESCENT_H
#define CAROM_IMPULSE_ENERGY_DESCENT_H

#include "impulse/modes.h"
#include "impulse/sharing.h"

/* Scratch; arrays of the workspace, size x size each. */
typedef struct EnergyDescent {
    double *dI, *dv;                /* directions by rows: change of impulse and velocity */
    double *A, *B;                  /* constraints by rows, and H^-1 times them */
    double *H, little;              /* little was added to its diagonal */
    double *g, *y, *slack, *lambda; /* size each */
    double *step, *change;          /* size: of impulse, of velocity */
    int unique;   /* all directions change the velocity: one impulse only has it */
    double *room; /* count: by which contacts that stick stay in their cones */
} EnergyDescent;

/* Follow the continuum that state, an answer, is part of to less and less energy until it can
 * fall no further. Every step ends at an answer. Returns the
 * relative change of velocity in the step that was not taken for being too small; 0 also if no step
 * leads to less energy. */
double crm_energy_descent_run(const Strike *strike, ModeSystem *system, Sharing *sharing,
                              EnergyDescent *descent, StrikeState *state, StrikeState *spare);

#endif
