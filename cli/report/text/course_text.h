/* The course of the impact as text. */
#ifndef CAROM_CLI_COURSE_TEXT_H
#define CAROM_CLI_COURSE_TEXT_H

#include <stdio.h>

#include "solve/solution.h"

/* The events; of several contacts also the states. The solution must have a result. */
void report_course(FILE *file, const Scene *scene, const Solution *solution);

#endif
