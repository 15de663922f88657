/* Joining tables. */
#include "table/table_join.h"

#include <stdlib.h>

#include "table/table_buffer.h"

enum { CHUNK_ROWS = 1024 };

static bool encode_row(const TableWriter *writer, const TableCell *cells, TableBuffer *buffer,
                       Error *error) {
    int column = 0;
    switch (table_buffer_add(buffer, writer, cells, &column)) {
    case TABLE_FITS:
        return true;
    case TABLE_MISFIT:
        return error_set(error, "column \"%s\": is of another kind here",
                         writer->columns.list[column].name);
    default:
        return error_set(error, "out of memory");
    }
}

long long table_join_copy(TableReader *reader, TableWriter *writer, long long most, TableSee *see,
                          void *context, Error *error) {
    TableBuffer buffer = {0};
    long long copied = 0;
    int count = 1;
    while (copied < most && count > 0) {
        long long left = most - copied;
        count = reader->next(reader, left < CHUNK_ROWS ? (int)left : CHUNK_ROWS, error);
        buffer.length = 0;
        for (int i = 0; i < count; i++) {
            TableCell cells[TABLE_COLUMNS_MAX];
            const char *why = reader->row(reader, i, cells);
            if (why || !encode_row(writer, cells, &buffer, error)) {
                count = why ? (error_set(error, "%s", why), -1) : -1;
                break;
            }
            if (see) {
                see(context, cells);
            }
        }
        if (count > 0 && !writer->append(writer, buffer.bytes, buffer.length, count, error)) {
            count = -1;
        }
        copied += count;
    }
    free(buffer.bytes);
    return count < 0 ? -1 : copied;
}
