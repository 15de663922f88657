/* Sweeps: rows that are made. */
#include "batch/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "batch/sequence.h"
#include "io/command_line.h"

/* PATH= and a new axis; *rest: what comes after. */
static int read_path(const char *command, const char *option, const char *text, Sweep *sweep,
                     SweepAxis **axis, const char **rest) {
    const char *equals = strchr(text, '=');
    Error error;
    if (!equals) {
        return usage_fail(command, "--%s: must be PATH=..., got \"%s\"", option, text);
    }
    if (sweep->count == SWEEP_AXES_MAX) {
        return usage_fail(command, "--%s: at most %d of them", option, SWEEP_AXES_MAX);
    }
    *axis = &sweep->axes[sweep->count];
    **axis = (SweepAxis){0};
    if (!scene_path_read(text, (size_t)(equals - text), &(*axis)->path, &error)) {
        return usage_fail(command, "--%s: %s", option, error.text);
    }
    for (int i = 0; i < sweep->count; i++) {
        if (strcmp(sweep->axes[i].path.text, (*axis)->path.text) == 0) {
            return usage_fail(command, "--%s: %s: given twice", option,
                              scene_path_name(&(*axis)->path));
        }
    }
    *rest = equals + 1;
    sweep->count++;
    return 0;
}

/* A:B or A:B:COUNT; *end: what comes after B. */
static int read_pair(const char *command, const char *option, const char *text, SweepAxis *axis,
                     const char **end) {
    const char *colon = strchr(text, ':');
    const char *second = colon ? strchr(colon + 1, ':') : NULL;
    *end = second ? second : text + strlen(text);
    if (!colon || !text_span_to_number(text, (size_t)(colon - text), &axis->from) ||
        !text_span_to_number(colon + 1, (size_t)(*end - colon - 1), &axis->to)) {
        return usage_fail(command,
                          "--%s: %s: two numbers with a colon between are needed, got \"%s\"",
                          option, scene_path_name(&axis->path), text);
    }
    if (!axis->normal && scene_path_is_stiffness(&axis->path) &&
        !(axis->from > 0 && axis->to > 0)) {
        return usage_fail(command, "--%s: %s: must be > 0, got \"%s\"", option,
                          scene_path_name(&axis->path), text);
    }
    if (axis->normal && !(axis->to > 0)) {
        return usage_fail(command, "--%s: %s: the standard deviation must be > 0", option,
                          scene_path_name(&axis->path));
    }
    return 0;
}

int sweep_read_grid(const char *command, const char *text, void *target) {
    Sweep *sweep = target;
    SweepAxis *axis;
    const char *rest, *end;
    int wrong = read_path(command, "grid", text, sweep, &axis, &rest);
    wrong = wrong ? wrong : read_pair(command, "grid", rest, axis, &end);
    if (wrong) {
        return wrong;
    }
    if (*end != ':' || !text_to_integer(end + 1, 2, 1000000000, &axis->count)) {
        return usage_fail(command,
                          "--grid: %s: must be FROM:TO:COUNT with COUNT of 2 to 1e9, got "
                          "\"%s\"",
                          scene_path_name(&axis->path), rest);
    }
    return 0;
}

int sweep_read_over(const char *command, const char *text, void *target) {
    Sweep *sweep = target;
    SweepAxis *axis;
    const char *rest, *end;
    int wrong = read_path(command, "over", text, sweep, &axis, &rest);
    if (wrong) {
        return wrong;
    }
    axis->normal = strncmp(rest, "normal:", 7) == 0;
    wrong = read_pair(command, "over", rest + (axis->normal ? 7 : 0), axis, &end);
    return wrong ? wrong
           : *end
               ? usage_fail(command, "--over: %s: must be FROM:TO or normal:MEAN:SIGMA, got \"%s\"",
                            scene_path_name(&axis->path), rest)
               : 0;
}

int sweep_read_sample(const char *command, const char *text, void *target) {
    Sweep *sweep = target;
    double number;
    if (!text_to_number(text, &number) || !(number >= 1 && number <= 1e15) ||
        number != floor(number)) {
        return usage_fail(command, "--sample: must be a number of rows, 1 to 1e15, got \"%s\"",
                          text);
    }
    sweep->rows = (unsigned long long)number;
    return 0;
}

