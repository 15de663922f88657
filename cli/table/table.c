/* Tables: columns and cells. */
#include "table/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/digits.h"
#include "base/text.h"

TableCell table_text(const char *text) {
    return (TableCell){.kind = TABLE_TEXT, .text = text, .length = strlen(text)};
}

/* What comes after a text in a binary table may look as if it went on. */
static bool read_copy(const TableCell *cell, double *number) {
    char copy[400];
    if (cell->length >= sizeof copy) {
        return false;
    }
    memcpy(copy, cell->text, cell->length);
    copy[cell->length] = '\0';
    return text_span_to_number(copy, cell->length, number);
}

bool table_cell_number(const TableCell *cell, double *number) {
    if (cell->kind == TABLE_TEXT) {
        const char *end = cell->text + cell->length;
        return digits_read(cell->text, end, number) || read_copy(cell, number);
    }
    *number = cell->kind == TABLE_NUMBER ? cell->number : (double)cell->integer;
    return isfinite(*number);
}

bool table_cell_value(const TableCell *cell, double *number) {
    static const char *const words[] = {"nan", "inf", "-inf"};
    static const double values[] = {NAN, INFINITY, -INFINITY};
    if (cell->kind == TABLE_NUMBER) {
        *number = cell->number;
        return true;
    }
    for (int i = 0; i < 3; i++) {
        if (table_cell_equals(cell, words[i])) {
            *number = values[i];
            return true;
        }
    }
    return table_cell_number(cell, number);
}

bool table_cell_equals(const TableCell *cell, const char *text) {
    return cell->kind == TABLE_TEXT && strlen(text) == cell->length &&
           memcmp(cell->text, text, cell->length) == 0;
}

bool table_text_integer(const char *text, size_t length, int64_t *integer) {
    size_t first = length > 0 && text[0] == '-', digits = length - first;
    bool zeros = digits > 1 && text[first] == '0'; /* 007 is a name */
    if (digits == 0 || digits > 18 || zeros || (first && text[first] == '0')) {
        return false;
    }
    *integer = 0;
    for (size_t i = first; i < length; i++) {
        if (text[i] < '0' || text[i] > '9') {
            return false;
        }
        *integer = 10 * *integer + (text[i] - '0');
    }
    *integer = first ? -*integer : *integer;
    return true;
}

int table_find(const TableColumns *columns, const char *name) {
    for (int i = 0; i < columns->count; i++) {
        if (strcmp(columns->list[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

TableColumn *table_add(TableColumns *columns, const char *name, size_t length, TableKind kind) {
    if (columns->count == TABLE_COLUMNS_MAX) {
        return NULL;
    }
    TableColumn *column = &columns->list[columns->count++];
    column->kind = kind;
    column->width = 0;
    length = length < TABLE_NAME_SIZE ? length : TABLE_NAME_SIZE - 1;
    memcpy(column->name, name, length);
    column->name[length] = '\0';
    return column;
}
