/* Comma-separated values in constant memory: a stream cut into lines, lines into fields.
 *
 * A row is a line: quotes may stand around a field, but hold no line end. Lines end with LF or
 * CRLF, the last one also with the end of the file. */
#ifndef CAROM_CLI_CSV_H
#define CAROM_CLI_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Longest line that is read; longer ones come out as too_long. */
#define CSV_LINE_MAX 65536

typedef struct CsvLine {
    const char *text; /* in the reader's memory, until the next csv_read_lines() */
    size_t length;    /* without the line end */
    bool too_long;    /* length and text are of no use */
} CsvLine;

typedef struct CsvField {
    const char *text; /* without quotes and the blanks around it */
    size_t length;
} CsvField;

typedef struct CsvReader {
    FILE *file; /* the caller's */
    char *buffer;
    size_t begin, end; /* of what is in the buffer and has not been given out */
    bool at_end;       /* nothing more will come from the file */
    bool discarding;   /* inside a line longer than the buffer */
} CsvReader;

/* False if there is no memory. */
bool csv_open(FILE *file, CsvReader *reader);
void csv_close(CsvReader *reader);

/* Up to capacity lines; 0 at the end of the file or on an error of the file (see ferror()). */
int csv_read_lines(CsvReader *reader, CsvLine *lines, int capacity);

/* Cut a line into fields. Answers their number; more than capacity are counted, not stored; -1 if
 * the quotes are not in order. */
int csv_split(const CsvLine *line, CsvField *fields, int capacity);

/* The field reads as the text. */
bool csv_equals(const CsvField *field, const char *text);

#endif
