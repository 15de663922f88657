/* Building and printing JSON. */
#ifndef CAROM_CLI_BASE_JSON_WRITE_H
#define CAROM_CLI_BASE_JSON_WRITE_H

#include <stdbool.h>
#include <stdio.h>

#include <jansson.h>

/* A number; null if it is not finite. */
json_t *json_write_number(double x);

/* An array of numbers. */
json_t *json_write_numbers(const double *x, int size);

/* Print a value as one line, numbers with 17 significant digits, and free it. Characters beyond
 * ASCII are escaped, so a terminal obeys none of them. False: out of memory (also if the value is
 * NULL). Errors of the stream are left in the stream. */
bool json_write_line(FILE *file, json_t *line);

#endif
