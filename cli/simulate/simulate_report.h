/* Reports of a simulation: as text and as JSON. */
#ifndef CAROM_CLI_SIMULATE_SIMULATE_REPORT_H
#define CAROM_CLI_SIMULATE_SIMULATE_REPORT_H

#include <stdio.h>

#include "simulate/simulate_run.h"

/* Text. Errors of the stream are left in the stream. */
void simulate_text(FILE *file, const SimulateScene *scene, const CaromOptions *options,
                   const SimulateRun *run);

/* One line of JSON with all impacts, numbers with 17 significant digits. False: out of memory. */
bool simulate_json(FILE *file, const SimulateScene *scene, const SimulateRun *run);

#endif
