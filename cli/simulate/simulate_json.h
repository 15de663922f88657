/* A simulation as JSON. */
#ifndef CAROM_CLI_SIMULATE_JSON_H
#define CAROM_CLI_SIMULATE_JSON_H

#include <stdio.h>

#include "simulate/simulate_run.h"

/* One line with all impacts, numbers with 17 significant digits. False: out of memory. */
bool simulate_json(FILE *file, const SimulateScene *scene, const SimulateRun *run);

#endif
