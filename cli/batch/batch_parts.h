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
    char suffix[24]; /* of the parts' names, which gives their format */
} BatchParts;

/* Begin, or go on with what is there. rows_kept: parts have the format of the output; else, where
 * it is a summary of them, that of .npy. command: what is run, to know a folder of another run by.
 * batch_parts_close() in any case. False: see error. */
bool batch_parts_open(const char *out_path, bool rows_kept, const char *command, bool resume,
                      BatchParts *parts, Error *error);
void batch_parts_close(BatchParts *parts);

/* Is a part there? */
bool batch_parts_has(const BatchParts *parts, unsigned long long index);

/* The columns of a part: those of the output, and BATCH_PARTS_STATUS. False: see error. */
bool batch_parts_columns(TableColumns *columns, Error *error);

/* Begin a part with such columns. NULL: see error. */
TableWriter *batch_parts_create(const BatchParts *parts, unsigned long long index,
                                const TableColumns *columns, Error *error);

/* What was joined. */
typedef struct BatchJoined {
    unsigned long long rows, failed, first_failed; /* row, counted from 0 */
    CaromStatus first_status;
} BatchJoined;

/* Join the parts before count to the output, finish it, and remove them. rows: how many there must
 * be. False: see error. */
bool batch_parts_join(const BatchParts *parts, unsigned long long count, unsigned long long rows,
                      TableWriter *output, BatchJoined *joined, Error *error);

#endif
