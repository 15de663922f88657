/* Text helpers: numbers, widths, control characters. */
#ifndef CAROM_CLI_BASE_TEXT_H
#define CAROM_CLI_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/words.h"

/* The shortest text that reads back as the same number; "nan" or "inf" if it is not finite. */
Words text_number(double number);

/* Length in bytes of the first UTF-8 character, 0 at the end. *shown: it may be shown. Not shown
 * are control characters, which a terminal obeys; characters that change the direction of the text
 * or are invisible, which make a text look like another; characters that XML forbids; and bytes
 * that are not UTF-8, each of length 1. */
size_t text_character(const char *text, bool *shown);

/* Replace characters that must not be shown by '?', in place. */
void text_make_plain(char *text);

/* Write formatted text without such characters. A text that is too long loses its middle: the end
 * of a message is the reason. */
void text_format(char *text, size_t size, const char *format, va_list arguments);

/* The bytes begin like UTF-16 text: with its byte order mark, or with two ASCII characters. */
bool text_is_utf16(const char *bytes, size_t size);

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

/* How many characters one text has left out, added, changed or exchanged with their neighbour to be
 * the other; TEXT_FAR if one is longer than a name is. */
enum { TEXT_FAR = 99 };
int text_distance(const char *a, const char *b);

#endif
