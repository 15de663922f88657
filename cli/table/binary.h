/* What binary tables share: numbers as machines store them, and rows as packed records. */
#ifndef CAROM_CLI_TABLE_BINARY_H
#define CAROM_CLI_TABLE_BINARY_H

#include "io/output_file.h"
#include "table/table_reader.h"
#include "table/table_writer.h"

/* A stored value: float, signed, unsigned, bytes of text, UCS-4 text, bool. */
typedef struct BinaryType {
    char kind;    /* 'f', 'i', 'u', 'S', 'U', 'b' */
    int size;     /* bytes */
    bool swapped; /* in the other byte order than this machine's */
} BinaryType;

/* Is it one that we read? Texts and numbers of 1 to 8 bytes, floats of 4 and 8. */
bool binary_type_is_known(BinaryType type);

/* The kind of a column with such values. */
TableKind binary_kind(BinaryType type);

/* Where the values of a column are. */
typedef struct BinaryPlace {
    size_t offset;        /* of the first one in a chunk's bytes */
    unsigned char *fixed; /* NULL, or where the one value of all rows is instead */
    size_t stride;        /* 0 for such a value */
    BinaryType type;
} BinaryPlace;

/* A reader whose chunks have the values as they are stored. */
typedef struct BinaryReader {
    TableReader table;
    BinaryPlace places[TABLE_COLUMNS_MAX];
} BinaryReader;

/* What a format does itself; row() and read() are those of stored values. */
typedef struct BinarySteps {
    int (*next)(TableReader *reader, TableChunk *chunk, int most, Error *error);
    long long (*skip)(TableReader *reader, unsigned long long rows, Error *error);
    void (*close)(TableReader *reader);
} BinarySteps;

/* A reader of size bytes that begins with a BinaryReader, all else zero; NULL: see error. */
void *binary_reader_create(size_t size, BinarySteps steps, Error *error);

/* The beginning of a binary writer. */
typedef struct BinaryWriter {
    TableWriter table;
    OutputFile file;
    unsigned long long rows; /* written so far */
    bool open;               /* the file is neither in its place nor dropped */
} BinaryWriter;

/* What a format does itself. */
typedef struct BinaryCalls {
    bool (*append)(TableWriter *writer, const char *bytes, size_t length, int rows, Error *error);
    bool (*finish)(TableWriter *writer, Error *error);
    void (*close)(TableWriter *writer); /* ends with binary_writer_close() */
} BinaryCalls;

/* A writer of size bytes that begins with a BinaryWriter, its file begun, all else zero; NULL: see
 * error. */
void *binary_writer_create(size_t size, const char *path, const TableColumns *columns,
                           BinaryCalls calls, Error *error);

/* Let the file take its place. */
bool binary_writer_finish(BinaryWriter *writer, Error *error);

/* Drop a file that is not finished, and free the writer. */
void binary_writer_close(BinaryWriter *writer);

/* Add the columns of an array with a name: one of shape (N), or one for each number of an (N, k)
 * array, as name[0], name[1]; the arrays W, (N, 3, 3) or (N, 6), and v, (N, 3), get the names that
 * their numbers have in a table. count: k, or the product of all but the first length. Returns the
 * index of the first column, -1: see error. */
int binary_add(TableColumns *columns, const char *name, BinaryType type, int count, Error *error);

/* Make the UCS-4 texts of a column UTF-8, in place: rows of them from the first on. A column that
 * has other values is left alone. */
void binary_make_utf8(const BinaryPlace *place, unsigned char *first, int rows);

/* Is this machine's byte order little-endian? */
bool binary_is_little(void);

/* Packed records: numbers and integers of 8 bytes, texts of the column's width, zeros at the end.
 */
size_t binary_record_size(const TableColumns *columns);

/* A value of a column as records have it. False: it does not fit. */
bool binary_encode(const TableCell *cell, const TableColumn *column, char *to);

/* Copy one column out of records: count values of size bytes at an offset. */
void binary_column_copy(const char *records, size_t record_size, size_t offset, size_t size,
                        int count, char *to);

/* Bytes of a value of the column in a record. */
size_t binary_size(const TableColumn *column);

#endif
