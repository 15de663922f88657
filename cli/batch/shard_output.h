/* The output of a shard does not replace that of another one: tasks that got the same name. */
#ifndef CAROM_CLI_BATCH_SHARD_OUTPUT_H
#define CAROM_CLI_BATCH_SHARD_OUTPUT_H

#include <stdbool.h>

/* Is the table at this path the output of a shard whose first row is another one? */
bool shard_output_is_other(const char *path, unsigned long long first_row);

#endif
