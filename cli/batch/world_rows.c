/* Rows that are worlds. */
#include "batch/world_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch/batch_names.h"
#include "batch/scene_paths.h"
#include "world/world_record.h"
#include "world/world_scene.h"

/* The numbers of a row: these, then those of each body. */
enum { TIME, BODY, SECOND, ENERGY, BODIES = ENERGY + BATCH_ENERGIES };
enum { VELOCITY = 0, SPIN = 3, POSITION = 6, BODY_NUMBERS = 9 };

/* Texts come after all numbers. */
enum { PARTNER, SEQUENCE, STATUS, MESSAGE, TEXTS };
static const char *const text_names[TEXTS] = {"partner", "sequence", "status", "message"};
static const size_t text_sizes[TEXTS] = {BATCH_STATUS_BYTES, CAROM_SEQUENCE_SIZE,
                                         BATCH_STATUS_BYTES, BATCH_MESSAGE_BYTES};

typedef struct WorldTexts {
    const char *partner, *status;
    char sequence[CAROM_SEQUENCE_SIZE], message[BATCH_MESSAGE_BYTES];
} WorldTexts;

typedef struct WorldRows {
    BatchRows rows;
    json_t *document; /* the caller's */
    ScenePaths paths;
    int bodies, numbers;          /* of a row */
    int parts[TABLE_COLUMNS_MAX]; /* a number of a row, or numbers + a text */
} WorldRows;

typedef struct WorldWork {
    BatchWork base;
    double *cells;   /* of rows; only their texts are used */
    double *numbers; /* of rows */
    WorldTexts texts[BATCH_PIECE_ROWS];
} WorldWork;

static void end_work(BatchWork *base) {
    if (base) {
        free(((WorldWork *)base)->cells);
        free(((WorldWork *)base)->numbers);
    }
    batch_work_free(base);
}

/* Where the values of a column are. */
static TableSource source_of(const WorldRows *rows, const WorldWork *work, int part) {
    const WorldTexts *texts = work->texts;
    switch (part - rows->numbers) {
    case PARTNER:
        return (TableSource){TABLE_SOURCE_STRINGS, &texts->partner, sizeof *texts};
    case SEQUENCE:
        return (TableSource){TABLE_SOURCE_CHARS, texts->sequence, sizeof *texts};
    case STATUS:
        return (TableSource){TABLE_SOURCE_STRINGS, &texts->status, sizeof *texts};
    case MESSAGE:
        return (TableSource){TABLE_SOURCE_CHARS, texts->message, sizeof *texts};
    default:
        return (TableSource){TABLE_SOURCE_NUMBERS, work->numbers + part,
                             (size_t)rows->numbers * sizeof *work->numbers};
    }
}

static BatchWork *start_work(const BatchRows *base) {
    const WorldRows *rows = (const WorldRows *)base;
    WorldWork *work = batch_work_create(sizeof *work, base);
    if (work) {
        size_t cells = (size_t)rows->paths.view.number_count, numbers = (size_t)rows->numbers;
        work->cells = calloc((cells + 1) * BATCH_PIECE_ROWS, sizeof *work->cells);
        work->numbers = calloc(numbers * BATCH_PIECE_ROWS, sizeof *work->numbers);
    }
    if (!work || !work->cells || !work->numbers) {
        end_work((BatchWork *)work);
        return NULL;
    }
    for (int i = 0; i < base->columns.count; i++) {
        work->base.sources[base->passed_count + i] = source_of(rows, work, rows->parts[i]);
    }
    return &work->base;
}

/* Where the outcome of a row goes. */
typedef struct WorldOutcome {
    int bodies;
    double *numbers;
    WorldTexts *texts;
    CaromStatus status;
    bool found;
} WorldOutcome;

