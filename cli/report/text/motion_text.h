/* Impulses and velocities as text. */
#ifndef CAROM_CLI_MOTION_TEXT_H
#define CAROM_CLI_MOTION_TEXT_H

#include <stdio.h>

#include "solve/solution.h"

/* Impulse and velocity of every contact; then the velocities of the bodies or the generalised
 * speeds, before and after. The solution must have a result. */
void report_contacts(FILE *file, const Scene *scene, const Solution *solution);
void report_motion(FILE *file, const Scene *scene, const Solution *solution);

#endif
