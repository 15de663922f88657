/* Rows that are worlds: a scene of several bodies with numbers replaced, by columns named as paths.
 * The outcome is that of the first impact, after the one by the cue if the scene has a shot; the
 * motion up to it is exact. */
#ifndef CAROM_CLI_BATCH_WORLD_ROWS_H
#define CAROM_CLI_BATCH_WORLD_ROWS_H

#include <jansson.h>

#include "base/error.h"
#include "batch/batch_rows.h"

/* The usual outputs of a world. */
#define WORLD_ROWS_COLUMNS "time,velocity,energy_change,status"

/* Is the document a scene of a world? */
bool world_rows_take(const json_t *document);

/* As scene_rows_create(). */
BatchRows *world_rows_create(const TableColumns *given, json_t *document, bool keep_all,
                             const char *columns, Error *error);

#endif
