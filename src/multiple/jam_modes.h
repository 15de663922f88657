/* A jam by its modes: where all links that act stick, and nothing opens, the vibration is that of a
 * linear system. */
#ifndef CAROM_MULTIPLE_JAM_MODES_H
#define CAROM_MULTIPLE_JAM_MODES_H

#include "multiple/network.h"

/* Do the links that act stay closed for ever, and stick? slip: the part of its cone by which a
 * force may leave it. impulse: that which brings them to rest. */
int crm_jam_modes(const Network *network, const double *impulse, double slip);

#endif
