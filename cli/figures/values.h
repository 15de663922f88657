/* The values of all figures as JSON. */
#ifndef CAROM_CLI_FIGURES_VALUES_H
#define CAROM_CLI_FIGURES_VALUES_H

#include <stdio.h>

/* Write values.json; data is a Gallery. Numbers with 17 significant digits. Values that depend on
 * the machine are left out, so the file is the same everywhere but for rounding. */
void gallery_values(FILE *file, const void *data);

#endif
