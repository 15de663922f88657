/* Semismooth Newton: modes from a trial impulse, their linear system, again, until nothing changes.
 */
#ifndef CAROM_IMPULSE_SEMISMOOTH_H
#define CAROM_IMPULSE_SEMISMOOTH_H

#include "impulse/modes.h"

/* Modes, slip directions and yields from I, v and share. Returns 1 if a mode is another. */
int crm_semismooth_modes(const Strike *strike, double touch, StrikeState *state);

/* Iterate from state. Returns the number of systems solved, 0 if it did not converge. */
int crm_semismooth_solve(const Strike *strike, int most, ModeSystem *system, StrikeState *state);

#endif
