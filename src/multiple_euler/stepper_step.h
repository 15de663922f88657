/* One step of the scheme: which contacts act, their increments of impulse, what follows. */
#ifndef CAROM_MULTIPLE_EULER_STEPPER_STEP_H
#define CAROM_MULTIPLE_EULER_STEPPER_STEP_H

#include "multiple_euler/stepper.h"

/* Choose the primary contact, let closed contacts begin to act, plan all increments (lines 3, 8 to
 * 12, 16 and 23). primary is -1 if no contact acts. */
void crm_stepper_plan(Stepper *stepper);

/* Apply the increments: velocities, energies, modes and phases (lines 5 to 7, 14, 21, 28, 29). */
void crm_stepper_apply(Stepper *stepper);

#endif
