/* Columns of a table that replace numbers of a scene, named by path (scene_path.h). */
#ifndef CAROM_CLI_BATCH_SCENE_PATHS_H
#define CAROM_CLI_BATCH_SCENE_PATHS_H

#include <jansson.h>

#include "base/error.h"
#include "scene/scene_path.h"
#include "table/table_reader.h"

typedef struct ScenePaths {
    TableView view; /* these numbers, one after the other, and the cells to copy to the output */
    ScenePath list[TABLE_COLUMNS_MAX];
} ScenePaths;

/* Find the columns that are paths of the template. A name with a dot or a bracket must be one;
 * another that is none is copied. keep_all: paths are copied, too. False: see error. */
bool scene_paths_find(const TableColumns *given, json_t *document, bool keep_all, ScenePaths *paths,
                      Error *error);

/* A copy of the template with the numbers of a row; an empty cell keeps the template's. NULL: see
 * error. */
json_t *scene_paths_fill(const ScenePaths *paths, json_t *document, const TableReader *reader,
                         const TableChunk *chunk, int index, Error *error);

#endif
