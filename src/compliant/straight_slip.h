/* Slip along a fixed direction. */
#ifndef CAROM_COMPLIANT_STRAIGHT_SLIP_H
#define CAROM_COMPLIANT_STRAIGHT_SLIP_H

#include "compliant/process.h"

/* Run to the next event. */
void crm_straight_slip_run(Process *process);

/* The rest of the impact along a frozen direction, whatever sigma does. v_n must not turn back on
 * the way. */
void crm_straight_slip_finish(Process *process);

#endif
