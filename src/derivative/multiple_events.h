/* The adjoint at an event: from after it to before it. */
#ifndef CAROM_DERIVATIVE_MULTIPLE_EVENTS_H
#define CAROM_DERIVATIVE_MULTIPLE_EVENTS_H

#include "derivative/multiple_backwards.h"

/* Describe the links of the piece in hand in links[], at x: also F and v. */
void crm_adjoint_describe(Adjoint *adjoint, double x);

/* From the start of the piece after, which after[], F_after, P and the adjoint describe, to the end
 * of the piece in hand, which links[], F and v describe. end: how that ended. */
void crm_adjoint_meet(Adjoint *adjoint, const PieceEnd *end);

/* The rates of the state times the adjoint now, of one lane; P is known. */
double crm_adjoint_power(const Adjoint *adjoint, int r);

/* Does the piece in hand end where it begins? */
int crm_adjoint_has_no_length(const Adjoint *adjoint);

/* Add the gradient of the probe, which is at this moment of the piece in hand, to its lane. */
void crm_adjoint_probe(Adjoint *adjoint, const Probe *probe, int lane);

#endif
