/* A jam by how the process has gone: some links slip or open now and then, ever less, and no bound
 * says that they stop. */
#ifndef CAROM_MULTIPLE_JAM_TRAIL_H
#define CAROM_MULTIPLE_JAM_TRAIL_H

#include "multiple/network.h"

/* After many pieces: is the mean velocity by the links that have been stuck for half of them what
 * it was then? The change is counted as an error. impulse: that which leads to it. */
int crm_jam_trail(Network *network, double *impulse);

#endif
