/* Rows that are scenes: a template with numbers replaced, by columns named as paths (scene_path.h).
 */
#ifndef CAROM_CLI_BATCH_SCENE_ROWS_H
#define CAROM_CLI_BATCH_SCENE_ROWS_H

#include <jansson.h>

#include "base/error.h"
#include "batch/batch_rows.h"

/* The usual outputs of a scene. */
#define SCENE_ROWS_COLUMNS "velocity,energy_change,status"

/* document: the template, which must live as long. keep_all: columns that replace numbers are
 * copied to the output, too. columns: the outputs that are wanted, NULL: the usual ones. NULL: see
 * error. */
BatchRows *scene_rows_create(const TableColumns *given, json_t *document, bool keep_all,
                             const char *columns, Error *error);

#endif
