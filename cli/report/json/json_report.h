/* The report of carom solve as JSON, and reports of failures. */
#ifndef CAROM_CLI_REPORT_JSON_JSON_REPORT_H
#define CAROM_CLI_REPORT_JSON_JSON_REPORT_H

#include <jansson.h>

#include "solve/solution.h"

/* A solution without a result becomes its status and message. NULL: out of memory. */
json_t *report_json(const Scene *scene, const Solution *solution);

/* Report on standard error why there is no result, with json also on standard output. Returns the
 * exit status. */
int report_failure(const char *name, CaromStatus status, const char *message, bool json);

#endif
