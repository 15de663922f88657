/* Rows that are scenes. */
#include "batch/scene_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "batch/batch_names.h"
#include "outcomes/components.h"
#include "scene/scene_path.h"
#include "scene/scene_read.h"
#include "solve/solution.h"

/* What a column of the outcome has. */
typedef enum Part {
    PART_COMPONENT, /* index: of Components */
    PART_IMPULSE,   /* index: row of the impulse */
    PART_CONTACT_VELOCITY,
    PART_ENERGY, /* index: of the account */
    PART_ERROR,
    PART_SEQUENCE,
    PART_STATUS,
    PART_MESSAGE
} Part;

typedef struct SceneRows {
    BatchRows rows;
    json_t *document; /* the caller's */
    int count;        /* numbers that are replaced */
    int places[TABLE_COLUMNS_MAX];
    ScenePath paths[TABLE_COLUMNS_MAX];
    int parts[TABLE_COLUMNS_MAX], indices[TABLE_COLUMNS_MAX]; /* of each column of the outcome */
} SceneRows;

/* An outcome, to be shown. */
typedef struct Outcome {
    CaromStatus status;
    const char *message;
    const CaromResult *result; /* NULL: there is none */
    const double *components;
} Outcome;

static double energy_at(const CaromEnergy *energy, int index) {
    double numbers[BATCH_ENERGIES];
    batch_energy_numbers(energy, numbers);
    return numbers[index];
}

static TableCell make_cell(int part, int index, const Outcome *outcome) {
    const CaromResult *result = outcome->result;
    switch ((Part)part) {
    case PART_COMPONENT:
        return table_number(result ? outcome->components[index] : NAN);
    case PART_IMPULSE:
        return table_number(result ? result->impulse[index] : NAN);
    case PART_CONTACT_VELOCITY:
        return table_number(result ? result->velocity[index] : NAN);
    case PART_ENERGY:
        return table_number(result ? energy_at(&result->energy, index) : NAN);
    case PART_ERROR:
        return table_number(result ? result->error : NAN);
    case PART_SEQUENCE:
        return table_text(result ? result->sequence : "");
    case PART_STATUS:
        return table_text(carom_status_string(outcome->status));
    default:
        return table_text(outcome->message);
    }
}

static void emit_outcome(const SceneRows *rows, int row, const Outcome *outcome, BatchEmit *emit,
                         void *context) {
    TableCell cells[TABLE_COLUMNS_MAX];
    for (int i = 0; i < rows->rows.columns.count; i++) {
        cells[i] = make_cell(rows->parts[i], rows->indices[i], outcome);
    }
    emit(context, row, outcome->status, outcome->message, cells);
}

/* The template with the numbers of a row; an empty cell keeps the template's. */
static bool fill_scene(const SceneRows *rows, const TableReader *reader, int index, Scene *scene,
                       Error *error) {
    TableCell cells[TABLE_COLUMNS_MAX];
    const char *why = reader->row(reader, index, cells);
    if (why) {
        return error_set(error, "%s", why);
    }
    json_t *copy = json_deep_copy(rows->document);
    bool good = copy || error_set(error, "out of memory");
    for (int i = 0; i < rows->count && good; i++) {
        const TableCell *cell = &cells[rows->places[i]];
        double number;
        if (table_cell_is_empty(cell)) {
            continue;
        }
        good = table_cell_number(cell, &number)
                   ? scene_path_set(copy, &rows->paths[i], number, error)
                   : error_set(error, "%s: not a finite number",
                               reader->columns.list[rows->places[i]].name);
    }
    good = good && scene_from_json(copy, scene, error);
    json_decref(copy);
    return good;
}

/* The components after the impact; NULL: out of memory. free() it. */
static double *components_of(const Scene *scene, const CaromResult *result) {
    Components components;
    double *after = NULL;
    if (components_create(scene, &components)) {
        after = malloc(((size_t)components.count + 1) * sizeof *after);
    }
    if (after) {
        components_after(&components, result->impulse, result->velocity, after);
    }
    components_free(&components);
    return after;
}

static void solve_row(const SceneRows *rows, const TableReader *reader, int first, int row,
                      BatchEmit *emit, void *context) {
    Scene scene = {0};
    Solution solution = {0};
    const CaromOptions options = carom_options_default();
    Error error;
    double *after = NULL;
    Outcome outcome = {.status = CAROM_INVALID_INPUT, .message = "out of memory"};
    if (!fill_scene(rows, reader, first + row, &scene, &error)) {
        outcome.message = error.text;
    } else if (solution_compute(&scene, &options, &solution)) {
        bool solved = solution.result.status >= 0;
        after = solved ? components_of(&scene, &solution.result) : NULL;
        if (after || !solved) {
            outcome.status = solution.result.status;
            outcome.message = solution.result.message;
        }
        outcome.result = after ? &solution.result : NULL;
        outcome.components = after;
    }
    emit_outcome(rows, row, &outcome, emit, context);
    free(after);
    solution_free(&solution);
    scene_free(&scene);
}

static void solve_rows(const BatchRows *base, const TableReader *reader, int first, int count,
                       BatchEmit *emit, void *context) {
    for (int i = 0; i < count; i++) {
        solve_row((const SceneRows *)base, reader, first, i, emit, context);
    }
}

static void close_rows(BatchRows *rows) {
    free(rows);
}

/* Which columns of the input replace numbers. A name with a dot or a bracket must be a path;
 * another that is none is passed through. */
