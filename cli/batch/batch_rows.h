/* The rows of carom batch: reading the header and cases, writing outcomes. */
#ifndef CAROM_CLI_BATCH_BATCH_ROWS_H
#define CAROM_CLI_BATCH_BATCH_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include <carom/carom.h>

#include "base/error.h"
#include "batch/csv.h"

/* Columns of the input; the first BATCH_REQUIRED are required. */
enum { BATCH_REQUIRED = 11, BATCH_COLUMNS = 15 };

/* Room for a line of output: six numbers of at most 24 characters, sequence and status. */
enum { BATCH_ROW_BYTES = 224 };

/* Header of the output. */
#define BATCH_HEADER "ix,iy,iz,vx,vy,vz,sequence,status\n"

typedef struct BatchColumns {
    int count;                /* in the input */
    int place[BATCH_COLUMNS]; /* of each known column; -1: absent */
} BatchColumns;

/* Why a row is invalid. Constant strings. */
typedef struct BatchFault {
    const char *column; /* "": the row as a whole */
    const char *what;
} BatchFault;

/* Read the header. False: *error names the column. */
bool batch_columns_read(const CsvLine *header, BatchColumns *columns, Error *error);

/* Read a row. False: see *fault. */
bool batch_row_read(const CsvLine *line, const BatchColumns *columns, CaromCase *row,
                    BatchFault *fault);

/* Why a row that was read cannot be solved. */
BatchFault batch_row_reason(const CaromCase *row);

/* Write a line of output to at least BATCH_ROW_BYTES; returns its length. */
size_t batch_row_write(const CaromOutcome *outcome, char *text);

/* The outcome of an invalid row. */
CaromOutcome batch_row_invalid(void);

#endif
