/* The adjoint over a piece, backwards. */
#ifndef CAROM_DERIVATIVE_MULTIPLE_STEP_H
#define CAROM_DERIVATIVE_MULTIPLE_STEP_H

#include "derivative/multiple_adjoint.h"

/* From one moment of the piece in hand back to another; adds to the gradients. after_event: the
 * adjoint is not smooth there. */
void crm_adjoint_piece(Adjoint *adjoint, double from, double to, int after_event);

/* P = W a + weight, at present. Held links that push have their a_n from F's equations: eliminates
 * them at the direction of slip that links[] have. 0: they share their load in many ways. */
int crm_adjoint_press(Adjoint *adjoint);

/* Eliminate the equations of the held links that push: with directions s of slip (two numbers every
 * stride). 0: singular. */
int crm_adjoint_hold(const Adjoint *adjoint, const double *s, int stride, double *matrix);

/* x = -Q^-1 x for the held links that push: psi on its normal rows to the a_n that makes it 0. */
void crm_adjoint_react(const Adjoint *adjoint, const double *matrix, double *x);

#endif
