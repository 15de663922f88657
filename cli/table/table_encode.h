/* Rows of values in memory, encoded as lines of CSV or as the packed records of binary tables. */
#ifndef CAROM_CLI_TABLE_TABLE_ENCODE_H
#define CAROM_CLI_TABLE_TABLE_ENCODE_H

#include "table/table.h"

/* What the values of a column are in memory. */
typedef enum TableSourceKind {
    TABLE_SOURCE_NUMBERS,  /* double */
    TABLE_SOURCE_INTEGERS, /* int64_t */
    TABLE_SOURCE_CHARS,    /* the characters themselves, up to a zero */
    TABLE_SOURCE_STRINGS,  /* const char *, up to a zero */
    TABLE_SOURCE_CELLS     /* TableCell */
} TableSourceKind;

/* The values of a column for some rows, stride bytes apart. */
typedef struct TableSource {
    TableSourceKind kind;
    const void *first;
    size_t stride;
} TableSource;

/* Encoded rows. All zero: none. free(bytes) in the end. */
typedef struct TableBuffer {
    char *bytes;
    size_t length, size;
} TableBuffer;

/* Room for so many more bytes. False: out of memory. */
bool table_buffer_reserve(TableBuffer *buffer, size_t more);

typedef enum TableFit { TABLE_FITS, TABLE_MISFIT, TABLE_NO_MEMORY } TableFit;

/* A value that does not fit its column. */
typedef struct TableMisfit {
    int row, column;
} TableMisfit;

/* Encode rows at the end of the buffer. TABLE_MISFIT: only in binary tables, see misfit. */
TableFit table_encode(const TableColumns *columns, bool typed, const TableSource *sources, int rows,
                      TableBuffer *buffer, TableMisfit *misfit);

#endif
