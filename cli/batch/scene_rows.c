/* Rows that are scenes. */
#include "batch/scene_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch/batch_names.h"
#include "batch/scene_columns.h"
#include "batch/scene_paths.h"
#include "outcomes/components.h"
#include "scene/scene_read.h"
#include "scene/scene_slot.h"

typedef struct SceneRows {
    BatchRows rows;
    json_t *document; /* the caller's */
    ScenePaths paths;
    /* Where the scene in memory has these numbers; else each row is read as a document. */
    bool has_slots;
    SceneSlot slots[TABLE_COLUMNS_MAX];
    SceneColumns columns;
    /* One contact, of which nothing is wanted that carom_batch_solve() does not tell. */
    bool in_lanes;
} SceneRows;

/* Texts of an outcome that are not constants. */
typedef struct Texts {
    char sequence[CAROM_SEQUENCE_SIZE], message[BATCH_MESSAGE_BYTES];
} Texts;

typedef struct SceneWork {
    BatchWork base;
    Scene scene; /* the template, with the numbers of the last row */
    Components components;
    CaromResult result;
    double *after;    /* components after the impact */
    double *numbers;  /* of the rows */
    TableCell *cells; /* of the outcome */
    Texts texts[BATCH_PIECE_ROWS];
    /* rows in lanes */
    CaromCase cases[BATCH_PIECE_ROWS];
    CaromOutcome outcomes[BATCH_PIECE_ROWS];
} SceneWork;

static void end_work(BatchWork *base) {
    SceneWork *work = (SceneWork *)base;
    if (work) {
        components_free(&work->components);
        scene_free(&work->scene);
        free(work->result.impulse);
        free(work->result.velocity);
        free(work->after);
        free(work->numbers);
        free(work->cells);
    }
    batch_work_free(base);
}

static BatchWork *start_work(const BatchRows *base) {
    const SceneRows *rows = (const SceneRows *)base;
    SceneWork *work = batch_work_create(sizeof *work, base);
    size_t columns = (size_t)base->columns.count;
    Error error;
    if (!work) {
        return NULL;
    }
    bool good = scene_from_json(rows->document, &work->scene, &error) &&
                components_create(&work->scene, &work->components);
    size_t size = good ? (size_t)(scene_rows(&work->scene) * work->scene.contact_count) : 0;
    work->result.impulse = calloc(size + 1, sizeof(double));
    work->result.velocity = calloc(size + 1, sizeof(double));
    work->after = calloc((size_t)work->components.count + 1, sizeof *work->after);
    work->numbers =
        calloc((size_t)rows->paths.view.number_count * BATCH_PIECE_ROWS, sizeof(double));
    work->cells = calloc(columns * BATCH_PIECE_ROWS, sizeof *work->cells);
    if (!good || !work->result.impulse || !work->result.velocity || !work->after ||
        !work->numbers || !work->cells) {
        end_work(&work->base);
        return NULL;
    }
    for (size_t i = 0; i < columns; i++) {
        work->base.sources[(size_t)base->passed_count + i] =
            (TableSource){TABLE_SOURCE_CELLS, work->cells + i, columns * sizeof *work->cells};
    }
    return &work->base;
}

/* The template with the numbers of a row, in memory. False: the row must be read as a document. */
static bool set_slots(const SceneRows *rows, const double *numbers, Scene *scene) {
    bool good = rows->has_slots;
    for (int i = 0; i < rows->paths.view.number_count && good; i++) {
        good = isfinite(numbers[i]) && scene_slot_set(&rows->slots[i], numbers[i], scene);
    }
    return good && scene_slots_complete(scene);
}

/* The template with the numbers of a row, as a document. */
static bool read_document(const SceneRows *rows, const TableReader *reader, const TableChunk *chunk,
                          int index, Scene *scene, Error *error) {
    json_t *document = scene_paths_fill(&rows->paths, rows->document, reader, chunk, index, error);
    bool good = document && scene_from_json(document, scene, error);
    json_decref(document);
    return good;
}

