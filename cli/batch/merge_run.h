/* carom merge: join the outputs of the shards of a run. */
#ifndef CAROM_CLI_BATCH_MERGE_RUN_H
#define CAROM_CLI_BATCH_MERGE_RUN_H

/* Join tables in the order of their shards. Errors go to standard error. Returns the exit status.
 */
int merge_run(const char *out_path, char *const *paths, int count);

#endif
