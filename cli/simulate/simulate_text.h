/* A simulation as text. */
#ifndef CAROM_CLI_SIMULATE_TEXT_H
#define CAROM_CLI_SIMULATE_TEXT_H

#include <stdio.h>

#include "simulate/simulate_run.h"

/* Errors of the stream are left in the stream. */
void simulate_text(FILE *file, const SimulateScene *scene, const CaromOptions *options,
                   const SimulateRun *run);

#endif
