/* Derivatives along a slip. */
#ifndef CAROM_DERIVATIVE_COMPLIANT_SLIP_H
#define CAROM_DERIVATIVE_COMPLIANT_SLIP_H

#include "derivative/compliant_slope.h"

/* Follow a slip; at, pace and end as CompliantVisitor.piece has them. */
void crm_compliant_slip(CompliantSlope *slope, const Process *process, MomentAt at, MomentPace pace,
                        const void *piece, double end);

#endif
