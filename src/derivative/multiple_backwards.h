/* Several compliant contacts: the adjoint from the end of the process to its start. */
#ifndef CAROM_DERIVATIVE_MULTIPLE_BACKWARDS_H
#define CAROM_DERIVATIVE_MULTIPLE_BACKWARDS_H

#include "derivative/multiple_adjoint.h"
#include "derivative/multiple_tape.h"

/* A number of the state at one moment whose gradient is wanted. */
typedef enum ProbeKind {
    PROBE_CONE,  /* |f| - mu N of a link that sticks */
    PROBE_SPEED, /* v_n */
    PROBE_FORCE  /* N of a held link */
} ProbeKind;

typedef struct Probe {
    ProbeKind kind;
    int piece, link;
    double x; /* in units of the piece */
} Probe;

/* Back through all pieces, with weights and lanes as they are set. With probes lane r belongs to
 * probe r, all weights are 0, and the probes come in the order in which they are met. */
void crm_adjoint_run(const Tape *tape, Adjoint *adjoint, const Probe *probes, int count);

#endif
