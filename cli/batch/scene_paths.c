/* Columns of a table that replace numbers of a scene. */
#include "batch/scene_paths.h"

#include <string.h>

bool scene_paths_find(const TableColumns *given, json_t *document, bool keep_all, ScenePaths *paths,
                      Error *error) {
    for (int i = 0; i < given->count; i++) {
        const char *name = given->list[i].name;
        int next = paths->view.number_count;
        double number;
        Error why;
        if (table_find(given, name) != i) {
            return error_set(error, "column \"%s\": given twice", name);
        }
        bool found = scene_path_read(name, strlen(name), &paths->list[next], &why) &&
                     scene_path_get(document, &paths->list[next], &number, &why);
        if (!found && (keep_all || strpbrk(name, ".[") || name[0] == '\0')) {
            return error_set(error, "column \"%s\": %s", name, why.text);
        }
        if (!found || keep_all) {
            table_view_cell(&paths->view, i);
        }
        if (found) {
            table_view_number(&paths->view, i, (size_t)next * sizeof(double));
        }
    }
    return paths->view.number_count > 0 ||
           error_set(error,
                     "no column is the path of a number of the scene, such as contacts[0].mu");
}

json_t *scene_paths_fill(const ScenePaths *paths, json_t *document, const TableReader *reader,
                         const TableChunk *chunk, int index, Error *error) {
    TableCell cells[TABLE_COLUMNS_MAX];
    const char *why = reader->row(reader, chunk, index, cells);
    if (why) {
        error_set(error, "%s", why);
        return NULL;
    }
    json_t *copy = json_deep_copy(document);
    bool good = copy || error_set(error, "out of memory");
    for (int i = 0; i < paths->view.number_count && good; i++) {
        int column = paths->view.numbers[i];
        double number;
        if (table_cell_is_empty(&cells[column])) {
            continue;
        }
        good = table_cell_number(&cells[column], &number)
                   ? scene_path_set(copy, &paths->list[i], number, error)
                   : error_set(error, "%s: not a finite number", reader->columns.list[column].name);
    }
    if (!good) {
        json_decref(copy);
        return NULL;
    }
    return copy;
}
