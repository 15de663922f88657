/* Tables of comma-separated values. */
#include "table/csv_table.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/digits.h"
#include "base/text.h"
#include "io/output_file.h"
#include "table/csv.h"

/* Lines of a chunk at most. */
enum { CHUNK_LINES = 65536 };

typedef struct Reader {
    TableReader table;
    FILE *file;
    CsvReader csv;
    CsvLine lines[CHUNK_LINES];
} Reader;

static int next_lines(TableReader *table, int most, Error *error) {
    Reader *reader = (Reader *)table;
    int count =
        csv_read_lines(&reader->csv, reader->lines, most < CHUNK_LINES ? most : CHUNK_LINES);
    if (count == 0 && ferror(reader->file)) {
        error_set(error, "%s", strerror(errno));
        return -1;
    }
    return count;
}

static const char *read_line(const TableReader *table, int index, TableCell *cells) {
    const CsvLine *line = &((const Reader *)table)->lines[index];
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
        cells[i].kind = TABLE_TEXT;
        cells[i].text = fields[i].text;
        cells[i].length = fields[i].length;
    }
    return NULL;
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
    reader->table =
        (TableReader){.first_line = 2, .next = next_lines, .row = read_line, .close = close_reader};
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
    FILE *stream;
    OutputFile file;
    bool named, open;
} Writer;

static size_t line_room(const TableWriter *table, const TableCell *cells) {
    size_t room = 1;
    for (int i = 0; i < table->columns.count; i++) {
        room += cells[i].kind == TABLE_TEXT ? 2 * cells[i].length + 3 : DIGITS_SIZE + 1;
    }
    return room;
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

static size_t write_line(const TableWriter *table, const TableCell *cells, char *to, int *column) {
    char *end = to;
    (void)column;
    for (int i = 0; i < table->columns.count; i++) {
        const TableCell *cell = &cells[i];
        if (cell->kind == TABLE_NUMBER) {
            end = digits_write(cell->number, end);
        } else if (cell->kind == TABLE_INTEGER) {
            end += snprintf(end, DIGITS_SIZE, "%" PRId64, cell->integer);
        } else {
            end = write_text(cell->text, cell->length, end);
        }
        *end++ = i + 1 < table->columns.count ? ',' : '\n';
    }
    return (size_t)(end - to);
}

static bool append_lines(TableWriter *table, const char *bytes, size_t length, int rows,
                         Error *error) {
    (void)rows;
    return fwrite(bytes, 1, length, ((Writer *)table)->stream) == length ||
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
    TableCell cells[TABLE_COLUMNS_MAX];
    int column;
    for (int i = 0; i < writer->table.columns.count; i++) {
        cells[i] = table_text(writer->table.columns.list[i].name);
    }
    char *line = malloc(line_room(&writer->table, cells));
    bool good = line ? append_lines(&writer->table, line,
                                    write_line(&writer->table, cells, line, &column), 1, error)
                     : error_set(error, "out of memory");
    free(line);
    return good;
}

TableWriter *csv_table_create(const char *path, const TableColumns *columns, Error *error) {
    Writer *writer = calloc(1, sizeof *writer);
    if (!writer) {
        error_set(error, "out of memory");
        return NULL;
    }
    writer->table = (TableWriter){.columns = *columns,
                                  .room = line_room,
                                  .encode = write_line,
                                  .append = append_lines,
                                  .finish = finish_lines,
                                  .close = close_writer};
    writer->named = path != NULL;
    writer->open = path && output_file_begin(path, &writer->file, error);
    writer->stream = writer->open ? writer->file.stream : stdout;
    if ((path && !writer->open) || !write_header(writer, error)) {
        close_writer(&writer->table);
        return NULL;
    }
    return &writer->table;
}
