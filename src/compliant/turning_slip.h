/* Slip whose direction turns. */
#ifndef CAROM_COMPLIANT_TURNING_SLIP_H
#define CAROM_COMPLIANT_TURNING_SLIP_H

#include "compliant/process.h"

/* Run to the next event. */
void crm_turning_slip_run(Process *process);

#endif
