/* A run that can be broken off: its rows go to parts, files in the folder OUT.parts that are
 * renamed when they are whole. When all are there, they are joined to OUT and removed. */
#ifndef CAROM_CLI_BATCH_BATCH_PARTS_H
#define CAROM_CLI_BATCH_BATCH_PARTS_H

#include <carom/carom.h>

#include "base/error.h"
#include "table/table_writer.h"

/* The last column of a part: the status of each row, which is not in the output. */
#define BATCH_PARTS_STATUS "_status"

typedef struct BatchParts {
    char *folder;
    const char *out_path;
} BatchParts;

/* Begin, or go on with what is there. command: what is run, to know a folder of another run by.
 * batch_parts_close() in any case. False: see error. */
bool batch_parts_open(const char *out_path, const char *command, bool resume, BatchParts *parts,
                      Error *error);
void batch_parts_close(BatchParts *parts);

/* Is a part there? */
bool batch_parts_has(const BatchParts *parts, unsigned long long index);

/* Begin a part: a table with the output's columns and BATCH_PARTS_STATUS. NULL: see error. */
TableWriter *batch_parts_create(const BatchParts *parts, unsigned long long index,
                                const TableColumns *columns, Error *error);

/* What was joined. */
typedef struct BatchJoined {
    unsigned long long rows, failed, first_failed; /* row, counted from 0 */
    CaromStatus first_status;
} BatchJoined;

/* Join the parts to the output and remove them. */
bool batch_parts_join(const BatchParts *parts, unsigned long long count,
                      const TableColumns *columns, BatchJoined *joined, Error *error);

#endif
