/* The header of a NumPy array file: a magic number, a length, and a Python dictionary such as
 *   {'descr': [('w11', '<f8'), ('v', '<f8', (3,))], 'fortran_order': False, 'shape': (1000,), } */
#include "table/npy_header.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER_MAX = 1 << 20 };

/* A place in the dictionary's text. */
typedef struct Place {
    const char *at, *end;
} Place;

static void skip_blanks(Place *place) {
    while (place->at < place->end && strchr(" \t\n", *place->at) && *place->at) {
        place->at++;
    }
}

static bool take(Place *place, char c) {
    skip_blanks(place);
    if (place->at < place->end && *place->at == c) {
        place->at++;
        return true;
    }
    return false;
}

/* A quoted text, cut to size. */
static bool take_text(Place *place, char *text, size_t size) {
    skip_blanks(place);
    if (place->at == place->end || !strchr("'\"", *place->at)) {
        return false;
    }
    char quote = *place->at++;
    size_t length = 0;
    while (place->at < place->end && *place->at != quote) {
        if (length + 1 < size) {
            text[length++] = *place->at;
        }
        place->at++;
    }
    text[length] = '\0';
    return take(place, quote);
}

static bool take_word(Place *place, const char *word) {
    skip_blanks(place);
    size_t length = strlen(word);
    if ((size_t)(place->end - place->at) < length || memcmp(place->at, word, length) != 0) {
        return false;
    }
    place->at += length;
    return true;
}

/* A tuple of integers; returns their number, -1: it is none, or has too many. */
static int take_tuple(Place *place, unsigned long long *list, int most) {
    int count = 0;
    if (!take(place, '(')) {
        return -1;
    }
    while (!take(place, ')')) {
        skip_blanks(place);
        unsigned long long number = 0;
        const char *first = place->at;
        for (; place->at < place->end && *place->at >= '0' && *place->at <= '9'; place->at++) {
            if (number > (1ull << 56)) {
                return -1;
            }
            number = 10 * number + (unsigned long long)(*place->at - '0');
        }
        if (place->at == first || count == most) {
            return -1;
        }
        (void)take_word(place, "L"); /* as old writers have it */
        list[count++] = number;
        if (!take(place, ',')) {
            return take(place, ')') ? count : -1;
        }
    }
    return count;
}

/* A type such as "<f8", "|S4", "<U9". */
static bool read_type(const char *text, BinaryType *type) {
    bool order = text[0] && strchr("<>|=", text[0]);
    const char *rest = text + order;
    bool big = text[0] == '>', little = text[0] == '<';
    char *end;
    long size = rest[0] ? strtol(rest + 1, &end, 10) : 0;
    if (size <= 0 || size > 65536 || *end) {
        return false;
    }
    *type = (BinaryType){.kind = rest[0],
                         .size = (int)(rest[0] == 'U' ? 4 * size : size),
                         .swapped = binary_is_little() ? big : little};
    return binary_type_is_known(*type);
}

static bool refuse_type(const char *name, const char *text, Error *error) {
    return error_set(error,
                     "%s%s%stype \"%s\" cannot be read: floats of 4 or 8 bytes, integers, "
                     "bool and texts can",
                     name[0] ? "column \"" : "", name, name[0] ? "\": " : "", text);
}

static int product(const unsigned long long *list, int count) {
    unsigned long long all = 1;
    for (int i = 0; i < count; i++) {
        all = list[i] > TABLE_COLUMNS_MAX ? TABLE_COLUMNS_MAX + 1 : all * list[i];
        all = all > TABLE_COLUMNS_MAX ? TABLE_COLUMNS_MAX + 1 : all;
    }
    return (int)all;
}

