/* Records of numbers, all of one length, written once and read many times by several threads.
 *
 * Few records stay in memory; more go to a temporary file without a name in $TMPDIR, or /tmp, and
 * come back through windows, one for each thread. So memory does not grow with their number. */
#ifndef CAROM_CLI_FIT_FIT_SPOOL_H
#define CAROM_CLI_FIT_FIT_SPOOL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Bytes of records that stay in memory. */
enum { FIT_SPOOL_MEMORY = 16 << 20 };

typedef struct FitSpool {
    size_t width;  /* numbers of a record */
    size_t rows;   /* records */
    size_t memory; /* bytes that may stay in memory */
    double *held;  /* all records, or those that are not in the file yet */
    size_t held_rows, capacity;
    int file; /* -1: there is none */
} FitSpool;

/* What a thread has read from the file. */
typedef struct FitWindow {
    size_t first, rows;
    double numbers[];
} FitWindow;

/* An empty spool; memory 0: FIT_SPOOL_MEMORY. fit_spool_free() in any case. */
FitSpool fit_spool_begin(size_t width, size_t memory);
bool fit_spool_add(FitSpool *spool, const double *record, Error *error);
/* All records have been added. */
bool fit_spool_end(FitSpool *spool, Error *error);
void fit_spool_free(FitSpool *spool);

/* Sort by the number at a place of each record, an integer from 0 to count - 1; records with the
 * same number stay in order. counts: how many there are of each. */
bool fit_spool_sort(FitSpool *spool, size_t place, const size_t *counts, int count, Error *error);

/* Bytes of a window; it starts as zeros. */
size_t fit_spool_window(const FitSpool *spool);

/* A record, until the next call with the same window. NULL: the file cannot be read. */
const double *fit_spool_read(const FitSpool *spool, size_t row, FitWindow *window);

#endif
