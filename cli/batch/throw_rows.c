/* Rows that are throws. */
#include "batch/throw_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch/batch_names.h"
#include "batch/scene_paths.h"
#include "simulate/simulate_run.h"

/* The numbers of a first impact, in this order. */
enum { TIME = 0, VELOCITY = 1, BEFORE = 7, IMPULSE = 13, POINT = 16, ENERGY = 19 };
enum { NUMBERS = ENERGY + BATCH_ENERGIES };

/* Groups of them, and names of single ones; energies: batch_names.h. */
static const struct {
    const char *group, *name;
    int first, count;
} groups[] = {{"time", "time", TIME, 1},
              {"velocity", "after.bodies[0].velocity", VELOCITY, 3},
              {"velocity", "after.bodies[0].angular_velocity", VELOCITY + 3, 3},
              {"before", "before.bodies[0].velocity", BEFORE, 3},
              {"before", "before.bodies[0].angular_velocity", BEFORE + 3, 3},
              {"impulse", "impulse", IMPULSE, 3},
              {"point", "point", POINT, 3}};

enum { SEQUENCE = NUMBERS, STATUS, MESSAGE, PARTS };
static const char *const text_names[] = {"sequence", "status", "message"};

typedef struct Throw {
    double numbers[NUMBERS];
    const char *status;
    char sequence[CAROM_SEQUENCE_SIZE], message[BATCH_MESSAGE_BYTES];
} Throw;

typedef struct ThrowRows {
    BatchRows rows;
    json_t *document; /* the caller's */
    ScenePaths paths;
    int parts[TABLE_COLUMNS_MAX]; /* number of a Throw, or its texts */
} ThrowRows;

typedef struct ThrowWork {
    BatchWork base;
    double *numbers; /* of rows; only their cells are used */
    Throw throws[BATCH_PIECE_ROWS];
} ThrowWork;

static void end_work(BatchWork *base) {
    if (base) {
        free(((ThrowWork *)base)->numbers);
    }
    batch_work_free(base);
}

/* Where the values of a column are. */
static TableSource source_of(const Throw *throws, int part) {
    switch (part) {
    case SEQUENCE:
        return (TableSource){TABLE_SOURCE_CHARS, throws->sequence, sizeof *throws};
    case STATUS:
        return (TableSource){TABLE_SOURCE_STRINGS, &throws->status, sizeof *throws};
    case MESSAGE:
        return (TableSource){TABLE_SOURCE_CHARS, throws->message, sizeof *throws};
    default:
        return (TableSource){TABLE_SOURCE_NUMBERS, &throws->numbers[part], sizeof *throws};
    }
}

static BatchWork *start_work(const BatchRows *base) {
    const ThrowRows *rows = (const ThrowRows *)base;
    ThrowWork *work = batch_work_create(sizeof *work, base);
    size_t size = (size_t)rows->paths.view.number_count * BATCH_PIECE_ROWS;
    if (!work || !(work->numbers = calloc(size, sizeof *work->numbers))) {
        end_work((BatchWork *)work);
        return NULL;
    }
    for (int i = 0; i < base->columns.count; i++) {
        work->base.sources[base->passed_count + i] = source_of(work->throws, rows->parts[i]);
    }
    return &work->base;
}

static void keep_impact(const SimulateImpact *impact, Throw *out) {
    double *numbers = out->numbers;
    numbers[TIME] = impact->time;
    memcpy(numbers + VELOCITY, impact->after.velocity, 3 * sizeof(double));
    memcpy(numbers + VELOCITY + 3, impact->after.angular_velocity, 3 * sizeof(double));
    memcpy(numbers + BEFORE, impact->before.velocity, 3 * sizeof(double));
    memcpy(numbers + BEFORE + 3, impact->before.angular_velocity, 3 * sizeof(double));
    memcpy(numbers + IMPULSE, impact->impulse, 3 * sizeof(double));
    memcpy(numbers + POINT, impact->point, 3 * sizeof(double));
    batch_energy_numbers(&impact->energy, numbers + ENERGY);
    memcpy(out->sequence, impact->sequence, sizeof out->sequence);
}

/* Fly to the first impact and solve it. */
static CaromStatus follow(SimulateScene *scene, Throw *out) {
    const CaromOptions options = carom_options_default();
    SimulateRun run;
    scene->bounces = 1;
    bool good = simulate_run(scene, &options, &run);
    CaromStatus status = !good                        ? CAROM_NOT_CONVERGED
                         : run.impact_count > 0       ? run.impacts[0].status
                         : run.end == SIMULATE_FAILED ? run.status
                                                      : CAROM_NOT_APPROACHING;
    snprintf(out->message, sizeof out->message, "%s",
             !good                        ? "out of memory"
             : run.end == SIMULATE_FAILED ? run.message
             : run.impact_count == 0      ? simulate_end_words(run.end)
                                          : "");
    if (good && run.impact_count > 0 && status >= 0) {
        keep_impact(&run.impacts[0], out);
    }
    simulate_run_free(&run);
    return status;
}

