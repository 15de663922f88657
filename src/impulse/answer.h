/* From modes that are right, or nearly, to an answer that satisfies the law to rounding. */
#ifndef CAROM_IMPULSE_ANSWER_H
#define CAROM_IMPULSE_ANSWER_H

#include "impulse/modes.h"
#include "impulse/sharing.h"

/* state: modes, velocities and impulses of the softened problem. 1 if it became an answer. */
int crm_answer_complete(const Strike *strike, ModeSystem *system, Sharing *sharing,
                        StrikeState *state, StrikeState *spare);

/* Does the state satisfy the law to rounding? */
int crm_answer_holds(const Strike *strike, const StrikeState *state);

/* One step of Newton's method with residuals in long double, kept if it makes the state better.
 * Returns the estimated relative error of the impulse. */
double crm_answer_refine(const Strike *strike, ModeSystem *system, StrikeState *state,
                         StrikeState *spare);

#endif
