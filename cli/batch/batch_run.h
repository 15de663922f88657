/* carom batch: many problems, one per row of a table. */
#ifndef CAROM_CLI_BATCH_BATCH_RUN_H
#define CAROM_CLI_BATCH_BATCH_RUN_H

#include "batch/batch_ranks.h"
#include "batch/batch_rows.h"
#include "batch/summary.h"
#include "table/table_writer.h"

typedef struct BatchRun {
    const char *in_name, *out_name; /* in messages */
    TableReader *reader;
    const BatchRows *rows;
    const char *out_path;       /* NULL: standard output */
    const SummaryPlan *summary; /* the output is a summary; NULL: it is a table */
    int threads;
    /* Only every so many blocks of BATCH_BLOCK_ROWS rows, from this block on: part of the work of
     * several runs, whose outputs `carom merge` joins. Their last column is BATCH_ROW, the number
     * of the row from 0 on. shards 1: all rows, without that column. */
    int shard, shards;
    /* Rows of a part, a multiple of BATCH_BLOCK_ROWS, and the parts; NULL: none. */
    unsigned long long part_rows;
    const struct BatchParts *parts;
    /* Processes that share the parts; NULL: this one does all. */
    BatchRanks *ranks;
} BatchRun;

enum { BATCH_BLOCK_ROWS = 4096 };
#define BATCH_ROW "_row"

/* Solve all rows of a table and write the outcomes to another. Errors go to standard error. Returns
 * the exit status. */
int batch_run(const BatchRun *run);

#endif