static bool find_paths(SceneRows *rows, const TableColumns *given, bool keep_all, Error *error) {
    for (int i = 0; i < given->count; i++) {
        const char *name = given->list[i].name;
        ScenePath *path = &rows->paths[rows->count];
        double number;
        Error why;
        if (table_find(given, name) != i) {
            return error_set(error, "column \"%s\": given twice", name);
        }
        bool found = scene_path_read(name, strlen(name), path, &why) &&
                     scene_path_get(rows->document, path, &number, &why);
        if (!found && (keep_all || strpbrk(name, ".[") || name[0] == '\0')) {
            return error_set(error, "column \"%s\": %s", name, why.text);
        }
        if (!found || keep_all) {
            rows->rows.passed[rows->rows.passed_count++] = i;
        }
        if (found) {
            rows->places[rows->count++] = i;
        }
    }
    return rows->count > 0 ||
           error_set(error,
                     "no column is the path of a number of the scene, such as contacts[0].mu");
}

static bool add(SceneRows *rows, const char *name, Part part, int index, Error *error) {
    TableColumns *columns = &rows->rows.columns;
    bool text = part >= PART_SEQUENCE;
    if (table_find(columns, name) >= 0) {
        return error_set(error, "column \"%s\": given twice", name);
    }
    TableColumn *column = table_add(columns, name, strlen(name), text ? TABLE_TEXT : TABLE_NUMBER);
    if (!column) {
        return error_set(error, "more than %d columns", TABLE_COLUMNS_MAX);
    }
    column->width = part == PART_SEQUENCE ? CAROM_SEQUENCE_SIZE
                    : part == PART_STATUS ? BATCH_STATUS_BYTES
                                          : BATCH_MESSAGE_BYTES;
    rows->parts[columns->count - 1] = (int)part;
    rows->indices[columns->count - 1] = index;
    return true;
}

/* Add the numbers name[0] to name[count - 1] if the group is wanted, or that of them that is. */
static bool add_indexed(SceneRows *rows, const char *wanted, const char *group, const char *name,
                        Part part, int count, bool *found, Error *error) {
    for (int i = 0; i < count; i++) {
        Words full = words_of("%s[%d]", name, i);
        if (strcmp(wanted, group) == 0 || strcmp(wanted, full.text) == 0) {
            *found = true;
            if (!add(rows, full.text, part, i, error)) {
                return false;
            }
        }
    }
    return true;
}

/* Where names are looked up. */
typedef struct Lookup {
    SceneRows *rows;
    const Scene *scene;
    const Components *components;
} Lookup;

static bool add_name(void *context, const char *name, Error *error) {
    const Lookup *lookup = context;
    SceneRows *rows = lookup->rows;
    const Scene *scene = lookup->scene;
    const Components *components = lookup->components;
    static const struct {
        const char *name;
        Part part;
    } singles[] = {{"sequence", PART_SEQUENCE},
                   {"status", PART_STATUS},
                   {"message", PART_MESSAGE},
                   {"error", PART_ERROR}};
    int m = scene_rows(scene) * scene->contact_count;
    bool found = false, good = true;
    for (size_t i = 0; i < sizeof singles / sizeof *singles && good; i++) {
        if (strcmp(name, singles[i].name) == 0) {
            found = true;
            good = add(rows, name, singles[i].part, 0, error);
        }
    }
    for (int i = 0; i < components->count && good; i++) {
        Words path = words_of("after.%s", components_path(components, i).text);
        if (strcmp(name, "velocity") == 0 || strcmp(name, path.text) == 0) {
            found = true;
            good = add(rows, path.text, PART_COMPONENT, i, error);
        }
    }
    for (int i = 0; i < BATCH_ENERGIES && good; i++) {
        if (strcmp(name, "energy") == 0 || strcmp(name, batch_energy_names[i]) == 0) {
            found = true;
            good = add(rows, batch_energy_names[i], PART_ENERGY, i, error);
        }
    }
    good = good && add_indexed(rows, name, "impulse", "impulse", PART_IMPULSE, m, &found, error);
    if (good && !found) { /* a component where the scene has neither bodies nor a mechanism */
        good = add_indexed(rows, name, "contact_velocity", "after.contact_velocity",
                           PART_CONTACT_VELOCITY, m, &found, error);
    }
    return good &&
           (found || error_set(error,
                               "column \"%s\": unknown; there are velocity, impulse, "
                               "contact_velocity, energy, error, sequence, status, message, and "
                               "single ones such as impulse[0] or after.bodies[0].velocity[2]",
                               name));
}

BatchRows *scene_rows_create(const TableColumns *given, json_t *document, bool keep_all,
                             const char *columns, Error *error) {
    SceneRows *rows = calloc(1, sizeof *rows);
    if (!rows) {
        error_set(error, "out of memory");
        return NULL;
    }
    rows->rows.solve = solve_rows;
    rows->rows.close = close_rows;
    rows->document = document;
    Scene scene = {0};
    Components components = {0};
    Error why;
    bool good = scene_from_json(document, &scene, &why) ||
                error_set(error, "the scene cannot be used: %s", why.text);
    good = good && find_paths(rows, given, keep_all, error);
    good = good && (components_create(&scene, &components) || error_set(error, "out of memory"));
    Lookup lookup = {rows, &scene, &components};
    good =
        good && batch_names_read(columns ? columns : SCENE_ROWS_COLUMNS, add_name, &lookup, error);
    components_free(&components);
    scene_free(&scene);
    if (!good) {
        free(rows);
        return NULL;
    }
    return &rows->rows;
}
