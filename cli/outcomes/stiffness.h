/* Outcomes over the stiffnesses of the contacts. */
#ifndef CAROM_CLI_OUTCOMES_STIFFNESS_H
#define CAROM_CLI_OUTCOMES_STIFFNESS_H

#include "outcomes/outcomes.h"

/* Fill outcomes->stiffness: the stiffnesses as given, then options.count - 1 others. Two contacts:
 * a grid of their ratio. More: a Latin hypercube, each stiffness in as many equal steps of its
 * logarithm. False: out of memory. */
bool stiffness_compute(Outcomes *outcomes, const char *name);

#endif
