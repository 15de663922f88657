/* Rows of values, encoded. */
#include "table/table_encode.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/digits.h"
#include "table/binary.h"

bool table_buffer_reserve(TableBuffer *buffer, size_t more) {
    if (buffer->size - buffer->length >= more) {
        return true;
    }
    size_t size = 2 * buffer->size + more;
    char *larger = realloc(buffer->bytes, size);
    if (!larger) {
        return false;
    }
    buffer->bytes = larger;
    buffer->size = size;
    return true;
}

static const void *value_at(const TableSource *source, int row) {
    return (const char *)source->first + (size_t)row * source->stride;
}

static TableCell cell_at(const TableSource *source, int row) {
    const void *value = value_at(source, row);
    switch (source->kind) {
    case TABLE_SOURCE_NUMBERS:
        return table_number(*(const double *)value);
    case TABLE_SOURCE_INTEGERS:
        return table_integer(*(const int64_t *)value);
    case TABLE_SOURCE_CHARS:
        return table_text(value);
    case TABLE_SOURCE_STRINGS:
        return table_text(*(const char *const *)value);
    default:
        return *(const TableCell *)value;
    }
}

/* A text that the reader would take apart is quoted. */
static char *write_text(const char *text, size_t length, char *to) {
    bool plain = true;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        plain = plain && c != ',' && c != '"' && c != '\n' && c != '\r';
    }
    if (plain) {
        memcpy(to, text, length);
        return to + length;
    }
    *to++ = '"';
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '"') {
            *to++ = '"';
        }
        *to++ = text[i];
    }
    *to++ = '"';
    return to;
}

/* One line; the buffer has room for all its numbers and delimiters. */
static bool write_line(int columns, const TableSource *sources, int row, TableBuffer *buffer) {
    for (int i = 0; i < columns; i++) {
        char *end = buffer->bytes + buffer->length;
        if (sources[i].kind == TABLE_SOURCE_NUMBERS) {
            end = digits_write(*(const double *)value_at(&sources[i], row), end);
        } else {
            TableCell cell = cell_at(&sources[i], row);
            if (cell.kind == TABLE_NUMBER) {
                end = digits_write(cell.number, end);
            } else if (cell.kind == TABLE_INTEGER) {
                end += snprintf(end, DIGITS_SIZE, "%" PRId64, cell.integer);
            } else {
                size_t others = (size_t)columns * (DIGITS_SIZE + 1) + 1;
                if (!table_buffer_reserve(buffer, 2 * cell.length + 2 + others)) {
                    return false;
                }
                end = write_text(cell.text, cell.length, buffer->bytes + buffer->length);
            }
        }
        *end++ = i + 1 < columns ? ',' : '\n';
        buffer->length = (size_t)(end - buffer->bytes);
    }
    return true;
}

static TableFit write_lines(int columns, const TableSource *sources, int rows,
                            TableBuffer *buffer) {
    size_t room = (size_t)columns * (DIGITS_SIZE + 1) + 1;
    for (int row = 0; row < rows; row++) {
        if (!table_buffer_reserve(buffer, room) || !write_line(columns, sources, row, buffer)) {
            return TABLE_NO_MEMORY;
        }
    }
    return TABLE_FITS;
}

/* A column of texts that end with zeros, the rest of the width zero. Speed: cells are twice as
 * slow, and many rows have the text of the row before. Returns as write_column(). */
static int write_texts(const TableColumn *column, const TableSource *source, int rows, char *to,
                       size_t record) {
    const char *before = NULL; /* of the row before */
    for (int row = 0; row < rows; row++, to += record) {
        const char *text = value_at(source, row);
        size_t length = 0;
        if (source->kind == TABLE_SOURCE_STRINGS) {
            text = *(const char *const *)value_at(source, row);
            if (text == before) {
                memcpy(to, to - record, column->width);
                continue;
            }
            before = text;
        }
        for (; text[length] && length < column->width; length++) {
            to[length] = text[length];
        }
        memset(to + length, 0, column->width - length);
        if (text[length]) {
            return row;
        }
    }
    return rows;
}

/* A column of records. Returns the first row whose value does not fit, or rows. */
static int write_column(const TableColumn *column, const TableSource *source, int rows, char *to,
                        size_t record) {
    bool number = column->kind == TABLE_NUMBER && source->kind == TABLE_SOURCE_NUMBERS;
    if (number || (column->kind == TABLE_INTEGER && source->kind == TABLE_SOURCE_INTEGERS)) {
        const char *from = source->first;
        for (int row = 0; row < rows; row++) {
            memcpy(to + (size_t)row * record, from + (size_t)row * source->stride, 8);
        }
        return rows;
    }
    bool text = source->kind == TABLE_SOURCE_CHARS || source->kind == TABLE_SOURCE_STRINGS;
    if (text && column->kind == TABLE_TEXT) {
        return write_texts(column, source, rows, to, record);
    }
    for (int row = 0; row < rows; row++) {
        TableCell cell = cell_at(source, row);
        if (!binary_encode(&cell, column, to + (size_t)row * record)) {
            return row;
        }
    }
    return rows;
}

static TableFit write_records(const TableColumns *columns, const TableSource *sources, int rows,
                              TableBuffer *buffer, TableMisfit *misfit) {
    size_t record = binary_record_size(columns), offset = 0;
    if (!table_buffer_reserve(buffer, record * (size_t)rows)) {
        return TABLE_NO_MEMORY;
    }
    char *to = buffer->bytes + buffer->length;
    *misfit = (TableMisfit){.row = rows};
    for (int i = 0; i < columns->count; i++) {
        int row = write_column(&columns->list[i], &sources[i], rows, to + offset, record);
        if (row < misfit->row) {
            *misfit = (TableMisfit){.row = row, .column = i};
        }
        offset += binary_size(&columns->list[i]);
    }
    buffer->length += record * (size_t)rows;
    return misfit->row < rows ? TABLE_MISFIT : TABLE_FITS;
}

TableFit table_encode(const TableColumns *columns, bool typed, const TableSource *sources, int rows,
                      TableBuffer *buffer, TableMisfit *misfit) {
    return typed ? write_records(columns, sources, rows, buffer, misfit)
                 : write_lines(columns->count, sources, rows, buffer);
}
