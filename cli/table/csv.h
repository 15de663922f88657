/* Comma-separated values in constant memory: a stream is split into lines, lines into fields.
 *
 * A row is a line: a quoted field cannot contain the end of a line. Lines end with LF or CRLF. */
#ifndef CAROM_CLI_TABLE_CSV_H
#define CAROM_CLI_TABLE_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Longest line; longer ones are marked as too_long. */
#define CSV_LINE_MAX 65536

typedef struct CsvLine {
    const char *text; /* in the reader's memory, until the next csv_read_lines() */
    size_t length;    /* without the line end */
    bool too_long;    /* length and text are not valid */
    bool no_end;      /* the file ends before the line does: a part of it may be missing */
} CsvLine;

typedef struct CsvField {
    const char *text; /* without quotes and the blanks around it */
    size_t length;
} CsvField;

typedef struct CsvReader {
    FILE *file; /* the caller's */
    char *buffer;
    size_t begin, end; /* of the unread part of the buffer */
    bool at_end;       /* the file has ended */
    bool skipping;     /* inside a line longer than the buffer, which has been reported */
} CsvReader;

/* False: out of memory. */
bool csv_open(FILE *file, CsvReader *reader);
void csv_close(CsvReader *reader);

/* Read up to capacity lines; returns their number, 0 at the end of the file or on an error (see
 * ferror()). */
int csv_read_lines(CsvReader *reader, CsvLine *lines, int capacity);

/* Split a line into fields. Returns their number; those beyond capacity are counted, not stored.
 * -1: unbalanced quotes. */
int csv_split(const CsvLine *line, CsvField *fields, int capacity);

/* One field from *place on; *place moves to the comma after it or to the end. False: unbalanced
 * quotes. */
bool csv_take_field(const char **place, const char *end, CsvField *field);

/* The field equals the text. */
bool csv_equals(const CsvField *field, const char *text);

#endif
