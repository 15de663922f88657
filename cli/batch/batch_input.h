/* The input of carom batch: which columns there are, and a row of them as a problem. */
#ifndef CAROM_CLI_BATCH_BATCH_INPUT_H
#define CAROM_CLI_BATCH_BATCH_INPUT_H

#include <carom/carom.h>

#include "base/error.h"
#include "table/table.h"

/* Known columns; the first BATCH_REQUIRED are required. */
enum { BATCH_REQUIRED = 11, BATCH_KNOWN = 18 };

/* Their names. */
extern const char *const batch_names[BATCH_KNOWN];

typedef struct BatchInput {
    int place[BATCH_KNOWN]; /* of each known column; -1: absent */
    int passed_count;       /* columns that are copied to the output */
    int passed[TABLE_COLUMNS_MAX];
} BatchInput;

/* Why a row is invalid. Constant strings. */
typedef struct BatchFault {
    const char *column; /* "": the row as a whole */
    const char *what;
} BatchFault;

/* Find the columns of a table. False: *error names the column. */
bool batch_input_find(const TableColumns *columns, BatchInput *input, Error *error);

/* Make a problem of a row. False: see *fault. */
bool batch_input_read(const TableCell *cells, const BatchInput *input, CaromCase *row,
                      BatchFault *fault);

/* W as a matrix, by rows. */
void batch_input_matrix(const CaromCase *row, double W[9]);

#endif
