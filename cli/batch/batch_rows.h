/* What the rows of a table are to carom batch: contact_rows.h and scene_rows.h make one. */
#ifndef CAROM_CLI_BATCH_BATCH_ROWS_H
#define CAROM_CLI_BATCH_BATCH_ROWS_H

#include <carom/carom.h>

#include "table/table_encode.h"
#include "table/table_reader.h"

/* Most rows of a call of solve(). */
enum { BATCH_PIECE_ROWS = 512, BATCH_REASON_SIZE = 256 };

/* Memory of one thread: rows that were solved. Kinds of rows extend it. */
typedef struct BatchWork {
    /* Where values are: of the columns that are copied, then of those of the outcome. */
    TableSource sources[TABLE_COLUMNS_MAX];
    int64_t statuses[BATCH_PIECE_ROWS]; /* CaromStatus of each row */
    TableCell *passed;                  /* cells that are copied; owned */
} BatchWork;

typedef struct BatchRows BatchRows;

struct BatchRows {
    TableColumns columns; /* of the outcome */
    int passed_count;     /* columns of the input that are copied to the output */
    int passed[TABLE_COLUMNS_MAX];

    /* Memory for a thread; NULL: out of memory. */
    BatchWork *(*start)(const BatchRows *rows);

    /* Solve some rows of a chunk; any thread may call it. What work shows lasts until the next
     * call, or the chunk's end. */
    void (*solve)(const BatchRows *rows, const TableReader *reader, const TableChunk *chunk,
                  int first, int count, BatchWork *work);

    /* Why a row was not solved. */
    void (*explain)(const BatchRows *rows, const TableReader *reader, const TableChunk *chunk,
                    int index, char reason[BATCH_REASON_SIZE]);
    void (*end)(BatchWork *work); /* NULL: nothing to do */
    void (*close)(BatchRows *rows);
};

/* A work of size bytes that begins with a BatchWork, all else zero; its sources of copied columns
 * are set. NULL: out of memory. */
void *batch_work_create(size_t size, const BatchRows *rows);

/* Free such a work; NULL: nothing to do. */
void batch_work_free(BatchWork *work);

#endif
