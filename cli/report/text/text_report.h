/* The report of carom solve as text. */
#ifndef CAROM_CLI_REPORT_TEXT_TEXT_REPORT_H
#define CAROM_CLI_REPORT_TEXT_TEXT_REPORT_H

#include <stdio.h>

#include "solve/solution.h"

/* The solution must have a result. Errors of the stream are left in the stream. */
void report_text(FILE *file, const Scene *scene, const Solution *solution);

#endif
