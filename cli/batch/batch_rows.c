/* What all kinds of rows share. */
#include "batch/batch_rows.h"

#include <stdlib.h>

void *batch_work_create(size_t size, const BatchRows *rows) {
    BatchWork *work = calloc(1, size);
    size_t count = (size_t)rows->passed_count;
    if (!work) {
        return NULL;
    }
    work->passed = calloc(BATCH_PIECE_ROWS * count + 1, sizeof *work->passed);
    if (!work->passed) {
        free(work);
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        work->sources[i] =
            (TableSource){TABLE_SOURCE_CELLS, work->passed + i, count * sizeof *work->passed};
    }
    return work;
}

void batch_work_free(BatchWork *work) {
    if (work) {
        free(work->passed);
    }
    free(work);
}