/* All bodies at the time of the world. */
static void keep_bodies(const CaromWorld *world, WorldOutcome *out) {
    for (int i = 0; i < out->bodies; i++) {
        double *numbers = out->numbers + BODIES + BODY_NUMBERS * i;
        CaromMotion motion;
        carom_world_motion(world, i, &motion, NULL);
        carom_motion_advance(&motion, carom_world_time(world));
        memcpy(numbers + VELOCITY, motion.velocity, sizeof motion.velocity);
        memcpy(numbers + SPIN, motion.angular_velocity, sizeof motion.angular_velocity);
        memcpy(numbers + POSITION, motion.position, sizeof motion.position);
    }
}

/* The visitor: keep the first impact, and stop. */
static int keep_impact(void *user, const CaromWorld *world, const CaromWorldEvent *event) {
    static const char *const partners[] = {"body", "plane", "cushion", "cue"};
    WorldOutcome *out = user;
    if (!event->impact) {
        return 0;
    }
    const CaromTouching *touching = &event->impact->touching[0];
    const CaromResult *result = event->impact->result;
    out->found = true;
    out->status = result->status;
    out->numbers[TIME] = event->time;
    out->numbers[BODY] = touching->body;
    out->numbers[SECOND] = touching->second;
    out->texts->partner = partners[touching->partner];
    batch_energy_numbers(&result->energy, out->numbers + ENERGY);
    memcpy(out->texts->sequence, result->sequence, sizeof out->texts->sequence);
    keep_bodies(world, out);
    return 1;
}

/* Run the world to its first impact. */
static void follow(const WorldScene *scene, WorldOutcome *out) {
    CaromWorldRun run = {.time = scene->time, .events = scene->events};
    CaromWorld *world = NULL;
    const char *message = "";
    CaromStatus status = carom_world_create(&scene->setup, NULL, &world, &message);
    if (status >= 0 && scene->shot >= 0) {
        status = carom_world_shoot(world, scene->shot, &scene->cue, &run);
        message = run.message;
    }
    if (status >= 0) {
        run.visit = keep_impact;
        run.user = out;
        carom_world_run(world, &run);
        status = run.end == CAROM_WORLD_END_FAILED ? run.status : CAROM_NOT_APPROACHING;
        message = run.end == CAROM_WORLD_END_FAILED ? run.message : world_end_words(run.end);
    }
    if (!out->found) {
        out->status = status;
        snprintf(out->texts->message, sizeof out->texts->message, "%s", message);
    }
    carom_world_destroy(world);
}

static CaromStatus solve_row(const WorldRows *rows, const TableReader *reader,
                             const TableChunk *chunk, int index, double *numbers,
                             WorldTexts *texts) {
    WorldOutcome out = {rows->bodies, numbers, texts, CAROM_INVALID_INPUT, false};
    WorldScene scene;
    Error error;
    *texts = (WorldTexts){.partner = "", .status = ""};
    for (int i = 0; i < rows->numbers; i++) {
        numbers[i] = NAN;
    }
    json_t *document = scene_paths_fill(&rows->paths, rows->document, reader, chunk, index, &error);
    if (document && world_scene_read(document, &scene, &error)) {
        follow(&scene, &out);
        world_scene_free(&scene);
    } else {
        snprintf(texts->message, sizeof texts->message, "%.*s", (int)sizeof texts->message - 1,
                 error.text);
    }
    json_decref(document);
    texts->status = carom_status_string(out.status);
    return out.status;
}

static void solve_rows(const BatchRows *base, const TableReader *reader, const TableChunk *chunk,
                       int first, int count, BatchWork *base_work) {
    const WorldRows *rows = (const WorldRows *)base;
    WorldWork *work = (WorldWork *)base_work;
    reader->read(reader, chunk, first, count, &rows->paths.view, work->cells,
                 (size_t)rows->paths.view.number_count * sizeof(double), base_work->passed);
    for (int i = 0; i < count; i++) {
        base_work->statuses[i] = solve_row(rows, reader, chunk, first + i,
                                           work->numbers + i * rows->numbers, &work->texts[i]);
    }
}

static void explain_row(const BatchRows *base, const TableReader *reader, const TableChunk *chunk,
                        int index, char reason[BATCH_REASON_SIZE]) {
    const WorldRows *rows = (const WorldRows *)base;
    WorldTexts texts = {.message = "out of memory"};
    double *numbers = calloc((size_t)rows->numbers, sizeof *numbers);
    if (numbers) {
        solve_row(rows, reader, chunk, index, numbers, &texts);
    }
    free(numbers);
    snprintf(reason, BATCH_REASON_SIZE, "%s", texts.message);
}

