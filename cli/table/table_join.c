/* Joining tables. */
#include "table/table_join.h"

#include <stdlib.h>

#include "table/table_encode.h"

enum { CHUNK_ROWS = 256 };

/* Memory for a chunk and what is made of it. */
typedef struct Join {
    TableReader *reader;
    TableWriter *writer;
    TableView view;
    TableChunk chunk;
    TableBuffer buffer;
    TableCell *cells;
    double *numbers;
    TableSource sources[TABLE_COLUMNS_MAX];
} Join;

static bool prepare(Join *join, TableReader *reader, TableWriter *writer) {
    int count = writer->columns.count;
    join->reader = reader;
    join->writer = writer;
    join->cells = malloc((size_t)count * CHUNK_ROWS * sizeof *join->cells);
    join->numbers = malloc(CHUNK_ROWS * sizeof *join->numbers);
    for (int i = 0; i < count; i++) {
        table_view_cell(&join->view, i);
        join->sources[i] =
            (TableSource){TABLE_SOURCE_CELLS, join->cells + i, (size_t)count * sizeof *join->cells};
    }
    table_view_number(&join->view, count, 0);
    return join->cells && join->numbers;
}

/* A chunk of at most so many rows; returns their number, -1: see error. */
static int copy_chunk(Join *join, int most, TableSee *see, void *context, Error *error) {
    TableReader *reader = join->reader;
    const TableColumns *columns = &join->writer->columns;
    TableMisfit misfit = {0};
    int count = reader->next(reader, &join->chunk, most, error);
    if (count <= 0) {
        return count;
    }
    reader->read(reader, &join->chunk, 0, count, &join->view, join->numbers, sizeof(double),
                 join->cells);
    for (int i = 0; i < count; i++) {
        if (!see(context, join->numbers[i], error)) {
            return -1;
        }
    }
    join->buffer.length = 0;
    switch (
        table_encode(columns, join->writer->typed, join->sources, count, &join->buffer, &misfit)) {
    case TABLE_FITS:
        break;
    case TABLE_MISFIT:
        error_set(error, "column \"%s\": is of another kind here",
                  columns->list[misfit.column].name);
        return -1;
    default:
        error_set(error, "out of memory");
        return -1;
    }
    return join->writer->append(join->writer, join->buffer.bytes, join->buffer.length, count, error)
               ? count
               : -1;
}

long long table_join_copy(TableReader *reader, TableWriter *writer, long long most, TableSee *see,
                          void *context, Error *error) {
    long long copied = 0;
    int count = 1;
    if (reader->columns.count != writer->columns.count + 1) {
        error_set(error, "has other columns");
        return -1;
    }
    Join *join = calloc(1, sizeof *join);
    if (!join || !prepare(join, reader, writer)) {
        error_set(error, "out of memory");
        count = -1;
    }
    while (copied < most && count > 0) {
        long long left = most - copied;
        count = copy_chunk(join, left < CHUNK_ROWS ? (int)left : CHUNK_ROWS, see, context, error);
        copied += count;
    }
    if (join) {
        free(join->cells);
        free(join->numbers);
        free(join->buffer.bytes);
        table_chunk_free(&join->chunk);
    }
    free(join);
    return count < 0 ? -1 : copied;
}
