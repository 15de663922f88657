/* The variational equations of slip in log-time, at the nodes of the solver's curve (slip_nodes.c).
 */
#ifndef CAROM_DERIVATIVE_SLIP_NODES_H
#define CAROM_DERIVATIVE_SLIP_NODES_H

#include "derivative/slip_slope.h"

/* Gauss's rule on [-1, 1], nodes in order; integral[i][j]: the weights of the integral of the
 * interpolating polynomial from -1 to node i. */
typedef struct SlopeRule {
    double node[RIGID_NODES], weight[RIGID_NODES], integral[RIGID_NODES][RIGID_NODES];
} SlopeRule;

void crm_slope_rule(SlopeRule *rule);

/* Follow a curve that comes with nodes. */
void crm_slope_nodes(Slope *slope, const RigidPiece *piece);

#endif
