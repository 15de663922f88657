/* Showing what came out of a scene. */
#ifndef CAROM_CLI_REPORT_H
#define CAROM_CLI_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include <jansson.h>

#include "solve/solution.h"

/* For people. The solution must have a result. Errors of the stream are left in the stream. */
void report_text(FILE *file, const Scene *scene, const Solution *solution);

/* As JSON; a solution without a result becomes its status and message. NULL: no memory. */
json_t *report_json(const Scene *scene, const Solution *solution);

/* What stands for a scene that could not be read. */
json_t *report_json_failure(CaromStatus status, const char *message);

/* Say on standard error why a scene has nothing to show, with json on standard output as well.
 * Answers with the exit status. */
int report_failure(const char *name, CaromStatus status, const char *message, bool json);

#endif
