/* Reading a table in chunks of rows, in constant memory: CSV, .npy, .npz, .h5 by the file's name.
 * One thread at a time reads the next chunk; any number of them take the rows out of chunks. */
#ifndef CAROM_CLI_TABLE_TABLE_READER_H
#define CAROM_CLI_TABLE_TABLE_READER_H

#include "base/error.h"
#include "table/table.h"

/* Rows of a table in memory. All zero: none; table_chunk_free() in the end. */
typedef struct TableChunk {
    unsigned long long first; /* number of the first row in the table, from 0 on */
    int count;
    unsigned char *bytes;  /* as the format has them, with a zero after the end */
    size_t size;           /* of that memory */
    struct CsvLine *lines; /* CSV: where the rows are in it, for line_room rows */
    int line_room;
} TableChunk;

/* Room for a number of bytes and the zero. False: out of memory. */
bool table_chunk_reserve(TableChunk *chunk, size_t size);
void table_chunk_free(TableChunk *chunk);

/* What is wanted of a row: numbers, which go to places in a record, and cells, in their order. */
typedef struct TableView {
    int number_count, cell_count;
    int numbers[TABLE_COLUMNS_MAX];    /* columns */
    size_t offsets[TABLE_COLUMNS_MAX]; /* of these numbers in the record */
    int cells[TABLE_COLUMNS_MAX];      /* columns */
    /* the same by columns: an index + 1 into these lists; 0: not wanted */
    short number_of[TABLE_COLUMNS_MAX], cell_of[TABLE_COLUMNS_MAX];
} TableView;

void table_view_number(TableView *view, int column, size_t offset);
void table_view_cell(TableView *view, int column);

/* A row that cannot be read: its numbers become NaN, its cells empty. */
void table_view_refuse(const TableView *view, char *record, TableCell *cells);

typedef struct TableReader TableReader;

struct TableReader {
    TableColumns columns;
    bool typed;               /* the file says the kind of each column; CSV: all cells are texts */
    bool counted;             /* the file says how many rows it has: */
    unsigned long long total; /* then that number */
    int first_line; /* what people call the first row: 2 in CSV, below the header; else 1 */

    /* The next chunk of at most so many rows; returns their number, 0 at the end, -1: see error. */
    int (*next)(TableReader *reader, TableChunk *chunk, int most, Error *error);

    /* Leave out rows; returns how many, fewer only at the end, -1: see error. */
    long long (*skip)(TableReader *reader, unsigned long long rows, Error *error);

    /* The cells of a row of a chunk, one for each column; any thread may call it. Returns NULL, or
     * why the row cannot be read, a constant string. */
    const char *(*row)(const TableReader *reader, const TableChunk *chunk, int index,
                       TableCell *cells);

    /* The same for many rows and what is wanted of them: records are stride bytes apart. A cell
     * that is not a finite number gives one that is not finite, and so does a row that cannot be
     * read: row() has the reason. */
    void (*read)(const TableReader *reader, const TableChunk *chunk, int first, int count,
                 const TableView *view, void *records, size_t stride, TableCell *cells);

    void (*close)(TableReader *reader);
};

/* Open a table; path NULL: standard input, CSV. NULL: see error, without the path. */
TableReader *table_open(const char *path, Error *error);

/* Close it; NULL: nothing to do. */
void table_close(TableReader *reader);

#endif
