/* The power series of all links from here on, order by order.
 *
 * At order g the forces follow from the velocities of order g - 1, and give the velocities of order
 * g + 1. A link that only touches takes part from the order at which something moves it: closer,
 * and it acts from there; away, and it opens. The same holds for a held link without force, which
 * pushes or opens by the first order at which it would have to. One rule for the first touch, a
 * resting link and one that comes back; the order may be high: the sixth of resting beads starts
 * like t^13. */
#ifndef CAROM_MULTIPLE_EXPAND_H
#define CAROM_MULTIPLE_EXPAND_H

#include "multiple/network.h"

/* Fill network->piece: series, what they decide, and how long they hold. The state is unchanged;
 * crm_events_commit() applies what is decided. */
void crm_expand(Network *network);

#endif
