/* carom batch: many single-contact problems, one per row of a table. */
#ifndef CAROM_CLI_BATCH_BATCH_RUN_H
#define CAROM_CLI_BATCH_BATCH_RUN_H

#include "batch/batch_output.h"

/* Solve all rows of a table and write the outcomes to another; NULL: standard input, standard
 * output. Errors go to standard error. Returns the exit status. */
int batch_run(const char *in_path, const char *out_path, const BatchOutput *output, int threads);

#endif
