/* The module for tables as NumPy archives (.npz): a zip file with an array for each column. */
#include "table/table_module.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>

#include "table/binary.h"
#include "table/npy_header.h"

enum { CHUNK_ROWS = 4096 };

/* An array of the archive. */
typedef struct Member {
    zip_file_t *file;
    size_t row_size;
    bool scalar; /* one value for all rows, already read */
    int first, count;
    size_t offset;        /* of CHUNK_ROWS rows of it in a chunk */
    unsigned char *value; /* of a single one */
} Member;

typedef struct Reader {
    BinaryReader binary;
    zip_t *zip;
    Member *members;
    int member_count;
    size_t chunk_size;
    unsigned long long left;
} Reader;

static bool read_bytes(void *source, void *to, size_t size) {
    return zip_fread(source, to, size) == (zip_int64_t)size;
}

/* Is an array at its end? Only there its checksum is compared. */
static bool is_whole(zip_file_t *file) {
    char more;
    return zip_fread(file, &more, 1) == 0;
}

/* Rows of all arrays, CHUNK_ROWS at most. */
static bool read_rows(Reader *reader, TableChunk *chunk, int count, Error *error) {
    for (int i = 0; i < reader->member_count; i++) {
        const Member *member = &reader->members[i];
        if (member->scalar) {
            continue;
        }
        if (!read_bytes(member->file, chunk->bytes + member->offset,
                        (size_t)count * member->row_size) ||
            (reader->left == (unsigned long long)count && !is_whole(member->file))) {
            return error_set(error, "array \"%s\": is cut or damaged",
                             reader->binary.table.columns.list[member->first].name);
        }
        for (int k = member->first; k < member->first + member->count; k++) {
            const BinaryPlace *place = &reader->binary.places[k];
            binary_make_utf8(place, chunk->bytes + place->offset, count);
        }
    }
    reader->left -= (unsigned long long)count;
    return true;
}

static int next_rows(TableReader *table, TableChunk *chunk, int most, Error *error) {
    Reader *reader = (Reader *)table;
    int count = most < CHUNK_ROWS ? most : CHUNK_ROWS;
    count = reader->left < (unsigned long long)count ? (int)reader->left : count;
    if (!table_chunk_reserve(chunk, reader->chunk_size)) {
        error_set(error, "out of memory");
        return -1;
    }
    chunk->count = count;
    return read_rows(reader, chunk, count, error) ? count : -1;
}

/* By reading: arrays may be compressed. */
static long long skip_rows(TableReader *table, unsigned long long rows, Error *error) {
    TableChunk chunk = {0};
    unsigned long long left = rows;
    int count = 1;
    while (left > 0 && count > 0) {
        count = next_rows(table, &chunk, left < CHUNK_ROWS ? (int)left : CHUNK_ROWS, error);
        left -= count > 0 ? (unsigned long long)count : 0;
    }
    table_chunk_free(&chunk);
    return count < 0 ? -1 : (long long)(rows - left);
}

static void close_reader(TableReader *table) {
    Reader *reader = (Reader *)table;
    for (int i = 0; i < reader->member_count; i++) {
        if (reader->members[i].file) {
            zip_fclose(reader->members[i].file);
        }
        free(reader->members[i].value);
    }
    free(reader->members);
    if (reader->zip) {
        zip_discard(reader->zip);
    }
    free(reader);
}

/* Memory of an array and its columns. */
static bool add_member(Reader *reader, Member *member, const char *name, const NpyHeader *header,
                       Error *error) {
    BinaryReader *binary = &reader->binary;
    const NpyField *field = &header->fields[0];
    member->scalar = header->scalar;
    member->row_size = header->row_size;
    member->count = field->count;
    member->offset = reader->chunk_size;
    member->value = header->scalar ? calloc(1, header->row_size + 1) : NULL;
    if (header->scalar && !member->value) {
        return error_set(error, "out of memory");
    }
    member->first = binary_add(&binary->table.columns, name, field->type, field->count, error);
    if (member->first < 0) {
        return false;
    }
    for (int k = 0; k < field->count; k++) {
        size_t offset = (size_t)(k * field->type.size);
        binary->places[member->first + k] =
            (BinaryPlace){.offset = member->offset + offset,
                          .fixed = header->scalar ? member->value + offset : NULL,
                          .stride = header->scalar ? 0 : header->row_size,
                          .type = field->type};
    }
    if (!header->scalar) {
        reader->chunk_size += CHUNK_ROWS * header->row_size;
        return true;
    }
    if (!read_bytes(member->file, member->value, header->row_size) || !is_whole(member->file)) {
        return error_set(error, "array \"%s\": is cut or damaged", name);
    }
    binary_make_utf8(&binary->places[member->first], member->value, 1);
    return true;
}

