/* The first moments of a motion of several contacts, for oracle.c. */
#ifndef CAROM_TEST_MULTIPLE_START_H
#define CAROM_TEST_MULTIPLE_START_H

#include "support/multiple/motion.h"

/* From the touch, where all forces are 0, by Taylor series: decides which contacts act and how, and
 * puts the state a little later. With friction that time is the given part of the fastest motion:
 * slip keeps its direction and stick does not end until then. */
void motion_start(Motion *m, Real rough_time);

#endif
