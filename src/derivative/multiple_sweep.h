/* P = W a + weight and the sweeps that solve for the adjoint at the nodes of a step. */
#ifndef CAROM_DERIVATIVE_MULTIPLE_SWEEP_H
#define CAROM_DERIVATIVE_MULTIPLE_SWEEP_H

#include "derivative/multiple_adjoint.h"

/* P of all rows from a and the weights, at present. Held links that push have their a_n from F's
 * equations: eliminates them at the direction of slip that links[] have. 0: they share their load
 * in many ways. */
int crm_adjoint_press(Adjoint *adjoint);

/* Eliminate the equations of the held links that push, with the directions of slip at present or,
 * node >= 0, at a node. 0: singular. */
int crm_adjoint_hold(const Adjoint *adjoint, int node, double *matrix);

/* x = -Q^-1 x for the held links that push: psi on its normal rows to the a_n that makes it 0. */
void crm_adjoint_react(const Adjoint *adjoint, const double *matrix, double *x);

/* The adjoint at all nodes, from that at the end of the step. 0: it does not settle, or there is a
 * message. */
int crm_adjoint_sweep(Adjoint *adjoint);

#endif
