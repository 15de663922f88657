/* From modes that are right, or nearly, to an answer that satisfies the law to rounding. */
#ifndef CAROM_IMPULSE_ANSWER_H
#define CAROM_IMPULSE_ANSWER_H

#include "impulse/modes.h"
#include "impulse/sharing.h"

/* state: modes, velocities and impulses of the softened problem. 1 if it became an answer; else it
 * is left alone. */
int crm_answer_complete(const Strike *strike, ModeSystem *system, Sharing *sharing,
                        StrikeState *state, StrikeState *spare);

/* From modes as the velocity has them: v of the modes first, then how redundant contacts share the
 * impulse. 1 if there is a way that the law allows; 0 also if no row is redundant. */
int crm_answer_by_velocity(const Strike *strike, ModeSystem *system, Sharing *sharing,
                           StrikeState *state);

/* Replace the impulse of an answer by the one of least norm, if that is found. */
void crm_answer_share(const Strike *strike, Sharing *sharing, StrikeState *state,
                      StrikeState *spare);

/* Does the state satisfy the law to rounding? */
int crm_answer_holds(const Strike *strike, const StrikeState *state);

/* Is the answer one of a continuum (crm_modes_is_continuum() for all contacts that touch)? */
int crm_answer_is_continuum(const Strike *strike, ModeSystem *system, const StrikeState *state,
                            StrikeState *spare);

/* One step of Newton's method with residuals in twice the precision, kept if it makes the state
 * better. Returns the estimated relative error of the impulse. */
double crm_answer_refine(const Strike *strike, ModeSystem *system, StrikeState *state,
                         StrikeState *spare);

#endif
