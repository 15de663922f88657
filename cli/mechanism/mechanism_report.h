/* Reports of a mechanism over time: as text, as JSON, and its path as a table. */
#ifndef CAROM_CLI_MECHANISM_MECHANISM_REPORT_H
#define CAROM_CLI_MECHANISM_MECHANISM_REPORT_H

#include <stdio.h>

#include "mechanism/mechanism_run.h"

void mechanism_text(FILE *file, const MechanismScene *scene, const MechanismRun *run);

/* One line. False: out of memory. */
bool mechanism_json(FILE *file, const MechanismRun *run);

/* Rows t, q1, q2, u1, u2, gap, kinetic, potential, phase; both states of each event. */
bool mechanism_csv(const char *path, const MechanismRun *run, Error *error);

#endif