/* A scene with one contact as a case of a batch. */
static CaromCase scene_case(const Scene *scene) {
    const double *W = scene->inverse_inertia, *v = scene->velocity;
    CaromCase one = {.contact = scene->contacts[0],
                     .model = scene->model,
                     .law = scene->law,
                     .planar = scene->planar};
    int rows = scene_rows(scene), last = rows - 1;
    one.W[0] = W[0];
    one.W[2] = W[last];
    one.W[5] = W[rows * rows - 1];
    one.v[0] = v[0];
    one.v[2] = v[last];
    if (!scene->planar) {
        one.W[1] = W[1];
        one.W[3] = W[4];
        one.W[4] = W[5];
        one.v[1] = v[1];
    }
    return one;
}

/* Solve the rows of a piece in lanes; those that no slots hold are solved later. */
static void solve_lanes(const SceneRows *rows, int count, SceneWork *work) {
    int size = rows->paths.view.number_count;
    for (int row = 0; row < count; row++) {
        bool good = set_slots(rows, work->numbers + row * size, &work->scene);
        work->cases[row] = good ? scene_case(&work->scene) : (CaromCase){.contact = {.mu = -1}};
    }
    carom_batch_solve((size_t)count, work->cases, work->outcomes);
}

/* The scene's answer, from lanes. */
static void take_outcome(const Scene *scene, const CaromOutcome *from, CaromResult *result) {
    int rows = scene_rows(scene);
    *result = (CaromResult){.impulse = result->impulse,
                            .velocity = result->velocity,
                            .status = from->status,
                            .message = ""};
    memcpy(result->sequence, from->sequence, sizeof result->sequence);
    for (int i = 0; i < rows; i++) {
        int at = scene->planar ? 2 * i : i;
        result->impulse[i] = from->impulse[at];
        result->velocity[i] = from->velocity[at];
        result->energy.change += from->impulse[at] * (scene->velocity[i] + from->velocity[at]) / 2;
    }
}

/* Solve a scene, unless lanes have; the outcome points into the work. */
static SceneOutcome solve_scene(const Scene *scene, const CaromOutcome *known, SceneWork *work) {
    const CaromOptions options = carom_options_default();
    CaromProblem problem = scene_problem(scene);
    CaromResult *result = &work->result;
    problem.law = scene_law(scene, options.method);
    if (known && known->status == CAROM_OK) {
        take_outcome(scene, known, result);
    } else {
        *result = (CaromResult){.impulse = result->impulse, .velocity = result->velocity};
        carom_solve(&problem, &options, result);
    }
    SceneOutcome outcome = {.status = result->status, .message = result->message};
    if (result->status >= 0) {
        components_renew(scene, &work->components);
        components_after(&work->components, result->impulse, result->velocity, work->after);
        outcome.result = result;
        outcome.components = work->after;
    }
    return outcome;
}

/* Cells of an outcome; texts that are not constants are kept in the row's. */
static void keep_outcome(const SceneRows *rows, const SceneOutcome *outcome, int row,
                         SceneWork *work) {
    int count = rows->rows.columns.count;
    Texts *texts = &work->texts[row];
    SceneOutcome kept = *outcome;
    snprintf(texts->message, sizeof texts->message, "%s", outcome->message);
    kept.message = texts->message;
    for (int i = 0; i < count; i++) {
        TableCell *cell = &work->cells[row * count + i];
        *cell = scene_columns_cell(&rows->columns, i, &kept);
        if (outcome->result && cell->kind == TABLE_TEXT &&
            cell->text == outcome->result->sequence) {
            memcpy(texts->sequence, outcome->result->sequence, sizeof texts->sequence);
            cell->text = texts->sequence;
        }
    }
    work->base.statuses[row] = outcome->status;
}

