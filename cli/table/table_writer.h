/* Writing a table: CSV, .npy, .npz, .h5 by the file's name. Rows are encoded by any thread and
 * appended by one. The file takes its place when it is complete (io/output_file.h). */
#ifndef CAROM_CLI_TABLE_TABLE_WRITER_H
#define CAROM_CLI_TABLE_TABLE_WRITER_H

#include "base/error.h"
#include "table/table.h"

typedef struct TableWriter TableWriter;

struct TableWriter {
    TableColumns columns;
    bool typed; /* binary: all values of a column are of its kind */

    /* Bytes that a row needs at most. */
    size_t (*room)(const TableWriter *writer, const TableCell *cells);

    /* Encode a row; returns its length. A cell that does not fit its column: 0 and the column. */
    size_t (*encode)(const TableWriter *writer, const TableCell *cells, char *to, int *column);

    /* Append encoded rows. */
    bool (*append)(TableWriter *writer, const char *bytes, size_t length, int rows, Error *error);

    /* All rows are there: complete the file and let it take its place. */
    bool (*finish)(TableWriter *writer, Error *error);

    /* Close everything; without finish() nothing of the file is left. */
    void (*close)(TableWriter *writer);
};

/* Is the table at this path binary? NULL: standard output, CSV. */
bool table_is_typed(const char *path);

/* Begin a table; path NULL: standard output, CSV. NULL: see error, without the path. */
TableWriter *table_create(const char *path, const TableColumns *columns, Error *error);

/* Close it; NULL: nothing to do. */
void table_writer_close(TableWriter *writer);

#endif
