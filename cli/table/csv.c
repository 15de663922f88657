/* Comma-separated values in constant memory. */
#include "table/csv.h"

#include <stdlib.h>
#include <string.h>

/* Some thousands of rows, for the threads to share. */
enum { BUFFER_SIZE = 4 << 20 };

bool csv_open(FILE *file, CsvReader *reader) {
    /* one more byte: a zero that stops strtod() after a last line without a line end */
    *reader = (CsvReader){.file = file, .buffer = malloc(BUFFER_SIZE + 1)};
    return reader->buffer != NULL;
}

void csv_close(CsvReader *reader) {
    free(reader->buffer);
    *reader = (CsvReader){0};
}

/* Move the unread part to the front and fill the buffer. */
static void fill(CsvReader *reader) {
    size_t left = reader->end - reader->begin;
    memmove(reader->buffer, reader->buffer + reader->begin, left);
    size_t wanted = BUFFER_SIZE - left;
    size_t got = fread(reader->buffer + left, 1, wanted, reader->file);
    reader->begin = 0;
    reader->end = left + got;
    reader->at_end = got < wanted;
    reader->buffer[reader->end] = '\0';
}

/* The next line in the buffer; false if there is no whole one. */
static bool take_line(CsvReader *reader, CsvLine *line) {
    char *text = reader->buffer + reader->begin;
    size_t left = reader->end - reader->begin;
    char *newline = left > 0 ? memchr(text, '\n', left) : NULL;
    if (!newline && !(reader->at_end && left > 0)) {
        return false;
    }
    size_t length = newline ? (size_t)(newline - text) : left;
    reader->begin += length + (newline != NULL);
    length -= length > 0 && text[length - 1] == '\r';
    *line = (CsvLine){.text = text,
                      .length = length,
                      .too_long = length > CSV_LINE_MAX,
                      .no_end = newline == NULL};
    return true;
}

/* Drop the rest of a line that filled the buffer. */
static void skip_rest(CsvReader *reader) {
    CsvLine rest;
    while (!take_line(reader, &rest) && !reader->at_end) {
        reader->begin = reader->end;
        fill(reader);
    }
    reader->skipping = false;
}

int csv_read_lines(CsvReader *reader, CsvLine *lines, int capacity) {
    if (reader->skipping) {
        skip_rest(reader);
    }
    for (;;) {
        int count = 0;
        while (count < capacity && take_line(reader, &lines[count])) {
            count++;
        }
        if (count > 0 || reader->at_end) {
            return count;
        }
        if (reader->end - reader->begin == BUFFER_SIZE) {
            /* reported now: the line may have no end */
            reader->skipping = true;
            lines[0] = (CsvLine){.text = "", .too_long = true};
            return 1;
        }
        fill(reader);
    }
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

bool csv_take_field(const char **place, const char *end, CsvField *field) {
    const char *text = *place, *stop;
    while (text < end && is_blank(*text)) {
        text++;
    }
    if (text < end && *text == '"') {
        text++;
        stop = text < end ? memchr(text, '"', (size_t)(end - text)) : NULL;
        if (!stop) {
            return false;
        }
        *place = stop + 1;
        while (*place < end && is_blank(**place)) {
            (*place)++;
        }
        if (*place < end && **place != ',') {
            return false;
        }
        while (text < stop && is_blank(*text)) {
            text++;
        }
    } else {
        stop = text < end ? memchr(text, ',', (size_t)(end - text)) : end;
        stop = stop ? stop : end;
        *place = stop;
    }
    while (stop > text && is_blank(stop[-1])) {
        stop--;
    }
    *field = (CsvField){.text = text, .length = (size_t)(stop - text)};
    return true;
}

int csv_split(const CsvLine *line, CsvField *fields, int capacity) {
    const char *place = line->text, *end = line->text + line->length;
    int count = 0;
    for (;; place++) {
        CsvField field;
        if (!csv_take_field(&place, end, &field)) {
            return -1;
        }
        if (count < capacity) {
            fields[count] = field;
        }
        count++;
        if (place == end) {
            return count;
        }
    }
}

bool csv_equals(const CsvField *field, const char *text) {
    return strlen(text) == field->length && memcmp(field->text, text, field->length) == 0;
}
