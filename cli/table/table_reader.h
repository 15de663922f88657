/* Reading a table in chunks of rows, in constant memory: CSV, .npy, .npz, .h5 by the file's name.
 */
#ifndef CAROM_CLI_TABLE_TABLE_READER_H
#define CAROM_CLI_TABLE_TABLE_READER_H

#include "base/error.h"
#include "table/table.h"

typedef struct TableReader TableReader;

struct TableReader {
    TableColumns columns;
    bool typed;               /* the file says the kind of each column; CSV: all cells are texts */
    bool counted;             /* the file says how many rows it has: */
    unsigned long long total; /* then that number */
    int first_line; /* what people call the first row: 2 in CSV, below the header; else 1 */

    /* The next chunk of at most so many rows; returns their number, 0 at the end, -1: see error. */
    int (*next)(TableReader *reader, int most, Error *error);

    /* The cells of a row of the chunk, one for each column; any thread may call it. Returns NULL,
     * or why the row cannot be read, a constant string. */
    const char *(*row)(const TableReader *reader, int index, TableCell *cells);

    void (*close)(TableReader *reader);
};

/* Open a table; path NULL: standard input, CSV. NULL: see error, without the path. */
TableReader *table_open(const char *path, Error *error);

/* Close it; NULL: nothing to do. */
void table_close(TableReader *reader);

#endif