static void close_rows(BatchRows *rows) {
    free(rows);
}

static bool add(WorldRows *rows, const char *name, int part, Error *error) {
    TableColumns *columns = &rows->rows.columns;
    bool is_number = part < rows->numbers;
    if (table_find(columns, name) >= 0) {
        return error_set(error, "column \"%s\": given twice", name);
    }
    TableColumn *column =
        table_add(columns, name, strlen(name), is_number ? TABLE_NUMBER : TABLE_TEXT);
    if (!column) {
        return error_set(error, "more than %d columns", TABLE_COLUMNS_MAX);
    }
    column->width = is_number ? 0 : text_sizes[part - rows->numbers];
    rows->parts[columns->count - 1] = part;
    return true;
}

/* The names of all parts in order; *group: the name of several together, or "". */
static void name_part(const WorldRows *rows, int part, char name[TABLE_NAME_SIZE],
                      const char **group) {
    static const char *const single[] = {"time", "body", "second"};
    static const char *const vectors[] = {"velocity", "angular_velocity", "position"};
    *group = "";
    if (part >= rows->numbers) {
        snprintf(name, TABLE_NAME_SIZE, "%s", text_names[part - rows->numbers]);
    } else if (part >= BODIES) {
        int vector = (part - BODIES) % BODY_NUMBERS / 3;
        *group = vector == POSITION / 3 ? "position" : "velocity";
        snprintf(name, TABLE_NAME_SIZE, "after.bodies[%d].%s[%d]", (part - BODIES) / BODY_NUMBERS,
                 vectors[vector], (part - BODIES) % 3);
    } else if (part >= ENERGY) {
        *group = "energy";
        snprintf(name, TABLE_NAME_SIZE, "%s", batch_energy_names[part - ENERGY]);
    } else {
        snprintf(name, TABLE_NAME_SIZE, "%s", single[part]);
    }
}

static bool add_name(void *context, const char *name, Error *error) {
    WorldRows *rows = context;
    bool found = false, good = true;
    for (int part = 0; part < rows->numbers + TEXTS && good; part++) {
        char full[TABLE_NAME_SIZE];
        const char *group;
        name_part(rows, part, full, &group);
        if (strcmp(name, full) == 0 || strcmp(name, group) == 0) {
            found = true;
            good = add(rows, full, part, error);
        }
    }
    return good && (found || error_set(error,
                                       "column \"%s\": unknown; there are time, body, second, "
                                       "partner, velocity, position, energy, sequence, status, "
                                       "message, and single ones such as "
                                       "after.bodies[0].velocity[2]",
                                       name));
}

bool world_rows_take(const json_t *document) {
    return json_object_get(document, "world") != NULL;
}

BatchRows *world_rows_create(const TableColumns *given, json_t *document, bool keep_all,
                             const char *columns, Error *error) {
    WorldRows *rows = calloc(1, sizeof *rows);
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
    WorldScene scene;
    Error why;
    json_t *copy = json_deep_copy(document); /* reading changes it */
    bool good = (copy && world_scene_read(copy, &scene, &why)) ||
                error_set(error, "the scene cannot be used: %s", copy ? why.text : "out of memory");
    if (good) {
        rows->bodies = scene.setup.body_count;
        rows->numbers = BODIES + BODY_NUMBERS * rows->bodies;
        world_scene_free(&scene);
    }
    json_decref(copy);
    good = good && scene_paths_find(given, document, keep_all, &rows->paths, error) &&
           batch_names_read(columns ? columns : WORLD_ROWS_COLUMNS, add_name, rows, error);
    if (!good) {
        free(rows);
        return NULL;
    }
    rows->rows.passed_count = rows->paths.view.cell_count;
    memcpy(rows->rows.passed, rows->paths.view.cells, sizeof rows->paths.view.cells);
    return &rows->rows;
}
