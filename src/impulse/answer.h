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

/* Replace the impulse by the one of least norm that the law allows for the velocity of state. 0: it
 * allows none; the state then is of no use. */
int crm_answer_least_norm(const Strike *strike, Sharing *sharing, StrikeState *state);

/* The same for an answer, which is kept if none is found. */
void crm_answer_share(const Strike *strike, Sharing *sharing, StrikeState *state,
                      StrikeState *spare);

/* Does the state satisfy the law to rounding? */
int crm_answer_holds(const Strike *strike, const StrikeState *state);

/* Modes, directions of slip and yields as the velocity has them: contacts that touch are closed,
 * whatever their impulse. */
void crm_answer_classify(const Strike *strike, const StrikeState *state, StrikeState *modes);

/* Put impulses of contacts that slip on the boundary of the cone, exactly against the slip. */
void crm_answer_align(const Strike *strike, StrikeState *state);

void crm_answer_copy(const Strike *strike, const StrikeState *from, StrikeState *to);

/* Is the answer one of a continuum: may contacts that touch share the impulse in another way that
 * gives another velocity? spare is scratch. */
int crm_answer_is_continuum(const Strike *strike, ModeSystem *system, const StrikeState *state,
                            StrikeState *spare);

/* One step of Newton's method with residuals in twice the precision, kept if it makes the state
 * better. Returns the estimated relative error of the impulse. */
double crm_answer_refine(const Strike *strike, ModeSystem *system, StrikeState *state,
                         StrikeState *spare);

#endif
