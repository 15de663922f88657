/* Error bars as text, JSON and a section of a page. */
#ifndef CAROM_CLI_SENSITIVITY_UNCERTAINTY_REPORT_H
#define CAROM_CLI_SENSITIVITY_UNCERTAINTY_REPORT_H

#include <stdio.h>

#include "sensitivity/uncertainty.h"

void error_bars_text(FILE *file, const ErrorBars *bars);

/* Add "uncertainty" and "uncertainty_linear" (do both agree?) to a line. */
void error_bars_json(json_t *line, const ErrorBars *bars);

void error_bars_page(FILE *file, const ErrorBars *bars);

#endif