/* All arrays have the same number of rows; single values are for all of them. */
static bool same_length(Reader *reader, const char *name, const NpyHeader *header, bool *any,
                        Error *error) {
    if (header->scalar) {
        return true;
    }
    if (*any && header->rows != reader->left) {
        return error_set(error, "array \"%s\": has %llu rows, those before it %llu", name,
                         header->rows, reader->left);
    }
    *any = true;
    reader->left = header->rows;
    return true;
}

static bool open_member(Reader *reader, int index, bool *any, Error *error) {
    const char *path = zip_get_name(reader->zip, (zip_uint64_t)index, 0);
    size_t length = path ? strlen(path) : 0;
    char name[TABLE_NAME_SIZE];
    if (length < 5 || strcmp(path + length - 4, ".npy") != 0) {
        return error_set(error, "\"%s\" in it is not an array", path ? path : "?");
    }
    snprintf(name, sizeof name, "%.*s", (int)(length - 4 < 90 ? length - 4 : 90), path);
    Member *member = &reader->members[reader->member_count++];
    NpyHeader header;
    Error why;
    member->file = zip_fopen_index(reader->zip, (zip_uint64_t)index, 0);
    if (!member->file) {
        return error_set(error, "array \"%s\": %s", name, zip_strerror(reader->zip));
    }
    if (!npy_header_read(read_bytes, member->file, &header, &why)) {
        return error_set(error, "array \"%s\": %s", name, why.text);
    }
    bool good = !header.structured || error_set(error, "array \"%s\": is one of records", name);
    good = good && same_length(reader, name, &header, any, error) &&
           add_member(reader, member, name, &header, error);
    npy_header_free(&header);
    return good;
}

static bool open_archive(Reader *reader, const char *path, Error *error) {
    int code = 0;
    reader->zip = zip_open(path, ZIP_RDONLY, &code);
    if (!reader->zip) {
        zip_error_t why;
        zip_error_init_with_code(&why, code);
        error_set(error, "cannot be opened: %s", zip_error_strerror(&why));
        zip_error_fini(&why);
        return false;
    }
    zip_int64_t count = zip_get_num_entries(reader->zip, 0);
    if (count <= 0 || count > TABLE_COLUMNS_MAX) {
        return error_set(error, count > 0 ? "has more than 512 arrays" : "has no arrays");
    }
    reader->members = calloc((size_t)count, sizeof *reader->members);
    bool any = false;
    if (!reader->members) {
        return error_set(error, "out of memory");
    }
    for (int i = 0; i < (int)count; i++) {
        if (!open_member(reader, i, &any, error)) {
            return false;
        }
    }
    reader->left = any ? reader->left : 1;
    reader->binary.table.total = reader->left;
    return true;
}

TableReader *carom_table_open(const char *path, Error *error) {
    const BinarySteps steps = {next_rows, skip_rows, close_reader};
    Reader *reader = binary_reader_create(sizeof *reader, steps, error);
    if (reader && !open_archive(reader, path, error)) {
        close_reader(&reader->binary.table);
        return NULL;
    }
    return reader ? &reader->binary.table : NULL;
}

/* Columns wait in files of their own until all rows are there. */
typedef struct Writer {
    BinaryWriter binary;
    FILE *columns[TABLE_COLUMNS_MAX];
    char *buffer; /* of one column of an append */
    size_t buffer_size;
} Writer;

