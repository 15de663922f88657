/* What binary tables share. */
#include "table/binary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool binary_is_little(void) {
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1;
}

bool binary_type_is_known(BinaryType type) {
    switch (type.kind) {
    case 'f':
        return type.size == 4 || type.size == 8;
    case 'i':
    case 'u':
        return type.size == 1 || type.size == 2 || type.size == 4 || type.size == 8;
    case 'b':
        return type.size == 1;
    case 'S':
        return type.size > 0 && type.size <= 65536;
    case 'U':
        return type.size > 0 && type.size <= 65536 && type.size % 4 == 0;
    default:
        return false;
    }
}

TableKind binary_kind(BinaryType type) {
    return type.kind == 'f' ? TABLE_NUMBER : strchr("SU", type.kind) ? TABLE_TEXT : TABLE_INTEGER;
}

/* An unsigned integer of 1 to 8 bytes. */
static uint64_t read_bits(const unsigned char *from, BinaryType type) {
    unsigned char bytes[8] = {0};
    bool big = binary_is_little() == type.swapped;
    uint64_t bits = 0;
    memcpy(bytes, from, (size_t)type.size);
    for (int i = 0; i < type.size; i++) {
        bits |= (uint64_t)bytes[big ? type.size - 1 - i : i] << (8 * i);
    }
    return bits;
}

static double read_float(const unsigned char *from, BinaryType type) {
    double number;
    if (type.size == 8 && !type.swapped) {
        memcpy(&number, from, 8);
        return number;
    }
    uint64_t bits = read_bits(from, type);
    if (type.size == 8) {
        memcpy(&number, &bits, 8);
        return number;
    }
    uint32_t half = (uint32_t)bits;
    float single;
    memcpy(&single, &half, 4);
    return (double)single;
}

static int64_t read_signed(const unsigned char *from, BinaryType type) {
    uint64_t bits = read_bits(from, type), sign = (uint64_t)1 << (8 * type.size - 1);
    return (int64_t)((bits ^ sign) - sign);
}

static size_t text_length(const unsigned char *text, int size) {
    while (size > 0 && text[size - 1] == 0) {
        size--;
    }
    return (size_t)size;
}

/* False: an integer that is too large for a cell. */
static bool make_cell(const BinaryPlace *place, const unsigned char *from, TableCell *cell) {
    switch (place->type.kind) {
    case 'f':
        *cell = table_number(read_float(from, place->type));
        return true;
    case 'S':
    case 'U':
        *cell = (TableCell){.kind = TABLE_TEXT,
                            .text = (const char *)from,
                            .length = text_length(from, place->type.size)};
        return true;
    case 'i':
        *cell = table_integer(read_signed(from, place->type));
        return true;
    default:
        *cell = table_integer((int64_t)read_bits(from, place->type));
        return cell->integer >= 0;
    }
}

/* The values of a column in a chunk. */
static const unsigned char *values_of(const BinaryPlace *place, const TableChunk *chunk) {
    return place->fixed ? place->fixed : chunk->bytes + place->offset;
}

static const char *read_row(const TableReader *table, const TableChunk *chunk, int index,
                            TableCell *cells) {
    const BinaryReader *reader = (const BinaryReader *)table;
    for (int i = 0; i < table->columns.count; i++) {
        const BinaryPlace *place = &reader->places[i];
        if (!make_cell(place, values_of(place, chunk) + (size_t)index * place->stride, &cells[i])) {
            return "an integer is larger than 9223372036854775807";
        }
    }
    return NULL;
}

/* A column as numbers. Doubles, which most columns have, are only copied. */
static void read_numbers(const BinaryPlace *place, const unsigned char *from, int count, char *to,
                         size_t stride) {
    if (place->type.kind == 'f' && place->type.size == 8 && !place->type.swapped) {
        for (int i = 0; i < count; i++) {
            memcpy(to + (size_t)i * stride, from + (size_t)i * place->stride, 8);
        }
        return;
    }
    for (int i = 0; i < count; i++) {
        TableCell cell;
        double number;
        if (!make_cell(place, from + (size_t)i * place->stride, &cell) ||
            !table_cell_number(&cell, &number)) {
            number = NAN;
        }
        memcpy(to + (size_t)i * stride, &number, 8);
    }
}

