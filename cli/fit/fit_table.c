/* A table of measured impacts. */
#include "fit/fit_table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "io/progress.h"

/* Lines that are read at once. */
enum { CHUNK = 4096 };

/* Numbers before those of the row: its number in the file and its group. */
enum { ROW, GROUP, HEAD };

/* The line of a row; the header is line 1. */
static size_t line_of(size_t row) {
    return row + 2;
}

/* The group of a name; -1: too many, or out of memory. */
static int find_group(FitTable *table, const CsvField *field) {
    for (int i = 0; i < table->group_count; i++) {
        if (csv_equals(field, table->group_names[i])) {
            return i;
        }
    }
    char *name = table->group_count < FIT_GROUPS_MAX ? malloc(field->length + 1) : NULL;
    if (!name) {
        return -1;
    }
    memcpy(name, field->text, field->length);
    name[field->length] = '\0';
    table->group_names[table->group_count] = name;
    return table->group_count++;
}

static bool fail(size_t row, const char *what, Error *error) {
    return error_set(error, "line %zu: %s", line_of(row), what);
}

/* What the reading of rows needs. */
typedef struct Reading {
    const FitColumns *columns;
    const FitReading *reading;
    FitTable *table;
    double *record; /* NULL before the first row */
} Reading;

/* Records get their length with the first row. */
static bool make_record(Reading *work, size_t width, Error *error) {
    if (!work->record) {
        work->table->spool = fit_spool_begin(HEAD + width, work->reading->memory);
        work->record = calloc(HEAD + width, sizeof *work->record);
    }
    return work->record || error_set(error, "out of memory");
}

/* A row of a template into the record. */
static bool read_scene(Reading *work, const CsvField *fields, Error *error) {
    FitTable *table = work->table;
    FitSceneRow row;
    if (!fit_scene_row_read(work->columns, fields, work->reading, &row, error)) {
        return false;
    }
    if (!work->record) {
        table->scene = fit_scene_shape(work->columns, &row);
    }
    bool good = make_record(work, table->scene.width, error) &&
                fit_scene_pack(&table->scene, &row, work->record + HEAD, error);
    fit_scene_row_free(&row);
    return good;
}

/* Read one line into the next row. */
static bool read_row(Reading *work, const CsvLine *line, Error *error) {
    const FitColumns *columns = work->columns;
    FitTable *table = work->table;
    size_t row = table->spool.rows;
    CsvField fields[FIT_COLUMNS_MAX];
    int count = line->too_long ? -2 : csv_split(line, fields, FIT_COLUMNS_MAX), group = 0;
    if (count != columns->count) {
        return fail(row,
                    count == -2         ? "is too long"
                    : count == -1       ? "a quote does not end"
                    : line->length == 0 ? "is empty"
                                        : "not as many fields as the header has",
                    error);
    }
    for (int i = 0; i < count; i++) {
        if (columns->columns[i].role == FIT_GROUP && (group = find_group(table, &fields[i])) < 0) {
            return error_set(error, "line %zu: %s: more than %d groups", line_of(row),
                             columns->columns[i].name, FIT_GROUPS_MAX);
        }
    }
    Error why;
    if (!(table->from_scene ? read_scene(work, fields, &why)
                            : make_record(work, (size_t)table->plain.width, &why) &&
                                  fit_plain_read(columns, fields, work->reading, &table->plain,
                                                 work->record + HEAD, &why))) {
        return fail(row, why.text, error);
    }
    work->record[ROW] = (double)row;
    work->record[GROUP] = group;
    table->group_rows[group]++;
    return fit_spool_add(&table->spool, work->record, error);
}

static bool read_rows(CsvReader *reader, Reading *work, CsvLine *lines, Error *error) {
    FitTable *table = work->table;
    int count;
    while ((count = csv_read_lines(reader, lines, CHUNK)) > 0) {
        for (int i = 0; i < count; i++) {
            if (!read_row(work, &lines[i], error)) {
                return false;
            }
        }
        progress_show("%zu rows read", table->spool.rows);
    }
    if (ferror(reader->file)) {
        return error_set(error, "%s", strerror(errno));
    }
    if (table->spool.rows == 0) {
        return error_set(error, "there is a header and no row");
    }
    return fit_spool_end(&table->spool, error) &&
           (table->group_count < 2 ||
            fit_spool_sort(&table->spool, GROUP, table->group_rows, table->group_count, error));
}

bool fit_table_read(const char *path, const FitReading *reading, FitTable *table, Error *error) {
    FILE *file = path ? fopen(path, "rb") : stdin;
    memset(table, 0, sizeof *table);
    table->spool = fit_spool_begin(1, 0);
    table->from_scene = reading->document != NULL;
    if (!file) {
        return error_set(error, "cannot be opened: %s", strerror(errno));
    }
    CsvReader reader = {0};
    CsvLine header, *lines = malloc(CHUNK * sizeof *lines);
    FitColumns *columns = malloc(sizeof *columns);
    Reading work = {columns, reading, table, NULL};
    bool good = lines && columns && csv_open(file, &reader);
    if (!good) {
        error_set(error, "out of memory");
    } else if (csv_read_lines(&reader, &header, 1) == 0) {
        good = error_set(error, "empty: the header row is missing");
    } else {
        good = fit_columns_read(&header, reading->group, reading->document, columns, error);
        if (good) {
            table->has_groups = fit_columns_find(columns, FIT_GROUP, 0) >= 0;
            table->plain = fit_plain_layout(columns, reading);
            good = read_rows(&reader, &work, lines, error);
        }
        memcpy(table->unused, columns->unused, sizeof table->unused);
    }
    progress_end();
    csv_close(&reader);
    free(work.record);
    free(lines);
    free(columns);
    if (path) {
        fclose(file);
    }
    return good;
}

void fit_table_free(FitTable *table) {
    for (int i = 0; i < table->group_count; i++) {
        free(table->group_names[i]);
    }
    fit_spool_free(&table->spool);
    memset(table, 0, sizeof *table);
    table->spool = fit_spool_begin(1, 0);
}

static FitWindow *window_of(FitTableRoom *room) {
    return (FitWindow *)(room + 1);
}

size_t fit_table_room(const FitTable *table) {
    return sizeof(FitTableRoom) + fit_spool_window(&table->spool);
}

size_t fit_table_line(const FitTable *table, size_t row) {
    FitTableRoom *room = calloc(1, fit_table_room(table));
    const double *record = room ? fit_spool_read(&table->spool, row, window_of(room)) : NULL;
    size_t line = record ? line_of((size_t)record[ROW]) : 0;
    free(room);
    return line;
}

void fit_table_row(const void *source, size_t index, CaromFitRow *row) {
    const FitView *view = source;
    FitTable *table = view->table;
    FitTableRoom *room = row->room;
    const double *record = fit_spool_read(&table->spool, view->first + index, window_of(room));
    if (!record) {
        atomic_store(&table->failed, true);
        row->count = 0;
        return;
    }
    table->from_scene ? fit_scene_fill(&table->scene, record + HEAD, &room->scene, row)
                      : fit_plain_fill(&table->plain, record + HEAD, &room->plain, row);
    if (view->model >= 0) {
        row->problem.model = (CaromModel)view->model;
    }
    if (view->law >= 0) {
        row->problem.law = (CaromLaw)view->law;
    }
}
