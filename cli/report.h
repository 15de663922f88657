/* Showing what came out of a scene. */
#ifndef CAROM_CLI_REPORT_H
#define CAROM_CLI_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "solution.h"

/* For people. The solution must have a result. Errors of the stream are left in the stream. */
void report_text(FILE *file, const Scene *scene, const Solution *solution);

/* One line of JSON; a solution without a result becomes its status and message. Numbers have 17
 * significant digits, and null stands for what is not a number. False: no memory. */
bool report_json(FILE *file, const Scene *scene, const Solution *solution);

/* The line of a scene that could not be read. */
bool report_json_failure(FILE *file, CaromStatus status, const char *message);

/* Say on standard error why a scene has nothing to show, with json on standard output as well.
 * Answers with the exit status. */
int report_failure(const char *name, CaromStatus status, const char *message, bool json);

#endif
