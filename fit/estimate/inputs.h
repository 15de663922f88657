/* How the predicted numbers of a row change with its inputs that are not exact. */
#ifndef CAROM_FIT_ESTIMATE_INPUTS_H
#define CAROM_FIT_ESTIMATE_INPUTS_H

#include "estimate/row.h"

/* Fill room->by_velocity and room->by_uncertain of room->row, whose impulse is solved. problem: the
 * row's with the parameters in it. known: room->slope has the derivatives of the impulse, NAN where
 * one does not exist. False: an input has no effect that can be computed. */
bool crm_inputs_chain(RowRoom *room, const CaromProblem *problem, bool known);

#endif
