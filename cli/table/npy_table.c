/* Tables as one NumPy array of records. */
#include "table/npy_table.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "table/binary.h"
#include "table/npy_header.h"

typedef struct Reader {
    BinaryReader binary;
    FILE *file;
    size_t row_size;
    int capacity; /* rows of a chunk */
    unsigned long long left;
} Reader;

static bool read_bytes(void *source, void *to, size_t size) {
    return fread(to, 1, size, source) == size;
}

/* Bytes from here to the end of the file. */
static bool count_bytes(FILE *file, unsigned long long *bytes) {
    struct stat now;
    long at = ftell(file);
    if (at < 0 || fstat(fileno(file), &now) != 0 || !S_ISREG(now.st_mode)) {
        return false;
    }
    *bytes = now.st_size > at ? (unsigned long long)(now.st_size - at) : 0;
    return true;
}

static int next_rows(TableReader *table, TableChunk *chunk, int most, Error *error) {
    Reader *reader = (Reader *)table;
    int count = most < reader->capacity ? most : reader->capacity;
    count = reader->left < (unsigned long long)count ? (int)reader->left : count;
    size_t size = (size_t)count * reader->row_size;
    if (!table_chunk_reserve(chunk, size)) {
        error_set(error, "out of memory");
        return -1;
    }
    if (fread(chunk->bytes, 1, size, reader->file) != size) {
        error_set(error, "%s", ferror(reader->file) ? strerror(errno) : "is cut");
        return -1;
    }
    for (int i = 0; i < table->columns.count; i++) {
        const BinaryPlace *place = &reader->binary.places[i];
        binary_make_utf8(place, chunk->bytes + place->offset, count);
    }
    chunk->count = count;
    reader->left -= (unsigned long long)count;
    return count;
}

static long long skip_rows(TableReader *table, unsigned long long rows, Error *error) {
    Reader *reader = (Reader *)table;
    rows = rows < reader->left ? rows : reader->left;
    if (fseeko(reader->file, (off_t)(rows * reader->row_size), SEEK_CUR) != 0) {
        error_set(error, "%s", strerror(errno));
        return -1;
    }
    reader->left -= rows;
    return (long long)rows;
}

static void close_reader(TableReader *table) {
    Reader *reader = (Reader *)table;
    if (reader->file) {
        fclose(reader->file);
    }
    free(reader);
}

static bool add_columns(Reader *reader, const NpyHeader *header, Error *error) {
    BinaryReader *binary = &reader->binary;
    enum { CHUNK_BYTES = 4 << 20 }; /* more only for single rows */
    int capacity = (int)(CHUNK_BYTES / header->row_size);
    reader->row_size = header->row_size;
    reader->capacity = capacity > 0 ? capacity : 1;
    for (int i = 0; i < header->field_count; i++) {
        const NpyField *field = &header->fields[i];
        int first =
            binary_add(&binary->table.columns, field->name, field->type, field->count, error);
        if (first < 0) {
            return false;
        }
        for (int k = 0; k < field->count; k++) {
            binary->places[first + k] =
                (BinaryPlace){.offset = field->offset + (size_t)(k * field->type.size),
                              .stride = header->row_size,
                              .type = field->type};
        }
    }
    return true;
}

static bool read_header(Reader *reader, const char *path, Error *error) {
    NpyHeader header;
    unsigned long long bytes;
    reader->file = fopen(path, "rb");
    if (!reader->file) {
        return error_set(error, "cannot be opened: %s", strerror(errno));
    }
    if (!npy_header_read(read_bytes, reader->file, &header, error)) {
        return false;
    }
    bool good = (header.structured && !header.scalar) ||
                error_set(error, "has no names of columns: save an array of records, or the arrays "
                                 "with numpy.savez()");
    good = good && (header.row_size > 0 || error_set(error, "has no columns"));
    if (good && count_bytes(reader->file, &bytes) && bytes / header.row_size != header.rows) {
        good = error_set(error, "is cut or damaged: its header says %llu rows, there are %llu",
                         header.rows, bytes / header.row_size);
    }
    good = good && add_columns(reader, &header, error);
    reader->left = reader->binary.table.total = header.rows;
    npy_header_free(&header);
    return good;
}

TableReader *npy_table_open(const char *path, Error *error) {
    const BinarySteps steps = {next_rows, skip_rows, close_reader};
    Reader *reader = binary_reader_create(sizeof *reader, steps, error);
    if (reader && !read_header(reader, path, error)) {
        close_reader(&reader->binary.table);
        return NULL;
    }
    return reader ? &reader->binary.table : NULL;
}

static bool append_records(TableWriter *table, const char *bytes, size_t length, int rows,
                           Error *error) {
    BinaryWriter *writer = (BinaryWriter *)table;
    writer->rows += (unsigned long long)rows;
    return output_file_append(&writer->file, bytes, length) ||
           error_set(error, "%s", strerror(errno));
}

static bool write_header(BinaryWriter *writer, Error *error) {
    char *text;
    size_t length = npy_header_records(&writer->table.columns, writer->rows, &text);
    bool good = npy_header_write(text, length, writer->file.stream, error);
    free(text);
    return good;
}

/* The number of rows is known now: write the header again. */
static bool finish_records(TableWriter *table, Error *error) {
    BinaryWriter *writer = (BinaryWriter *)table;
    if (fseek(writer->file.stream, 0, SEEK_SET) != 0) {
        return error_set(error, "%s", strerror(errno));
    }
    return write_header(writer, error) && binary_writer_finish(writer, error);
}

static void close_writer(TableWriter *table) {
    binary_writer_close((BinaryWriter *)table);
}

TableWriter *npy_table_create(const char *path, const TableColumns *columns, Error *error) {
    const BinaryCalls calls = {append_records, finish_records, close_writer};
    BinaryWriter *writer = binary_writer_create(sizeof *writer, path, columns, calls, error);
    if (writer && !write_header(writer, error)) {
        binary_writer_close(writer);
        return NULL;
    }
    return writer ? &writer->table : NULL;
}