/* One field of a structured type: ('name', '<f8') or ('name', '<f8', (3,)). */
static bool take_field(Place *place, NpyField *field, Error *error) {
    char type[32];
    unsigned long long shape[NPY_AXES_MAX];
    int axes = 0;
    if (!take(place, '(') || !take_text(place, field->name, sizeof field->name) ||
        !take(place, ',') || !take_text(place, type, sizeof type)) {
        return error_set(error, "the header has a type that cannot be read: records in records, "
                                "or names with titles");
    }
    if (take(place, ',')) {
        axes = take_tuple(place, shape, NPY_AXES_MAX);
    }
    if (axes < 0 || !take(place, ')')) {
        return error_set(error, "column \"%s\": its shape cannot be read", field->name);
    }
    field->count = product(shape, axes);
    if (field->count == 0) {
        return error_set(error, "column \"%s\": is empty", field->name);
    }
    return read_type(type, &field->type) || refuse_type(field->name, type, error);
}

static bool take_descr(Place *place, NpyHeader *header, Error *error) {
    char type[32] = "";
    header->structured = take(place, '[');
    if (!header->structured) {
        header->field_count = 1;
        header->fields[0] = (NpyField){.count = 1};
        if (!take_text(place, type, sizeof type) || !read_type(type, &header->fields[0].type)) {
            return refuse_type("", type, error);
        }
        return true;
    }
    while (!take(place, ']')) {
        if (header->field_count == NPY_FIELDS_MAX) {
            return error_set(error, "has more than %d columns", NPY_FIELDS_MAX);
        }
        NpyField *field = &header->fields[header->field_count++];
        if (!take_field(place, field, error)) {
            return false;
        }
        if (!take(place, ',') && !(place->at < place->end && *place->at == ']')) {
            return error_set(error, "the header's list of columns cannot be read");
        }
    }
    return true;
}

static bool read_shape(Place *place, NpyHeader *header) {
    unsigned long long shape[NPY_AXES_MAX];
    int axes = take_tuple(place, shape, NPY_AXES_MAX);
    header->scalar = axes == 0;
    header->rows = axes > 0 ? shape[0] : 1;
    header->inner = axes > 1 ? product(shape + 1, axes - 1) : 1;
    return axes >= 0;
}

static bool read_dictionary(Place place, NpyHeader *header, Error *error) {
    bool descr = false, order = false, shape = false;
    char key[32];
    bool good = take(&place, '{');
    while (good && !take(&place, '}')) {
        good = take_text(&place, key, sizeof key) && take(&place, ':');
        if (good && strcmp(key, "descr") == 0) {
            if (!take_descr(&place, header, error)) {
                return false;
            }
            descr = true;
        } else if (good && strcmp(key, "fortran_order") == 0) {
            header->fortran = take_word(&place, "True");
            good = order = header->fortran || take_word(&place, "False");
        } else if (good && strcmp(key, "shape") == 0) {
            good = shape = read_shape(&place, header);
        } else {
            good = false;
        }
        good = good && (take(&place, ',') || (place.at < place.end && *place.at == '}'));
    }
    return (good && descr && order && shape) ||
           error_set(error, "the header of the array cannot be read");
}

static void lay_out(NpyHeader *header) {
    for (int i = 0; i < header->field_count; i++) {
        NpyField *field = &header->fields[i];
        field->offset = header->row_size;
        header->row_size += (size_t)field->type.size * (size_t)field->count;
    }
    if (!header->structured) {
        header->row_size *= (size_t)header->inner;
        header->fields[0].count = header->inner;
    }
}

