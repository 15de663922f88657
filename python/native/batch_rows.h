/* Rows of single contacts by the batch call. */
#ifndef CAROM_PYTHON_BATCH_ROWS_H
#define CAROM_PYTHON_BATCH_ROWS_H

#include "rows.h"

typedef struct BatchRows {
    const Shape *shape;
    const Problems *problems;
    const RowOutcomes *out;
} BatchRows;

/* Does the batch call solve these problems, and report all that is wanted? */
int batch_suits(const Problems *problems, const Settings *settings, const RowOutcomes *out);

/* A RowsWork; the context is a BatchRows. */
void batch_part(const void *context, int64_t from, int64_t to);

/* A row of a single contact. W that is not symmetric makes a case that fails. */
CaromCase batch_case(const Shape *shape, const Problems *problems, int64_t row);

#endif