static void solve_rows(const BatchRows *base, const TableReader *reader, const TableChunk *chunk,
                       int first, int count, BatchWork *base_work) {
    const SceneRows *rows = (const SceneRows *)base;
    SceneWork *work = (SceneWork *)base_work;
    size_t size = (size_t)rows->paths.view.number_count;
    reader->read(reader, chunk, first, count, &rows->paths.view, work->numbers,
                 size * sizeof(double), base_work->passed);
    if (rows->in_lanes) {
        solve_lanes(rows, count, work);
    }
    for (int row = 0; row < count; row++) {
        SceneOutcome outcome = {.status = CAROM_INVALID_INPUT};
        const CaromOutcome *known = rows->in_lanes ? &work->outcomes[row] : NULL;
        Scene scene = {0};
        Error error;
        if (set_slots(rows, work->numbers + (size_t)row * size, &work->scene)) {
            outcome = solve_scene(&work->scene, known, work);
        } else if (read_document(rows, reader, chunk, first + row, &scene, &error)) {
            outcome = solve_scene(&scene, NULL, work);
        } else {
            outcome.message = error.text;
        }
        keep_outcome(rows, &outcome, row, work);
        scene_free(&scene);
    }
}

static void explain_row(const BatchRows *base, const TableReader *reader, const TableChunk *chunk,
                        int index, char reason[BATCH_REASON_SIZE]) {
    const SceneRows *rows = (const SceneRows *)base;
    SceneWork *work = (SceneWork *)start_work(base);
    Scene scene = {0};
    Error error;
    if (!work) {
        snprintf(reason, BATCH_REASON_SIZE, "out of memory");
    } else if (read_document(rows, reader, chunk, index, &scene, &error)) {
        snprintf(reason, BATCH_REASON_SIZE, "%s", solve_scene(&scene, NULL, work).message);
    } else {
        snprintf(reason, BATCH_REASON_SIZE, "%.*s", BATCH_REASON_SIZE - 1, error.text);
    }
    scene_free(&scene);
    end_work(&work->base);
}

static void close_rows(BatchRows *rows) {
    free(rows);
}

/* Have all numbers that are replaced their slots, and does none of them set another? */
static bool find_slots(SceneRows *rows, const Scene *scene) {
    bool all = true;
    for (int i = 0; i < rows->paths.view.number_count && all; i++) {
        all = scene_slot_find(&rows->paths.list[i], rows->document, scene, &rows->slots[i]);
        for (int k = 0; k < i && all; k++) {
            all = strcmp(rows->paths.list[i].text, rows->paths.list[k].text) != 0;
        }
    }
    return all;
}

/* Is it worth the two passes over the rows? Not if slip never turns, as on uniform balls, and in a
 * plane: then a rigid contact is solved in less time than these take. */
static bool suits_lanes(const Scene *scene) {
    const double *W = scene->inverse_inertia;
    if (scene->contact_count != 1 || scene->law != CAROM_LAW_ENERGETIC) {
        return false;
    }
    if (scene->model == CAROM_MODEL_COMPLIANT || scene->planar) {
        return scene->model == CAROM_MODEL_COMPLIANT;
    }
    double off = fabs(W[0] - W[4]) + fabs(W[1]) + fabs(W[2]) + fabs(W[5]);
    return off > 1e-9 * (W[0] + W[4]);
}

BatchRows *scene_rows_create(const TableColumns *given, json_t *document, bool keep_all,
                             const char *columns, Error *error) {
    SceneRows *rows = calloc(1, sizeof *rows);
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
    Scene scene = {0};
    Components components = {0};
    Error why;
    bool good = scene_from_json(document, &scene, &why) ||
                error_set(error, "the scene cannot be used: %s", why.text);
    good = good && scene_paths_find(given, document, keep_all, &rows->paths, error);
    good = good && (components_create(&scene, &components) || error_set(error, "out of memory"));
    good = good && scene_columns_read(columns ? columns : SCENE_ROWS_COLUMNS, &scene, &components,
                                      &rows->columns, error);
    rows->has_slots = good && find_slots(rows, &scene);
    rows->in_lanes =
        rows->has_slots && suits_lanes(&scene) && scene_columns_are_plain(&rows->columns);
    components_free(&components);
    scene_free(&scene);
    if (!good) {
        free(rows);
        return NULL;
    }
    rows->rows.columns = rows->columns.list;
    rows->rows.passed_count = rows->paths.view.cell_count;
    memcpy(rows->rows.passed, rows->paths.view.cells, sizeof rows->paths.view.cells);
    return &rows->rows;
}