static CaromStatus solve_row(const ThrowRows *rows, const TableReader *reader,
                             const TableChunk *chunk, int index, Throw *out) {
    CaromStatus status = CAROM_INVALID_INPUT;
    SimulateScene scene;
    Error error;
    *out = (Throw){.status = ""};
    for (int i = 0; i < NUMBERS; i++) {
        out->numbers[i] = NAN;
    }
    json_t *document = scene_paths_fill(&rows->paths, rows->document, reader, chunk, index, &error);
    if (document && simulate_scene_from_json(document, &scene, &error)) {
        status = follow(&scene, out);
        simulate_scene_free(&scene);
    } else {
        snprintf(out->message, sizeof out->message, "%.*s", (int)sizeof out->message - 1,
                 error.text);
    }
    json_decref(document);
    out->status = carom_status_string(status);
    return status;
}

static void solve_rows(const BatchRows *base, const TableReader *reader, const TableChunk *chunk,
                       int first, int count, BatchWork *base_work) {
    const ThrowRows *rows = (const ThrowRows *)base;
    ThrowWork *work = (ThrowWork *)base_work;
    reader->read(reader, chunk, first, count, &rows->paths.view, work->numbers,
                 (size_t)rows->paths.view.number_count * sizeof(double), base_work->passed);
    for (int i = 0; i < count; i++) {
        base_work->statuses[i] = solve_row(rows, reader, chunk, first + i, &work->throws[i]);
    }
}

static void explain_row(const BatchRows *base, const TableReader *reader, const TableChunk *chunk,
                        int index, char reason[BATCH_REASON_SIZE]) {
    Throw out;
    solve_row((const ThrowRows *)base, reader, chunk, index, &out);
    snprintf(reason, BATCH_REASON_SIZE, "%s", out.message);
}

static void close_rows(BatchRows *rows) {
    free(rows);
}

static bool add(ThrowRows *rows, const char *name, int part, Error *error) {
    TableColumns *columns = &rows->rows.columns;
    if (table_find(columns, name) >= 0) {
        return error_set(error, "column \"%s\": given twice", name);
    }
    TableColumn *column =
        table_add(columns, name, strlen(name), part < NUMBERS ? TABLE_NUMBER : TABLE_TEXT);
    if (!column) {
        return error_set(error, "more than %d columns", TABLE_COLUMNS_MAX);
    }
    column->width = part == SEQUENCE ? CAROM_SEQUENCE_SIZE
                    : part == STATUS ? BATCH_STATUS_BYTES
                                     : BATCH_MESSAGE_BYTES;
    rows->parts[columns->count - 1] = part;
    return true;
}

static bool add_name(void *context, const char *name, Error *error) {
    ThrowRows *rows = context;
    bool found = false, good = true;
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        for (int k = 0; k < groups[i].count && good; k++) {
            char full[TABLE_NAME_SIZE];
            snprintf(full, sizeof full, groups[i].count > 1 ? "%s[%d]" : "%s", groups[i].name, k);
            if (strcmp(name, groups[i].group) == 0 || strcmp(name, full) == 0) {
                found = true;
                good = add(rows, full, groups[i].first + k, error);
            }
        }
    }
    for (int i = 0; i < BATCH_ENERGIES && good; i++) {
        if (strcmp(name, "energy") == 0 || strcmp(name, batch_energy_names[i]) == 0) {
            found = true;
            good = add(rows, batch_energy_names[i], ENERGY + i, error);
        }
    }
    for (int i = SEQUENCE; i < PARTS && good; i++) {
        if (strcmp(name, text_names[i - SEQUENCE]) == 0) {
            found = true;
            good = add(rows, name, i, error);
        }
    }
    return good && (found || error_set(error,
                                       "column \"%s\": unknown; there are time, velocity, before, "
                                       "impulse, point, energy, sequence, status, message, and "
                                       "single ones such as after.bodies[0].velocity[2]",
                                       name));
}

bool throw_rows_take(const json_t *document) {
    return json_object_get(document, "plane") && !json_object_get(document, "world");
}

BatchRows *throw_rows_create(const TableColumns *given, json_t *document, bool keep_all,
                             const char *columns, Error *error) {
    ThrowRows *rows = calloc(1, sizeof *rows);
    if (!rows) {
        error_set(error, "out of memory");
        return NULL;
    }
    rows->rows = (BatchRows){.start = start_work,
                             .solve = solve_rows,
                             .explain = explain_row,
                             .end = end_work,
                             .close = close_rows};
    rows->document = document;
    SimulateScene scene;
    Error why;
    json_t *copy = json_deep_copy(document); /* reading changes it */
    bool good = (copy && simulate_scene_from_json(copy, &scene, &why)) ||
                error_set(error, "the scene cannot be used: %s", copy ? why.text : "out of memory");
    if (good) {
        simulate_scene_free(&scene);
    }
    json_decref(copy);
    good = good && scene_paths_find(given, document, keep_all, &rows->paths, error) &&
           batch_names_read(columns ? columns : THROW_ROWS_COLUMNS, add_name, rows, error);
    if (!good) {
        free(rows);
        return NULL;
    }
    rows->rows.passed_count = rows->paths.view.cell_count;
    memcpy(rows->rows.passed, rows->paths.view.cells, sizeof rows->paths.view.cells);
    return &rows->rows;
}
