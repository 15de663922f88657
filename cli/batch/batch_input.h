/* The input of carom batch: which columns there are, and a row of them as a problem. */
#ifndef CAROM_CLI_BATCH_BATCH_INPUT_H
#define CAROM_CLI_BATCH_BATCH_INPUT_H

#include <carom/carom.h>

#include "base/error.h"
#include "table/table_reader.h"

/* Known columns; the first BATCH_REQUIRED are required, but for those of y in a planar table. */
enum { BATCH_REQUIRED = 11, BATCH_KNOWN = 18 };

/* Their names. */
extern const char *const batch_names[BATCH_KNOWN];

typedef struct BatchInput {
    int place[BATCH_KNOWN]; /* of each known column; -1: absent */
    /* The numbers of a CaromCase, and the columns that are copied to the output as cells. */
    TableView view;
    TableView below; /* the numbers below the diagonal of W, to three doubles */
    bool has_names;  /* of models or laws: rows are read cell by cell */
    bool planar;     /* neither w12, w22, w23 nor vy: x is the only tangent */
} BatchInput;

/* Why a row is invalid. Constant strings. */
typedef struct BatchFault {
    const char *column; /* "": the row as a whole */
    const char *what;
} BatchFault;

/* Find the columns of a table. False: *error names the column. */
bool batch_input_find(const TableColumns *columns, BatchInput *input, Error *error);

/* Problems whose numbers are then read by view and below. */
void batch_input_prepare(const BatchInput *input, CaromCase *cases, int count);

/* Complete a problem that was read so. False: it must be read cell by cell. */
bool batch_input_accept(const BatchInput *input, const double below[3], CaromCase *row);

/* Make a problem of a row. False: see *fault. */
bool batch_input_read(const TableCell *cells, const BatchInput *input, CaromCase *row,
                      BatchFault *fault);

/* W as a matrix, by rows, and v; planar: 2 x 2, and 2 numbers. */
void batch_input_matrix(const CaromCase *row, double W[9], double v[3]);

#endif
