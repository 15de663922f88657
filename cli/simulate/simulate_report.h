/* Reports of a simulation: as text, as JSON, and the trajectory as a table (CSV). */
#ifndef CAROM_CLI_SIMULATE_SIMULATE_REPORT_H
#define CAROM_CLI_SIMULATE_SIMULATE_REPORT_H

#include <stdio.h>

#include "simulate/simulate_run.h"

/* Text. Errors of the stream are left in the stream. */
void simulate_text(FILE *file, const SimulateScene *scene, const CaromOptions *options,
                   const SimulateRun *run);

/* One line of JSON with all impacts, numbers with 17 significant digits. False: out of memory. */
bool simulate_json(FILE *file, const SimulateScene *scene, const SimulateRun *run);

/* The trajectory: rate samples per unit of time (0: a thousand in all), and the instants before and
 * after each bounce. False: see *error. */
bool simulate_csv(const char *path, const SimulateScene *scene, const SimulateRun *run, double rate,
                  Error *error);

#endif
