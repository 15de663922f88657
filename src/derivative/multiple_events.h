/* The adjoint at an event: from after it to before it. */
#ifndef CAROM_DERIVATIVE_MULTIPLE_EVENTS_H
#define CAROM_DERIVATIVE_MULTIPLE_EVENTS_H

#include "derivative/multiple_backwards.h"

/* From the start of the piece after, which after[], F_after, P and the adjoint describe, to the end
 * of the piece in hand, which links[], F and v describe. end: how that ended. */
void crm_adjoint_meet(Adjoint *adjoint, const PieceEnd *end);

/* Add the gradient of the probe, which is at this moment of the piece in hand, to its lane. */
void crm_adjoint_probe(Adjoint *adjoint, const Probe *probe, int lane);

#endif