bool npy_header_read(NpyRead *read, void *source, NpyHeader *header, Error *error) {
    unsigned char start[8], length[4] = {0};
    *header = (NpyHeader){0};
    if (!read(source, start, 8) || memcmp(start, "\x93NUMPY", 6) != 0) {
        return error_set(error, "is not a NumPy array");
    }
    if (start[6] < 1 || start[6] > 3 || !read(source, length, start[6] == 1 ? 2 : 4)) {
        return error_set(error, "has a NumPy format of a later version, or is cut");
    }
    size_t size = (size_t)length[0] | (size_t)length[1] << 8 | (size_t)length[2] << 16 |
                  (size_t)length[3] << 24;
    char *text = size <= HEADER_MAX ? malloc(size + 1) : NULL;
    header->fields = calloc(NPY_FIELDS_MAX, sizeof *header->fields);
    bool good = (text && header->fields) || error_set(error, "the header is too long");
    good = good && (read(source, text, size) || error_set(error, "is cut in its header"));
    good = good && read_dictionary((Place){text, text + size}, header, error);
    if (good && header->fortran && header->inner > 1) {
        good = error_set(error, "is in Fortran's order; save numpy.ascontiguousarray() of it");
    }
    if (good && (header->inner == 0 || header->inner > TABLE_COLUMNS_MAX)) {
        good = error_set(error, "has %s columns", header->inner ? "too many" : "no");
    }
    if (good && header->structured && header->inner != 1) {
        good = error_set(error, "an array of records must have one axis");
    }
    free(text);
    if (!good) {
        npy_header_free(header);
        return false;
    }
    lay_out(header);
    return true;
}

void npy_header_free(NpyHeader *header) {
    free(header->fields);
    header->fields = NULL;
}

/* Text that grows; text NULL: out of memory. */
typedef struct Text {
    char *text;
    size_t length, size;
} Text;

__attribute__((format(printf, 2, 3))) static void put(Text *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    if (text->text && text->length < text->size) {
        int length =
            vsnprintf(text->text + text->length, text->size - text->length, format, arguments);
        text->length += (size_t)length;
    }
    va_end(arguments);
}

static void put_type(Text *text, const TableColumn *column) {
    if (column->kind == TABLE_TEXT) {
        put(text, "'|S%zu'", column->width);
    } else {
        put(text, "'%c%c8'", binary_is_little() ? '<' : '>',
            column->kind == TABLE_NUMBER ? 'f' : 'i');
    }
}

/* Complete a header whose type is there; the number of rows has room for 20 digits. */
static size_t finish(Text *text, unsigned long long rows, char **result) {
    put(text, ", 'fortran_order': False, 'shape': (%llu,), }", rows);
    *result = text->text;
    if (!text->text) {
        return 0;
    }
    char digits[24];
    size_t used = text->length + 20 - (size_t)snprintf(digits, sizeof digits, "%llu", rows);
    size_t whole = (used + 1 + 63) / 64 * 64;
    memset(text->text + text->length, ' ', whole - text->length);
    text->text[whole - 1] = '\n';
    size_t length = whole - 12;
    bool ascii = true;
    for (size_t i = 12; i < whole; i++) {
        ascii = ascii && (unsigned char)text->text[i] < 0x80;
    }
    memcpy(text->text, ascii ? "\x93NUMPY\x02\x00" : "\x93NUMPY\x03\x00", 8);
    for (int i = 0; i < 4; i++) {
        text->text[8 + i] = (char)(length >> (8 * i) & 0xFF);
    }
    return whole;
}

static Text begin(int columns) {
    size_t size = 512 + (size_t)columns * (2 * TABLE_NAME_SIZE + 64);
    Text text = {.text = malloc(size), .size = size};
    put(&text, "%12s{'descr': ", "");
    return text;
}

size_t npy_header_records(const TableColumns *columns, unsigned long long rows, char **result) {
    Text text = begin(columns->count);
    put(&text, "[");
    for (int i = 0; i < columns->count; i++) {
        put(&text, "('");
        for (const char *c = columns->list[i].name; *c; c++) {
            put(&text, strchr("'\\", *c) ? "\\%c" : "%c", *c);
        }
        put(&text, "', ");
        put_type(&text, &columns->list[i]);
        put(&text, "), ");
    }
    put(&text, "]");
    return finish(&text, rows, result);
}

size_t npy_header_column(const TableColumn *column, unsigned long long rows, char **result) {
    Text text = begin(1);
    put_type(&text, column);
    return finish(&text, rows, result);
}

bool npy_header_write(const char *text, size_t length, FILE *file, Error *error) {
    if (length == 0) {
        return error_set(error, "out of memory");
    }
    return fwrite(text, 1, length, file) == length || error_set(error, "%s", strerror(errno));
}
