/* The header of a NumPy array file (.npy): type, shape, order. */
#ifndef CAROM_CLI_TABLE_NPY_HEADER_H
#define CAROM_CLI_TABLE_NPY_HEADER_H

#include <stdio.h>

#include "base/error.h"
#include "table/binary.h"

enum { NPY_FIELDS_MAX = TABLE_COLUMNS_MAX, NPY_AXES_MAX = 4 };

/* A field of a structured array, or the array itself. */
typedef struct NpyField {
    char name[TABLE_NAME_SIZE];
    BinaryType type;
    int count;     /* numbers of it in a row */
    size_t offset; /* in a row */
} NpyField;

typedef struct NpyHeader {
    bool structured; /* fields have names */
    int field_count;
    NpyField *fields; /* owned */
    size_t row_size;
    bool scalar; /* of shape (): one value for all rows */
    bool fortran;
    unsigned long long rows;
    int inner; /* numbers in a row of an array that is not structured: the other lengths' product */
} NpyHeader;

/* Reads bytes of the file; false: fewer are left, or an error. */
typedef bool NpyRead(void *source, void *to, size_t size);

/* Read a header up to the first value. False: see error; there is nothing to free. */
bool npy_header_read(NpyRead *read, void *source, NpyHeader *header, Error *error);
void npy_header_free(NpyHeader *header);

/* The header of a table: one array of records. Its length does not depend on the number of rows.
 * Returns the length, free(*text); 0: out of memory. */
size_t npy_header_records(const TableColumns *columns, unsigned long long rows, char **text);

/* The same for an array of one column alone. */
size_t npy_header_column(const TableColumn *column, unsigned long long rows, char **text);

/* Write a header that one of these made; length 0: out of memory. */
bool npy_header_write(const char *text, size_t length, FILE *file, Error *error);

#endif
