/* carom batch: many problems, one per row of a table. */
#ifndef CAROM_CLI_BATCH_BATCH_RUN_H
#define CAROM_CLI_BATCH_BATCH_RUN_H

#include "batch/batch_rows.h"
#include "table/table_reader.h"
#include "table/table_writer.h"

/* Makes the table of the output when its columns are known. NULL: see error. */
typedef TableWriter *BatchCreate(const char *path, const TableColumns *columns, Error *error);

typedef struct BatchRun {
    const char *in_name, *out_name; /* in messages */
    TableReader *reader;
    const BatchRows *rows;
    const char *out_path; /* NULL: standard output */
    BatchCreate *create;
    bool typed; /* the output is a binary table */
    int threads;
    /* Only every so many blocks of BATCH_BLOCK_ROWS rows, from this block on: part of the work of
     * several runs, whose outputs `carom merge` joins. Their last column is BATCH_ROW, the number
     * of the row from 0 on. shards 1: all rows, without that column. */
    int shard, shards;
    /* Rows of a part, a multiple of BATCH_BLOCK_ROWS, and the parts; NULL: none. */
    unsigned long long part_rows;
    const struct BatchParts *parts;
} BatchRun;

enum { BATCH_BLOCK_ROWS = 4096 };
#define BATCH_ROW "_row"

/* Solve all rows of a table and write the outcomes to another. Errors go to standard error. Returns
 * the exit status. */
int batch_run(const BatchRun *run);

#endif
