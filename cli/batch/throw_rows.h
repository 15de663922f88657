/* Rows that are throws: a scene to simulate with numbers replaced, by columns named as paths. The
 * outcome is that of the first impact: the flight up to it is exact. */
#ifndef CAROM_CLI_BATCH_THROW_ROWS_H
#define CAROM_CLI_BATCH_THROW_ROWS_H

#include <jansson.h>

#include "base/error.h"
#include "batch/batch_rows.h"

/* The usual outputs of a throw. */
#define THROW_ROWS_COLUMNS "time,velocity,energy_change,status"

/* Is the document a scene of one body thrown at a plane? */
bool throw_rows_take(const json_t *document);

/* As scene_rows_create(). */
BatchRows *throw_rows_create(const TableColumns *given, json_t *document, bool keep_all,
                             const char *columns, Error *error);

#endif
