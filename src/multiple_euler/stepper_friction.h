/* The tangential springs of a contact over the steps of the scheme: Jia's compliant model, read as
 * compliant/euler.h says. The springs are kept as one vector f, minus their force. */
#ifndef CAROM_MULTIPLE_EULER_STEPPER_FRICTION_H
#define CAROM_MULTIPLE_EULER_STEPPER_FRICTION_H

#include "multiple_euler/stepper.h"

/* A contact begins to act with this velocity: mode, direction and |f|/N of its first step. */
void crm_stepper_friction_start(Spring *spring, const double velocity[3]);

/* A contact over the last increment, once its normal energy is known: springs, then mode. */
void crm_stepper_friction_step(Stepper *stepper, int contact);

#endif
