/* Tables: named columns of numbers, integers or texts, whatever the file's format. */
#ifndef CAROM_CLI_TABLE_TABLE_H
#define CAROM_CLI_TABLE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TABLE_COLUMNS_MAX = 512, TABLE_NAME_SIZE = 96 };

typedef enum TableKind { TABLE_NUMBER, TABLE_INTEGER, TABLE_TEXT } TableKind;

typedef struct TableColumn {
    char name[TABLE_NAME_SIZE];
    TableKind kind;
    size_t width; /* bytes of a text in a binary table */
} TableColumn;

typedef struct TableColumns {
    int count;
    TableColumn list[TABLE_COLUMNS_MAX];
} TableColumns;

/* One value. A text is not ended by a zero and lives as long as the chunk of rows it is from. */
typedef struct TableCell {
    TableKind kind;
    double number;
    int64_t integer;
    const char *text;
    size_t length;
} TableCell;

static inline TableCell table_number(double number) {
    return (TableCell){.kind = TABLE_NUMBER, .number = number};
}

static inline TableCell table_integer(int64_t integer) {
    return (TableCell){.kind = TABLE_INTEGER, .integer = integer};
}

/* A text that ends with a zero. */
TableCell table_text(const char *text);

/* The cell as a finite number; false: it is none. Texts are read as numbers. */
bool table_cell_number(const TableCell *cell, double *number);

/* The same, "nan", "inf" and "-inf" included, as tables have them where there is no number. */
bool table_cell_value(const TableCell *cell, double *number);

/* The cell equals the text. */
bool table_cell_equals(const TableCell *cell, const char *text);

/* The cell has no value: an empty text. */
static inline bool table_cell_is_empty(const TableCell *cell) {
    return cell->kind == TABLE_TEXT && cell->length == 0;
}

/* The text as a decimal integer, written as integers are; false: it is none. */
bool table_text_integer(const char *text, size_t length, int64_t *integer);

/* The index of a column; -1: there is none. */
int table_find(const TableColumns *columns, const char *name);

/* A new column with a name, which is cut if it is too long; NULL: too many. */
TableColumn *table_add(TableColumns *columns, const char *name, size_t length, TableKind kind);

#endif
