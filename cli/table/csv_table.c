/* Tables of comma-separated values. */
#include "table/csv_table.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/digits.h"
#include "base/text.h"
#include "io/output_file.h"
#include "table/csv.h"
#include "table/table_encode.h"

/* Lines of a chunk at most. */
enum { CHUNK_LINES = 65536 };

typedef struct Reader {
    TableReader table;
    FILE *file;
    CsvReader csv;
    CsvLine lines[CHUNK_LINES];
} Reader;

/* Lines lie one after the other in the reader's memory: copy them to the chunk. */
static bool keep_lines(const CsvLine *lines, int count, TableChunk *chunk, Error *error) {
    const char *text = lines[0].text;
    const CsvLine *last = &lines[count - 1];
    size_t size = (size_t)(last->text - text) + last->length;
    bool good = table_chunk_reserve(chunk, size);
    if (good && chunk->line_room < count) {
        free(chunk->lines);
        chunk->lines = malloc((size_t)count * sizeof *lines);
        chunk->line_room = chunk->lines ? count : 0;
        good = chunk->lines != NULL;
    }
    if (!good) {
        return error_set(error, "out of memory");
    }
    memcpy(chunk->bytes, text, size);
    memcpy(chunk->lines, lines, (size_t)count * sizeof *lines);
    for (int i = 0; i < count; i++) {
        chunk->lines[i].text = (const char *)chunk->bytes + (lines[i].text - text);
    }
    return true;
}

static int next_lines(TableReader *table, TableChunk *chunk, int most, Error *error) {
    Reader *reader = (Reader *)table;
    int count =
        csv_read_lines(&reader->csv, reader->lines, most < CHUNK_LINES ? most : CHUNK_LINES);
    if (count == 0 && ferror(reader->file)) {
        error_set(error, "%s", strerror(errno));
        return -1;
    }
    if (count > 0 && !keep_lines(reader->lines, count, chunk, error)) {
        return -1;
    }
    chunk->count = count;
    return count;
}

static long long skip_lines(TableReader *table, unsigned long long rows, Error *error) {
    Reader *reader = (Reader *)table;
    unsigned long long skipped = 0;
    int count = 1;
    while (skipped < rows && count > 0) {
        unsigned long long left = rows - skipped;
        count = csv_read_lines(&reader->csv, reader->lines,
                               left < CHUNK_LINES ? (int)left : CHUNK_LINES);
        skipped += (unsigned long long)count;
    }
    if (ferror(reader->file)) {
        error_set(error, "%s", strerror(errno));
        return -1;
    }
    return (long long)skipped;
}

static const char *read_line(const TableReader *table, const TableChunk *chunk, int index,
                             TableCell *cells) {
    const CsvLine *line = &chunk->lines[index];
    if (line->too_long) {
        return "the line is longer than 65536 bytes";
    }
    if (line->no_end) { /* "0.8" may have become "0" */
        return "the last line has no line end: the file may be cut";
    }
    CsvField fields[TABLE_COLUMNS_MAX];
    int count = csv_split(line, fields, TABLE_COLUMNS_MAX);
    if (count < 0) {
        return "a quote does not end";
    }
    if (count != table->columns.count) {
        return line->length == 0 ? "the line is empty" : "not as many fields as the header has";
    }
    for (int i = 0; i < count; i++) {
        cells[i] =
            (TableCell){.kind = TABLE_TEXT, .text = fields[i].text, .length = fields[i].length};
    }
    return NULL;
}

/* What is wanted of a line, in one pass: most numbers end at their comma, so that their fields need
 * not be looked for. False: the line cannot be read. */
static bool read_fields(const CsvLine *line, int columns, const TableView *view, char *record,
                        TableCell *cells) {
    const char *place = line->text, *end = place + line->length;
    for (int i = 0; i < columns && !line->too_long && !line->no_end; i++) {
        int number_of = view->number_of[i] - 1, cell_of = view->cell_of[i] - 1;
        double number;
        const char *after = number_of >= 0 && cell_of < 0 ? digits_scan(place, end, &number) : NULL;
        if (after && (after == end || *after == ',')) {
            place = after;
        } else {
            CsvField field;
            if (!csv_take_field(&place, end, &field)) {
                return false;
            }
            TableCell cell = {.kind = TABLE_TEXT, .text = field.text, .length = field.length};
            if (number_of >= 0 && !table_cell_number(&cell, &number)) {
                number = NAN;
            }
            if (cell_of >= 0) {
                cells[cell_of] = cell;
            }
        }
        if (number_of >= 0) {
            memcpy(record + view->offsets[number_of], &number, sizeof number);
        }
        if (place == end) {
            return i + 1 == columns;
        }
        place++;
    }
    return false;
}

