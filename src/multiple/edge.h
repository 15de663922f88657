/* Links on the edge of their cones: which of them slip from now on, or do they run away?
 *
 * Slip with an excess y that is proportional to its speed u, y = epsilon u, has one solution
 * whatever the forces are. In the limit epsilon -> 0 the speeds settle in no time, on the scale
 * epsilon:
 *
 *   u_i = a_i - mu_i n_i/kt_i,   a_i' = V_i.s_i - max(u_i, 0),
 *
 * a and n being the changes of the lengths and of the reactions, n as a function of a and of the
 * time that of jump.h. Where u comes to rest it gives the modes. Where it grows without bound, slip
 * runs away along the direction in which it grows. */
#ifndef CAROM_MULTIPLE_EDGE_H
#define CAROM_MULTIPLE_EDGE_H

#include "multiple/flow.h"

/* After crm_flow_look(): list the links on the edge in flow->falling and find their speeds of slip;
 * 0: they run away, and *speed is the direction. *steps: the work. */
int crm_edge_settle(Flow *flow, const NetworkState *state, double **speed, int *steps);

#endif
