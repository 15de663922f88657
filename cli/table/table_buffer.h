/* Encoded rows that wait to be appended. */
#ifndef CAROM_CLI_TABLE_TABLE_BUFFER_H
#define CAROM_CLI_TABLE_TABLE_BUFFER_H

#include "table/table_writer.h"

/* All zero: empty. free(bytes) in the end. */
typedef struct TableBuffer {
    char *bytes;
    size_t length, size;
} TableBuffer;

typedef enum TableFit { TABLE_FITS, TABLE_MISFIT, TABLE_NO_MEMORY } TableFit;

/* Encode a row at the end. TABLE_MISFIT: the cell of *column does not fit. */
TableFit table_buffer_add(TableBuffer *buffer, const TableWriter *writer, const TableCell *cells,
                          int *column);

#endif
