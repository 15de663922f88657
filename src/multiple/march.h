/* The orders of a piece once it is known what each link does: springs, some of which stick or slip,
 * and nothing else. */
#ifndef CAROM_MULTIPLE_MARCH_H
#define CAROM_MULTIPLE_MARCH_H

#include "multiple/network.h"

/* Does the quick way apply to this impact: three rows per link, and a W without many zeros? */
int crm_march_applies(const Given *given);

/* Forces of the springs of orders first > 0 to ORDER, and the velocities one order beyond. */
void crm_march(const Given *given, Piece *piece, int springs, int first);

#endif
