/* Strikes for a wanted outcome, as text and JSON. */
#ifndef CAROM_CLI_AIM_AIM_REPORT_H
#define CAROM_CLI_AIM_AIM_REPORT_H

#include <stdio.h>

#include "aim/aim_run.h"

void aim_report_text(FILE *file, const char *name, const AimRun *run);

/* One line. False: out of memory. */
bool aim_report_json(FILE *file, const AimRun *run);

#endif
