/* Text helpers: numbers, widths, control characters. */
#ifndef CAROM_CLI_BASE_TEXT_H
#define CAROM_CLI_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/words.h"

/* The shortest text that reads back as the same number; "nan" or "inf" if it is not finite. */
Words text_number(double number);

/* Length in bytes of the first UTF-8 character if it must not be shown: a control character, or
 * U+FFFE and U+FFFF, which XML forbids. 0: it may be shown. */
size_t text_refused(const char *text);

/* Replace characters that must not be shown by '?', in place. */
void text_make_plain(char *text);

/* Columns of UTF-8 text on a terminal, one per character. */
int text_width(const char *text);

/* Cut UTF-8 text to a number of columns, in place. */
void text_fit(char *text, int columns);

/* Read a whole text as one finite decimal number, or as an integer in [low, high]. */
bool text_to_number(const char *text, double *number);
bool text_to_integer(const char *text, long low, long high, long *number);

/* As text_to_number() for a part of a longer text; the character after it must not continue the
 * number. */
bool text_span_to_number(const char *text, size_t length, double *number);

#endif
