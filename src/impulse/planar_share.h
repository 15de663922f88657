/* How contacts of a planar problem may share the impulse in given modes. */
#ifndef CAROM_IMPULSE_PLANAR_SHARE_H
#define CAROM_IMPULSE_PLANAR_SHARE_H

#include "impulse/modes.h"

/* More contacts are refused. */
enum { PLANAR_SHARE_CONTACTS = 5 };

/* What is wanted of a share. */
typedef enum ShareGoal { SHARE_SMALL, SHARE_LEAST_ENERGY } ShareGoal;

/* Impulses and velocities in the modes of state that the law allows: the impulses of least norm, or
 * those of least energy. system: as crm_modes_factor() left it, also if it is singular. 0: there
 * are none; state is of no use then. */
int crm_planar_share(const Strike *strike, const ModeSystem *system, ShareGoal goal,
                     StrikeState *state);

#endif
