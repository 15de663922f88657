/* The core of a jam: links that stay closed and stick for ever, whatever the others do. */
#ifndef CAROM_MULTIPLE_JAM_CORE_H
#define CAROM_MULTIPLE_JAM_CORE_H

#include "multiple/network.h"

/* Find it among the links that stick, if all the energy that can get into its vibration is that of
 * the springs and motion (the kinetic energy that impulses at them can take) of the links with
 * acts[i]. core[i] becomes 1 for its links, else 0; the energy that is left, or -1 if there is
 * none.
 */
double crm_jam_core(const Network *network, const int *acts, double motion, int *core);

/* Would these links stay closed and stick if nothing moved: is their load inside their cones? */
int crm_jam_loaded(const Network *network, const int *acts, const int *stuck);

#endif
