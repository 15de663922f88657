/* How far the series of a piece hold, and what they leave out. */
#ifndef CAROM_MULTIPLE_REACH_H
#define CAROM_MULTIPLE_REACH_H

#include "multiple/network.h"

/* How far the last two terms let the piece go, in its units; 0: they are out of range. Fills
 * omitted of its links, without the power of the step that the last term has. */
double crm_reach_find(const Given *given, const NetworkState *state, Piece *piece);

#endif
