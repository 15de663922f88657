/* Derivatives along a stick. */
#ifndef CAROM_DERIVATIVE_COMPLIANT_STICK_H
#define CAROM_DERIVATIVE_COMPLIANT_STICK_H

#include "derivative/compliant_slope.h"

/* Follow a stick for a time; 0 if it oscillates too often. */
int crm_compliant_stick(CompliantSlope *slope, const Process *process, MomentAt at,
                        const void *piece, double from, double end);

#endif
