/* The trajectory of a simulation as a table (CSV). */
#ifndef CAROM_CLI_SIMULATE_SIMULATE_CSV_H
#define CAROM_CLI_SIMULATE_SIMULATE_CSV_H

#include "simulate/simulate_run.h"

/* Write rate samples per unit of time (0: a thousand in all), and the instants before and after
 * each bounce. False: see *error. */
bool simulate_csv(const char *path, const SimulateScene *scene, const SimulateRun *run, double rate,
                  Error *error);

#endif