static void read_rows(const TableReader *table, const TableChunk *chunk, int first, int count,
                      const TableView *view, void *records, size_t stride, TableCell *cells) {
    const BinaryReader *reader = (const BinaryReader *)table;
    for (int k = 0; k < view->number_count; k++) {
        const BinaryPlace *place = &reader->places[view->numbers[k]];
        const unsigned char *from = values_of(place, chunk) + (size_t)first * place->stride;
        read_numbers(place, from, count, (char *)records + view->offsets[k], stride);
    }
    for (int k = 0; k < view->cell_count; k++) {
        const BinaryPlace *place = &reader->places[view->cells[k]];
        const unsigned char *from = values_of(place, chunk) + (size_t)first * place->stride;
        for (int i = 0; i < count; i++) {
            TableCell *row = cells + i * view->cell_count;
            if (!make_cell(place, from + (size_t)i * place->stride, &row[k])) {
                table_view_refuse(view, (char *)records + (size_t)i * stride, row);
            }
        }
    }
}

void *binary_reader_create(size_t size, BinarySteps steps, Error *error) {
    BinaryReader *reader = calloc(1, size);
    if (!reader) {
        error_set(error, "out of memory");
        return NULL;
    }
    reader->table = (TableReader){.typed = true,
                                  .counted = true,
                                  .first_line = 1,
                                  .next = steps.next,
                                  .skip = steps.skip,
                                  .row = read_row,
                                  .read = read_rows,
                                  .close = steps.close};
    return reader;
}

void *binary_writer_create(size_t size, const char *path, const TableColumns *columns,
                           BinaryCalls calls, Error *error) {
    BinaryWriter *writer = calloc(1, size);
    if (!writer) {
        error_set(error, "out of memory");
        return NULL;
    }
    writer->table = (TableWriter){.columns = *columns,
                                  .typed = true,
                                  .append = calls.append,
                                  .finish = calls.finish,
                                  .close = calls.close};
    writer->open = output_file_begin(path, &writer->file, error);
    if (!writer->open || !writer->file.target) {
        if (writer->open) {
            error_set(error, "is not a file: only CSV can be piped");
        }
        binary_writer_close(writer);
        return NULL;
    }
    return writer;
}

bool binary_writer_finish(BinaryWriter *writer, Error *error) {
    writer->open = false;
    return output_file_finish(&writer->file, error);
}

void binary_writer_close(BinaryWriter *writer) {
    if (writer->open) {
        output_file_drop(&writer->file);
    }
    free(writer);
}

/* Names of the numbers of W and v; those below the diagonal must equal those above. */
static const char *const matrix_names[] = {"w11", "w12", "w13", "w21", "w22",
                                           "w23", "w31", "w32", "w33"};
static const char *const triangle_names[] = {"w11", "w12", "w13", "w22", "w23", "w33"};
static const char *const vector_names[] = {"vx", "vy", "vz"};
/* Of planar contacts. */
static const char *const plane_names[] = {"w11", "w13", "w31", "w33"};
static const char *const half_names[] = {"w11", "w13", "w33"};
static const char *const pair_names[] = {"vx", "vz"};

/* NULL: the array has no such names. */
static const char *const *array_names(const char *name, int count) {
    if (strcmp(name, "W") == 0) {
        return count == 9   ? matrix_names
               : count == 6 ? triangle_names
               : count == 4 ? plane_names
               : count == 3 ? half_names
                            : NULL;
    }
    return strcmp(name, "v") != 0 ? NULL
           : count == 3           ? vector_names
           : count == 2           ? pair_names
                                  : NULL;
}