int sweep_check(const char *command, const Sweep *sweep) {
    double rows = 1;
    int grids = 0;
    for (int i = 0; i < sweep->count; i++) {
        grids += sweep->axes[i].count > 0;
        rows *= sweep->axes[i].count > 0 ? (double)sweep->axes[i].count : 1;
    }
    if (grids > 0 && (grids < sweep->count || sweep->rows > 0)) {
        return usage_fail(command, "--grid: cannot be used with --sample and --over");
    }
    if (grids == 0 && (sweep->count > 0) != (sweep->rows > 0)) {
        return usage_fail(command, sweep->rows > 0 ? "--sample: --over PATH=FROM:TO is needed, too"
                                                   : "--over: --sample N is needed, too");
    }
    if (rows > 1e15) {
        return usage_fail(command, "--grid: more than 1e15 points");
    }
    return 0;
}

static double value_at(const SweepAxis *axis, double part) {
    return axis->normal ? axis->from + axis->to * sequence_normal(part)
                        : scene_path_between(&axis->path, axis->from, axis->to, part);
}

/* The last axis runs fastest. */
static double grid_value(const Sweep *sweep, int axis, unsigned long long row) {
    for (int i = sweep->count - 1; i > axis; i--) {
        row /= (unsigned long long)sweep->axes[i].count;
    }
    const SweepAxis *at = &sweep->axes[axis];
    unsigned long long count = (unsigned long long)at->count;
    return value_at(at, (double)(row % count) / (double)(count - 1));
}

double sweep_value(const Sweep *sweep, int axis, unsigned long long row) {
    uint64_t seed = (uint64_t)sweep->seed;
    double part;
    switch (sweep->design) {
    case SWEEP_GRID:
        return grid_value(sweep, axis, row);
    case SWEEP_LATIN:
        part = sequence_latin(seed, axis, row, sweep->rows);
        break;
    case SWEEP_SOBOL:
        part = sequence_sobol(seed, axis, row);
        break;
    default:
        part = sequence_random(seed, axis, row);
        break;
    }
    /* the ends of a normal distribution are not numbers */
    return value_at(&sweep->axes[axis], part > 0 ? part : 0x1p-54);
}

typedef struct Reader {
    TableReader table;
    const Sweep *sweep;
    unsigned long long next; /* row */
} Reader;

static long long skip_rows(TableReader *table, unsigned long long rows, Error *error) {
    Reader *reader = (Reader *)table;
    unsigned long long left = table->total - reader->next;
    (void)error;
    rows = rows < left ? rows : left;
    reader->next += rows;
    return (long long)rows;
}

static int next_rows(TableReader *table, TableChunk *chunk, int most, Error *error) {
    chunk->first = ((Reader *)table)->next;
    chunk->count = (int)skip_rows(table, (unsigned long long)most, error);
    return chunk->count;
}

static const char *make_row(const TableReader *table, const TableChunk *chunk, int index,
                            TableCell *cells) {
    const Sweep *sweep = ((const Reader *)table)->sweep;
    for (int i = 0; i < sweep->count; i++) {
        cells[i] = table_number(sweep_value(sweep, i, chunk->first + (unsigned long long)index));
    }
    return NULL;
}

static void make_rows(const TableReader *table, const TableChunk *chunk, int first, int count,
                      const TableView *view, void *records, size_t stride, TableCell *cells) {
    char *record = records;
    for (int i = 0; i < count; i++, record += stride, cells += view->cell_count) {
        TableCell all[SWEEP_AXES_MAX];
        make_row(table, chunk, first + i, all);
        for (int k = 0; k < view->number_count; k++) {
            memcpy(record + view->offsets[k], &all[view->numbers[k]].number, sizeof(double));
        }
        for (int k = 0; k < view->cell_count; k++) {
            cells[k] = all[view->cells[k]];
        }
    }
}

static void close_reader(TableReader *table) {
    free(table);
}

TableReader *sweep_open(const Sweep *sweep) {
    Reader *reader = calloc(1, sizeof *reader);
    if (!reader) {
        return NULL;
    }
    unsigned long long rows = sweep->rows;
    for (int i = 0; i < sweep->count && sweep->design == SWEEP_GRID; i++) {
        rows = (i == 0 ? 1 : rows) * (unsigned long long)sweep->axes[i].count;
    }
    reader->table = (TableReader){.typed = true,
                                  .counted = true,
                                  .total = rows,
                                  .first_line = 1,
                                  .next = next_rows,
                                  .skip = skip_rows,
                                  .row = make_row,
                                  .read = make_rows,
                                  .close = close_reader};
    reader->sweep = sweep;
    for (int i = 0; i < sweep->count; i++) {
        const char *name = scene_path_name(&sweep->axes[i].path);
        table_add(&reader->table.columns, name, strlen(name), TABLE_NUMBER);
    }
    return &reader->table;
}
