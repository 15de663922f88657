/* Encoded rows. */
#include "table/table_buffer.h"

#include <stdlib.h>

TableFit table_buffer_add(TableBuffer *buffer, const TableWriter *writer, const TableCell *cells,
                          int *column) {
    size_t room = writer->room(writer, cells);
    if (buffer->size - buffer->length < room) {
        size_t size = 2 * buffer->size + room;
        char *larger = realloc(buffer->bytes, size);
        if (!larger) {
            return TABLE_NO_MEMORY;
        }
        buffer->bytes = larger;
        buffer->size = size;
    }
    size_t length = writer->encode(writer, cells, buffer->bytes + buffer->length, column);
    buffer->length += length;
    return length > 0 ? TABLE_FITS : TABLE_MISFIT;
}
