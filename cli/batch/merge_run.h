/* carom merge: join the outputs of the shards of a run. */
#ifndef CAROM_CLI_BATCH_MERGE_RUN_H
#define CAROM_CLI_BATCH_MERGE_RUN_H

#include "batch/summary.h"

/* Join tables in the order of their shards, or their rows to a summary; summary NULL: none is
 * wanted. out_path NULL: standard output. Errors go to standard error. Returns the exit status. */
int merge_run(const char *out_path, const SummaryPlan *summary, char *const *paths, int count);

#endif
