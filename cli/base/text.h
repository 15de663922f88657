/* Small helpers for text that people read. */
#ifndef CAROM_CLI_TEXT_H
#define CAROM_CLI_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* The shortest text that reads back as the same number; "nan", "inf" where it is not finite. */
void text_number(double number, char *text, size_t size);

/* Bytes of the UTF-8 character at the start of a text if it must not be shown: a control character,
 * or one that is no character (U+FFFE, U+FFFF: XML forbids them). 0: it may be. */
size_t text_refused(const char *text);

/* Replace what must not be shown by '?', in place. */
void text_make_plain(char *text);

/* Columns that UTF-8 text takes on a terminal, one per character. */
int text_width(const char *text);

/* Cut UTF-8 text to so many columns, in place. */
void text_fit(char *text, int columns);

/* Read a whole text as one finite decimal number, or as an integer in [low, high]. */
bool text_to_number(const char *text, double *number);
bool text_to_integer(const char *text, long low, long high, long *number);

/* As text_to_number() for a part of a longer text; the character behind it must not be one that
 * can continue a number. */
bool text_span_to_number(const char *text, size_t length, double *number);

#endif
