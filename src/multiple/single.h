/* One link acts, without friction, and nothing touches: no series are needed. With its normal
 * impulse p as the clock and w = W_ii,
 *
 *   v = v0 + w p,   E = E0 - v0 p - w p^2/2,   v_j = v_j0 + W_ji p,
 *
 * so that every event is the root of a linear or quadratic equation. */
#ifndef CAROM_MULTIPLE_SINGLE_H
#define CAROM_MULTIPLE_SINGLE_H

#include "multiple/network.h"

/* Does this hold for the piece that begins here? Then the link is in network->piece. */
int crm_single_applies(Network *network);

void crm_single_watch(Network *network);
void crm_single_advance(Network *network);

#endif
