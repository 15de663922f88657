/* Numbers and lines of JSON as the program prints them. */
#ifndef CAROM_CLI_JSON_WRITE_H
#define CAROM_CLI_JSON_WRITE_H

#include <stdbool.h>
#include <stdio.h>

#include <jansson.h>

/* A number; null for what JSON cannot say. */
json_t *json_write_number(double x);

/* An array of numbers. */
json_t *json_write_numbers(const double *x, int size);

/* Print a value as one line, numbers with 17 significant digits, and give back its memory. False:
 * there was none (the value is NULL, too). Errors of the stream are left in the stream. */
bool json_write_line(FILE *file, json_t *line);

#endif
