/* A state in which one contact acts alone, without friction, in closed form: sections 4.3 and 4.4
 * of the paper. With its impulse I its energy is E - v_n I - W_nn I^2/2. */
#ifndef CAROM_MULTIPLE_EULER_STEPPER_ALONE_H
#define CAROM_MULTIPLE_EULER_STEPPER_ALONE_H

#include "multiple_euler/stepper.h"

/* Is the present state of this kind? */
int crm_stepper_is_alone(const Stepper *stepper);

/* Go to the end of the state: the contact opens, or the velocity of another one falls to 0. */
void crm_stepper_run_alone(Stepper *stepper);

#endif
