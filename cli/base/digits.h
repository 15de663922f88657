/* Decimal digits of numbers: the fewest that read back as the same number. */
#ifndef CAROM_CLI_BASE_DIGITS_H
#define CAROM_CLI_BASE_DIGITS_H

#include <stdbool.h>

/* Room for a number. */
enum { DIGITS_SIZE = 32 };

/* Write a number to at least DIGITS_SIZE characters, without a final zero; "nan" without a sign.
 * Returns the end of it. */
char *digits_write(double number, char *to);

/* Read a finite decimal number without a plus from the beginning of [text, end). Returns its end;
 * NULL: there is none, or it is beyond the range of numbers. The character at end must not continue
 * a number. */
const char *digits_scan(const char *text, const char *end, double *number);

/* Read all of [text, end) so. */
static inline bool digits_read(const char *text, const char *end, double *number) {
    return digits_scan(text, end, number) == end;
}

#endif
