/* Derivatives of an outcome as text, JSON and a table of a page. */
#ifndef CAROM_CLI_SENSITIVITY_SENSITIVITY_REPORT_H
#define CAROM_CLI_SENSITIVITY_SENSITIVITY_REPORT_H

#include <stdio.h>

#include "sensitivity/sensitivity.h"

/* Two tables, of derivatives and of per cent per per cent, and the nearest kink. */
void sensitivity_text(FILE *file, const Sensitivity *sensitivity);

/* Add "derivatives", "derivative_status" and "kink" to a line. */
void sensitivity_json(json_t *line, const Sensitivity *sensitivity);

/* A section with a table, whose cells are coloured by per cent per per cent. */
void sensitivity_page(FILE *file, const Sensitivity *sensitivity);

/* The nearest kink in words; "" if there is none. */
Words sensitivity_kink_words(const Sensitivity *sensitivity);

#endif