static bool append_columns(TableWriter *table, const char *bytes, size_t length, int rows,
                           Error *error) {
    Writer *writer = (Writer *)table;
    size_t record = rows > 0 ? length / (size_t)rows : 0, offset = 0;
    if (length > writer->buffer_size) {
        char *larger = realloc(writer->buffer, length);
        if (!larger) {
            return error_set(error, "out of memory");
        }
        writer->buffer = larger;
        writer->buffer_size = length;
    }
    for (int i = 0; i < table->columns.count; i++) {
        size_t size = binary_size(&table->columns.list[i]), all = size * (size_t)rows;
        binary_column_copy(bytes, record, offset, size, rows, writer->buffer);
        if (fwrite(writer->buffer, 1, all, writer->columns[i]) != all) {
            return error_set(error, "%s", strerror(errno));
        }
        offset += size;
    }
    writer->binary.rows += (unsigned long long)rows;
    return true;
}

static bool write_header(Writer *writer, int column, Error *error) {
    char *text;
    size_t length =
        npy_header_column(&writer->binary.table.columns.list[column], writer->binary.rows, &text);
    bool good = npy_header_write(text, length, writer->columns[column], error);
    free(text);
    return good;
}

/* Put a column's file into the archive, not compressed, as numpy.savez() does. */
static bool add_column(Writer *writer, zip_t *zip, int column, Error *error) {
    char name[TABLE_NAME_SIZE + 8];
    FILE *file = writer->columns[column];
    if (fseek(file, 0, SEEK_SET) != 0 || !write_header(writer, column, error) ||
        fflush(file) != 0 || fseek(file, 0, SEEK_SET) != 0) {
        return error_set(error, "%s", strerror(errno));
    }
    snprintf(name, sizeof name, "%s.npy", writer->binary.table.columns.list[column].name);
    zip_source_t *source = zip_source_filep(zip, file, 0, 0);
    if (!source) {
        return error_set(error, "%s", zip_strerror(zip));
    }
    writer->columns[column] = NULL; /* the archive closes it */
    zip_int64_t index = zip_file_add(zip, name, source, ZIP_FL_ENC_UTF_8);
    if (index < 0) {
        zip_source_free(source);
        return error_set(error, "%s", zip_strerror(zip));
    }
    /* the same bytes for the same table, whenever it is written */
    return (zip_set_file_compression(zip, (zip_uint64_t)index, ZIP_CM_STORE, 0) == 0 &&
            zip_file_set_dostime(zip, (zip_uint64_t)index, 0, 0x21, 0) == 0) ||
           error_set(error, "%s", zip_strerror(zip));
}

static bool finish_archive(TableWriter *table, Error *error) {
    Writer *writer = (Writer *)table;
    int code = 0;
    zip_t *zip = zip_open(writer->binary.file.temporary, ZIP_CREATE | ZIP_TRUNCATE, &code);
    if (!zip) {
        return error_set(error, "cannot be written as an archive");
    }
    for (int i = 0; i < table->columns.count; i++) {
        if (!add_column(writer, zip, i, error)) {
            zip_discard(zip);
            return false;
        }
    }
    if (zip_close(zip) != 0) {
        error_set(error, "%s", zip_strerror(zip));
        zip_discard(zip);
        return false;
    }
    return binary_writer_finish(&writer->binary, error);
}

static void close_writer(TableWriter *table) {
    Writer *writer = (Writer *)table;
    for (int i = 0; i < table->columns.count; i++) {
        if (writer->columns[i]) {
            fclose(writer->columns[i]);
        }
    }
    free(writer->buffer);
    binary_writer_close(&writer->binary);
}

TableWriter *carom_table_create(const char *path, const TableColumns *columns, Error *error) {
    const BinaryCalls calls = {append_columns, finish_archive, close_writer};
    Writer *writer = binary_writer_create(sizeof *writer, path, columns, calls, error);
    bool good = writer != NULL;
    for (int i = 0; good && i < columns->count; i++) {
        writer->columns[i] = tmpfile();
        good = writer->columns[i] ? write_header(writer, i, error)
                                  : error_set(error, "no temporary file: %s", strerror(errno));
    }
    if (writer && !good) {
        close_writer(&writer->binary.table);
    }
    return good ? &writer->binary.table : NULL;
}
