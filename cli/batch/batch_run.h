/* carom batch: many single-contact problems, one per row of a CSV file. */
#ifndef CAROM_CLI_BATCH_BATCH_RUN_H
#define CAROM_CLI_BATCH_BATCH_RUN_H

/* Solve all rows of a file and write the outcomes to another; NULL: standard input, standard
 * output. Errors go to standard error. Returns the exit status. */
int batch_run(const char *in_path, const char *out_path, int threads);

#endif
