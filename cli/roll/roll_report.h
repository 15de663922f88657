/* Reports of a ball on a table: as text, as JSON, and the path as a table. */
#ifndef CAROM_CLI_ROLL_ROLL_REPORT_H
#define CAROM_CLI_ROLL_ROLL_REPORT_H

#include <stdio.h>

#include "base/error.h"
#include "roll/roll_run.h"

void roll_text(FILE *file, const Solution *solution, const RollRun *run);

/* One line. False: out of memory. */
bool roll_json(FILE *file, const Solution *solution, const RollRun *run);

/* The path, sampled at a rate (0: 1000 samples) and where a phase begins, as CSV. False: *error. */
bool roll_csv(const char *path, const RollRun *run, double rate, Error *error);

#endif
