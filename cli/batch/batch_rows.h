/* What the rows of a table are to carom batch: contact_rows.h and scene_rows.h make one. */
#ifndef CAROM_CLI_BATCH_BATCH_ROWS_H
#define CAROM_CLI_BATCH_BATCH_ROWS_H

#include <carom/carom.h>

#include "table/table_reader.h"

typedef struct BatchRows BatchRows;

/* Takes the outcome of a row: its status, the reason of a failure, and a cell for each column. All
 * of it is copied before the call returns. */
typedef void BatchEmit(void *context, int row, CaromStatus status, const char *reason,
                       const TableCell *cells);

struct BatchRows {
    TableColumns columns; /* of the outcome */
    int passed_count;     /* columns of the input that are copied to the output */
    int passed[TABLE_COLUMNS_MAX];

    /* Solve some rows of the reader's chunk and emit them in order; any thread may call it. */
    void (*solve)(const BatchRows *rows, const TableReader *reader, int first, int count,
                  BatchEmit *emit, void *context);
    void (*close)(BatchRows *rows);
};

/* Most rows of a call of solve(). */
enum { BATCH_PIECE_ROWS = 64 };

#endif
