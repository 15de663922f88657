/* Stick: the particle rests on the second body. */
#ifndef CAROM_COMPLIANT_STICK_H
#define CAROM_COMPLIANT_STICK_H

#include "compliant/process.h"

/* Run to the next event. */
void crm_stick_run(Process *process);

/* The same for a latched contact. */
void crm_stick_run_latched(Process *process);

#endif
