/* Rows of arrays, and doing all rows of a call over several threads. */
#ifndef CAROM_PYTHON_ROWS_H
#define CAROM_PYTHON_ROWS_H

#include <carom/carom.h>

#include "native.h"

/* Where row number `row` of an input begins; NULL if it is not given. */
static inline const void *rows_at(const Shape *shape, const Rows *rows, int64_t row) {
    if (!rows->data || !rows->strides) {
        return rows->data;
    }
    if (shape->dims == 1) {
        return (const char *)rows->data + row * rows->strides[0];
    }
    int64_t offset = 0;
    for (int i = shape->dims - 1; i >= 0; i--) {
        offset += row % shape->sizes[i] * rows->strides[i];
        row /= shape->sizes[i];
    }
    return (const char *)rows->data + offset;
}

/* One number of a row, or a default if it is not given. */
static inline double rows_number(const Shape *shape, const Rows *rows, int64_t row, double none) {
    const double *number = rows_at(shape, rows, row);
    return number ? *number : none;
}

/* Do the rows from `from` up to, without, `to`. */
typedef void RowsWork(const void *context, int64_t from, int64_t to);

/* Do all rows. cost: of a row, in units of a tenth of a microsecond; little work is done by the
 * caller's thread alone. */
void rows_run(const Shape *shape, int64_t cost, RowsWork *work, const void *context);

/* Status and message of a row, where they are wanted. */
static inline void rows_end(int64_t row, CaromStatus status, const char *message,
                            int32_t *status_out, uintptr_t *message_out) {
    if (status_out) {
        status_out[row] = status;
    }
    if (message_out) {
        message_out[row] = (uintptr_t)message;
    }
}

/* The nearest jump of a row, where it is wanted. */
static inline void rows_jump(const CaromJump *jump, int64_t row, const RowOutcomes *out) {
    if (out->jump) {
        out->jump[row] = jump->distance;
        out->jump_contact[row] = jump->contact;
        out->jump_reason[row] = (uintptr_t)jump->reason;
    }
}

/* Fill size numbers with NaN, where they are wanted. */
void rows_nan(double *numbers, size_t size);

/* The problem of a row; contacts has room for problems->contacts. */
CaromProblem problems_at(const Shape *shape, const Problems *problems, int64_t row,
                         CaromContact *contacts);

/* Rows of all contacts together, m. */
static inline int problems_size(const Problems *problems) {
    return (problems->planar ? 2 : 3) * problems->contacts;
}

/* What a solve of one row costs, roughly, for rows_run(). */
int64_t problems_cost(const Problems *problems);

/* A body of a row. */
CaromBody bodies_at(const Shape *shape, const Bodies *bodies, int64_t row);

CaromOptions settings_options(const Settings *settings);

#endif
