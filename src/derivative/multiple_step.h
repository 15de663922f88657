/* The adjoint over a piece, backwards. */
#ifndef CAROM_DERIVATIVE_MULTIPLE_STEP_H
#define CAROM_DERIVATIVE_MULTIPLE_STEP_H

#include "derivative/multiple_adjoint.h"

/* From one moment of the piece in hand back to another; adds to the gradients. */
void crm_adjoint_piece(Adjoint *adjoint, double from, double to);

/* The gradients by W of all steps so far are nothing; add them to the caller's rows. */
void crm_adjoint_clear_W(Adjoint *adjoint);
void crm_adjoint_add_W(const Adjoint *adjoint);

#endif
