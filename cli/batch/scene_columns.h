/* The outputs of a scene: which columns are wanted, and their cells of an outcome. */
#ifndef CAROM_CLI_BATCH_SCENE_COLUMNS_H
#define CAROM_CLI_BATCH_SCENE_COLUMNS_H

#include <carom/carom.h>

#include "base/error.h"
#include "outcomes/components.h"
#include "table/table.h"

typedef struct SceneColumns {
    TableColumns list;
    int parts[TABLE_COLUMNS_MAX], indices[TABLE_COLUMNS_MAX]; /* what each column has */
} SceneColumns;

/* An outcome, to be shown. */
typedef struct SceneOutcome {
    CaromStatus status;
    const char *message;
    const CaromResult *result; /* NULL: there is none */
    const double *components;
} SceneOutcome;

/* Read a list of columns: names and groups of names. False: *error names the column. */
bool scene_columns_read(const char *list, const Scene *scene, const Components *components,
                        SceneColumns *columns, Error *error);

/* Do the columns need no more of a result than impulse, velocity, sequence, status and
 * energy.change? */
bool scene_columns_are_plain(const SceneColumns *columns);

/* The cell of a column; a text stays in the outcome. */
TableCell scene_columns_cell(const SceneColumns *columns, int column, const SceneOutcome *outcome);

#endif