static void read_lines(const TableReader *table, const TableChunk *chunk, int first, int count,
                       const TableView *view, void *records, size_t stride, TableCell *cells) {
    char *record = records;
    for (int i = 0; i < count; i++, record += stride, cells += view->cell_count) {
        const CsvLine *line = &chunk->lines[first + i];
        if (!read_fields(line, table->columns.count, view, record, cells)) {
            table_view_refuse(view, record, cells);
        }
    }
}

static void close_reader(TableReader *table) {
    Reader *reader = (Reader *)table;
    csv_close(&reader->csv);
    if (reader->file && reader->file != stdin) {
        fclose(reader->file);
    }
    free(reader);
}

/* The names of the columns. */
static bool read_header(Reader *reader, Error *error) {
    CsvLine line;
    if (csv_read_lines(&reader->csv, &line, 1) == 0) {
        return error_set(error, "%s",
                         ferror(reader->file) ? strerror(errno)
                                              : "empty: the header row is missing");
    }
    if (line.length >= 3 && memcmp(line.text, "\xEF\xBB\xBF", 3) == 0) { /* byte order mark */
        line.text += 3;
        line.length -= 3;
    }
    if (line.length > 0 && (line.text[0] == '{' || line.text[0] == '[')) {
        return error_set(error, "is JSON, not a table: \"carom solve\" takes scenes");
    }
    if (text_is_utf16(line.text, line.length)) {
        return error_set(error, "is UTF-16 text, must be UTF-8");
    }
    CsvField fields[TABLE_COLUMNS_MAX];
    int count = line.too_long ? -1 : csv_split(&line, fields, TABLE_COLUMNS_MAX);
    if (count < 0 || count > TABLE_COLUMNS_MAX) {
        return error_set(error, "the header row %s",
                         line.too_long ? "is too long"
                         : count < 0   ? "has a quote that does not end"
                                       : "has more than 512 columns");
    }
    for (int i = 0; i < count; i++) {
        table_add(&reader->table.columns, fields[i].text, fields[i].length, TABLE_TEXT);
    }
    return true;
}

TableReader *csv_table_open(const char *path, Error *error) {
    Reader *reader = calloc(1, sizeof *reader);
    if (!reader) {
        error_set(error, "out of memory");
        return NULL;
    }
    reader->table = (TableReader){.first_line = 2,
                                  .next = next_lines,
                                  .skip = skip_lines,
                                  .row = read_line,
                                  .read = read_lines,
                                  .close = close_reader};
    reader->file = path ? fopen(path, "rb") : stdin;
    bool good = reader->file || error_set(error, "cannot be opened: %s", strerror(errno));
    good = good && (csv_open(reader->file, &reader->csv) || error_set(error, "out of memory"));
    if (!good || !read_header(reader, error)) {
        close_reader(&reader->table);
        return NULL;
    }
    return &reader->table;
}

typedef struct Writer {
    TableWriter table;
    OutputFile file; /* its stream is standard output if it has no name */
    bool named, open;
} Writer;

static bool append_lines(TableWriter *table, const char *bytes, size_t length, int rows,
                         Error *error) {
    (void)rows;
    return output_file_append(&((Writer *)table)->file, bytes, length) ||
           error_set(error, "%s", strerror(errno));
}

static bool finish_lines(TableWriter *table, Error *error) {
    Writer *writer = (Writer *)table;
    if (!writer->named) {
        return fflush(stdout) == 0 || error_set(error, "%s", strerror(errno));
    }
    writer->open = false;
    return output_file_finish(&writer->file, error);
}

static void close_writer(TableWriter *table) {
    Writer *writer = (Writer *)table;
    if (writer->open) {
        output_file_drop(&writer->file);
    }
    free(writer);
}

static bool write_header(Writer *writer, Error *error) {
    const TableColumns *columns = &writer->table.columns;
    TableSource names[TABLE_COLUMNS_MAX];
    TableBuffer line = {0};
    TableMisfit misfit;
    for (int i = 0; i < columns->count; i++) {
        names[i] = (TableSource){TABLE_SOURCE_CHARS, columns->list[i].name, 0};
    }
    bool good = table_encode(columns, false, names, 1, &line, &misfit) == TABLE_FITS
                    ? append_lines(&writer->table, line.bytes, line.length, 1, error)
                    : error_set(error, "out of memory");
    free(line.bytes);
    return good;
}

TableWriter *csv_table_create(const char *path, const TableColumns *columns, Error *error) {
    Writer *writer = calloc(1, sizeof *writer);
    if (!writer) {
        error_set(error, "out of memory");
        return NULL;
    }
    writer->table = (TableWriter){
        .columns = *columns, .append = append_lines, .finish = finish_lines, .close = close_writer};
    writer->named = path != NULL;
    writer->open = path && output_file_begin(path, &writer->file, error);
    if (!path) {
        writer->file.stream = stdout;
    }
    if ((path && !writer->open) || !write_header(writer, error)) {
        close_writer(&writer->table);
        return NULL;
    }
    return &writer->table;
}