int binary_add(TableColumns *columns, const char *name, BinaryType type, int count, Error *error) {
    const char *const *names = array_names(name, count);
    int first = columns->count;
    for (int k = 0; k < count; k++) {
        char text[TABLE_NAME_SIZE];
        if (count == 1 || names) {
            snprintf(text, sizeof text, "%s", names ? names[k] : name);
        } else {
            snprintf(text, sizeof text, "%.80s[%d]", name, k);
        }
        TableColumn *column = table_add(columns, text, strlen(text), binary_kind(type));
        if (!column) {
            error_set(error, "has more than %d columns", TABLE_COLUMNS_MAX);
            return -1;
        }
        column->width = column->kind == TABLE_TEXT ? (size_t)type.size : 0;
    }
    return first;
}

/* A code point as UTF-8; returns its length. What is none becomes "?". */
static size_t write_utf8(uint32_t code, unsigned char *to) {
    if (code < 0x80) {
        to[0] = (unsigned char)code;
        return 1;
    }
    if (code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) {
        to[0] = '?';
        return 1;
    }
    int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const unsigned char lead[] = {0, 0xC0, 0xE0, 0xF0};
    to[0] = (unsigned char)(lead[more] | code >> (6 * more));
    for (int i = 1; i <= more; i++) {
        to[i] = (unsigned char)(0x80 | (code >> (6 * (more - i)) & 0x3F));
    }
    return (size_t)more + 1;
}

void binary_make_utf8(const BinaryPlace *place, unsigned char *first, int rows) {
    BinaryType letter = {.kind = 'u', .size = 4, .swapped = place->type.swapped};
    for (int row = 0; row < rows && place->type.kind == 'U'; row++) {
        unsigned char *text = first + (size_t)row * place->stride;
        size_t length = 0;
        for (int i = 0; i < place->type.size; i += 4) {
            uint32_t code = (uint32_t)read_bits(text + i, letter);
            if (code == 0) {
                break;
            }
            unsigned char letters[4];
            size_t size = write_utf8(code, letters);
            memcpy(text + length, letters, size); /* at most 4 bytes: not beyond what was read */
            length += size;
        }
        memset(text + length, 0, (size_t)place->type.size - length);
    }
}

size_t binary_size(const TableColumn *column) {
    return column->kind == TABLE_TEXT ? column->width : 8;
}

size_t binary_record_size(const TableColumns *columns) {
    size_t size = 0;
    for (int i = 0; i < columns->count; i++) {
        size += binary_size(&columns->list[i]);
    }
    return size;
}

/* A cell as an integer or a number. Empty: NaN, or the integer that stands for it, INT64_MIN. */
static bool encode_number(const TableCell *cell, TableKind kind, char *to) {
    int64_t integer = cell->integer;
    double number = cell->number;
    if (kind == TABLE_INTEGER) {
        if (table_cell_is_empty(cell)) {
            integer = INT64_MIN;
        } else if (cell->kind == TABLE_NUMBER ||
                   (cell->kind == TABLE_TEXT &&
                    !table_text_integer(cell->text, cell->length, &integer))) {
            return false;
        }
        memcpy(to, &integer, 8);
        return true;
    }
    if (table_cell_is_empty(cell)) {
        number = NAN;
    } else if (!table_cell_value(cell, &number)) {
        return false;
    }
    memcpy(to, &number, 8);
    return true;
}

bool binary_encode(const TableCell *cell, const TableColumn *column, char *to) {
    if (column->kind != TABLE_TEXT) {
        return encode_number(cell, column->kind, to);
    }
    if (cell->kind != TABLE_TEXT || cell->length > column->width) {
        return false;
    }
    memcpy(to, cell->text, cell->length);
    memset(to + cell->length, 0, column->width - cell->length);
    return true;
}

void binary_column_copy(const char *records, size_t record_size, size_t offset, size_t size,
                        int count, char *to) {
    for (int i = 0; i < count; i++) {
        memcpy(to + (size_t)i * size, records + (size_t)i * record_size + offset, size);
    }
}
