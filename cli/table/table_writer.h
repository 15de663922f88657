/* Writing a table: CSV, .npy, .npz, .h5 by the file's name. Rows are encoded by any thread
 * (table_encode.h) and appended by one. The file takes its place when it is complete
 * (io/output_file.h). */
#ifndef CAROM_CLI_TABLE_TABLE_WRITER_H
#define CAROM_CLI_TABLE_TABLE_WRITER_H

#include "base/error.h"
#include "table/table.h"

typedef struct TableWriter TableWriter;

struct TableWriter {
    TableColumns columns;
    bool typed; /* binary: all values of a column are of its kind */

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
