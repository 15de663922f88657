/* Velocities before that bodies can have.
 *
 * v- = J u lies in the range of W = J M^-1 J^T wherever contacts are redundant. Small velocities
 * that are differences of large ones do so only up to the rounding of the large ones; then
 * redundant contacts cannot all stick, by a velocity that means nothing, and there may be no answer
 * with the meaning of the law. */
#ifndef CAROM_IMPULSE_CONSISTENT_H
#define CAROM_IMPULSE_CONSISTENT_H

#include "impulse/modes.h"

/* Replace v- by the nearest vector in the range of W, if it is within 1e-8 of it, relative to the
 * largest velocity. Returns an estimate of the relative change of the impulse; 0: v- was left
 * alone. system is scratch. */
double crm_consistent_make(Strike *strike, ModeSystem *system);

#endif
