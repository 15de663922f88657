/* The options of a summary, which batch and merge share. */
#ifndef CAROM_CLI_COMMANDS_SUMMARY_OPTIONS_H
#define CAROM_CLI_COMMANDS_SUMMARY_OPTIONS_H

#include "batch/summary.h"

/* Check --plot. Returns 0, or the exit status after usage_fail(). */
int summary_options_check(const char *command, int summary, const SummaryPlan *plan);

#endif
