/* A table of measured impacts in memory. */
#include "fit/fit_table.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "fit/fit_scene_row.h"
#include "io/progress.h"
#include "scene/scene.h"

/* Lines that are read at once. */
enum { CHUNK = 4096 };

size_t fit_table_line(size_t row) {
    return row + 2; /* the header is line 1 */
}

/* Room for twice as many rows. */
static bool grow(FitTable *table, bool groups) {
    size_t room = table->capacity > 0 ? 2 * table->capacity : 256;
    bool good = true;
    if (table->from_scene) {
        FitSceneRow *scenes = realloc(table->scenes, room * sizeof *scenes);
        table->scenes = scenes ? scenes : table->scenes;
        good = scenes != NULL;
    } else {
        double *numbers =
            realloc(table->numbers, room * (size_t)(table->width + 1) * sizeof *numbers);
        table->numbers = numbers ? numbers : table->numbers;
        good = numbers != NULL;
    }
    if (groups && good) {
        unsigned short *group = realloc(table->group, room * sizeof *group);
        table->group = group ? group : table->group;
        good = group != NULL;
    }
    table->capacity = good ? room : table->capacity;
    return good;
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

static bool fail(size_t row, const char *column, const char *what, Error *error) {
    return error_set(error, "line %zu: %s%s%s", fit_table_line(row), column, column[0] ? ": " : "",
                     what);
}

/* A cell with a finite number. empty: an empty one is NAN. */
static bool read_cell(const CsvField *field, const FitColumn *column, bool empty, size_t row,
                      double *number, Error *error) {
    if (field->length == 0 && empty) {
        *number = NAN;
        return true;
    }
    return text_span_to_number(field->text, field->length, number) ||
           fail(row, column->name,
                empty ? "not a finite number; leave the cell empty where nothing was measured"
                      : "not a finite number",
                error);
}

/* A name of a list. */
static bool read_choice(const CsvField *field, const FitColumn *column, const char *const *names,
                        int count, size_t row, double *choice, Error *error) {
    for (int i = 0; i < count && field->length > 0; i++) {
        if (csv_equals(field, names[i])) {
            *choice = i;
            return true;
        }
    }
    return field->length == 0 || fail(row, column->name, "unknown name", error);
}

/* The place of a column in a FitPlainRow; -1: none. */
static int place_of(const FitColumn *column) {
    static const size_t coefficients[CAROM_COEFFICIENT_COUNT] = {
        offsetof(FitPlainRow, mu), offsetof(FitPlainRow, mu_static), offsetof(FitPlainRow, e), 0,
        offsetof(FitPlainRow, stiffness_ratio)};
    size_t first = 0;
    switch (column->role) {
    case FIT_W:
        first = offsetof(FitPlainRow, W);
        break;
    case FIT_VELOCITY:
        first = offsetof(FitPlainRow, v);
        break;
    case FIT_COEFFICIENT:
        return (int)(coefficients[column->index] / sizeof(double));
    case FIT_AFTER:
        first = offsetof(FitPlainRow, after);
        break;
    case FIT_SIGMA_AFTER:
    case FIT_SIGMA_ALL:
        first = offsetof(FitPlainRow, sigma);
        break;
    case FIT_SIGMA_VELOCITY:
        first = offsetof(FitPlainRow, velocity_sigma);
        break;
    case FIT_MODEL:
        first = offsetof(FitPlainRow, model);
        break;
    case FIT_RESTITUTION:
        first = offsetof(FitPlainRow, law);
        break;
    default:
        return -1;
    }
    return (int)(first / sizeof(double)) + column->index;
}

/* One cell of a row with W and v. */
static bool take_cell(const CsvField *field, const FitColumn *column, FitPlainRow *plain,
                      size_t row, Error *error) {
    int place = place_of(column);
    double number;
    if (place < 0) {
        return true;
    }
    memcpy(&number, (const char *)plain + (size_t)place * sizeof number, sizeof number);
    bool may_be_empty = column->role == FIT_COEFFICIENT || column->role == FIT_AFTER ||
                        column->role == FIT_SIGMA_AFTER;
    bool good = column->role == FIT_MODEL
                    ? read_choice(field, column, scene_model_names, 2, row, &number, error)
                : column->role == FIT_RESTITUTION
                    ? read_choice(field, column, scene_law_names, 3, row, &number, error)
                    : read_cell(field, column, may_be_empty, row, &number, error);
    memcpy((char *)plain + (size_t)place * sizeof number, &number, sizeof number);
    if (column->role == FIT_SIGMA_ALL) {
        plain->sigma[1] = plain->sigma[2] = number;
    }
    return good;
}

/* A coefficient that is neither fitted nor given has its default, but mu and e must be there. */
static bool check_coefficients(const FitReading *reading, FitPlainRow *plain, size_t row,
                               Error *error) {
    CaromContact standard = carom_contact_default();
    if (isnan(plain->mu) && !reading->fitted[CAROM_COEFFICIENT_MU]) {
        return fail(row, "mu", "missing: give a column, or fit it (--parameters mu,...)", error);
    }
    if (isnan(plain->e) && !reading->fitted[CAROM_COEFFICIENT_E]) {
        return fail(row, "e", "missing: give a column, or fit it (--parameters e,...)", error);
    }
    if (plain->mu < 0 || plain->e < 0 || plain->e > 1 || plain->stiffness_ratio <= 0) {
        return fail(row, "", "mu must be >= 0, e in [0, 1], stiffness_ratio > 0", error);
    }
    if (plain->mu_static < plain->mu) {
        return fail(row, "mu_static", "must be at least mu", error);
    }
    plain->mu = reading->fitted[CAROM_COEFFICIENT_MU] ? 0 : plain->mu;
    plain->e = reading->fitted[CAROM_COEFFICIENT_E] ? 0 : plain->e;
    plain->mu_static = isnan(plain->mu_static) ? 0 : plain->mu_static;
    plain->stiffness_ratio =
        isnan(plain->stiffness_ratio) ? standard.stiffness_ratio : plain->stiffness_ratio;
    return true;
}

/* Sigmas that were given for all rows. */
static void set_sigma(const FitTable *table, FitPlainRow *plain) {
    double speed = hypot(hypot(plain->v[0], plain->v[1]), plain->v[2]);
    for (int i = 0; i < 3 && table->sigma > 0; i++) {
        plain->sigma[i] = table->sigma * (table->sigma_percent ? speed / 100 : 1);
    }
}

static bool check_plain(const FitReading *reading, const FitTable *table, FitPlainRow *plain,
                        Error *error) {
    size_t row = table->rows;
    Words text;
    if (!(plain->v[2] < 0)) {
        text = words_of("is %g, the bodies do not approach each other before the impact: the "
                        "normal points out of the second body into the first, so that vz < 0",
                        plain->v[2]);
        return fail(row, "vz", text.text, error);
    }
    set_sigma(table, plain);
    for (int i = 0; i < 3 && table->has_sigma; i++) {
        if (!isnan(plain->after[i]) && !(plain->sigma[i] > 0)) {
            return fail(row, "sigma", "must be > 0 for every measured number", error);
        }
    }
    return check_coefficients(reading, plain, row, error);
}

/* Keep the numbers of the columns; all others are alike in every row. */
static void store(const FitPlainRow *plain, FitTable *table) {
    double *to = &table->numbers[table->rows * (size_t)table->width];
    for (int i = 0; i < table->width; i++) {
        memcpy(&to[i], (const char *)plain + (size_t)table->columns[i] * sizeof *to, sizeof *to);
    }
    table->standard = *plain;
}

void fit_table_plain(const FitTable *table, size_t row, FitPlainRow *plain) {
    const double *from = &table->numbers[row * (size_t)table->width];
    *plain = table->standard;
    for (int i = 0; i < table->width; i++) {
        memcpy((char *)plain + (size_t)table->columns[i] * sizeof *from, &from[i], sizeof *from);
    }
    set_sigma(table, plain);
}

/* Read one line into the next row. */
static bool read_row(const CsvLine *line, const FitColumns *columns, const FitReading *reading,
                     FitTable *table, Error *error) {
    size_t row = table->rows;
    CsvField fields[FIT_COLUMNS_MAX];
    int count = line->too_long ? -2 : csv_split(line, fields, FIT_COLUMNS_MAX);
    if (count != columns->count) {
        return fail(row, "",
                    count == -2         ? "is too long"
                    : count == -1       ? "a quote does not end"
                    : line->length == 0 ? "is empty"
                                        : "not as many fields as the header has",
                    error);
    }
    for (int i = 0; i < count; i++) {
        if (columns->columns[i].role == FIT_GROUP) {
            int group = find_group(table, &fields[i]);
            if (group < 0) {
                return fail(row, columns->columns[i].name, "more than 1000 groups", error);
            }
            table->group[row] = (unsigned short)group;
        }
    }
    if (table->from_scene) {
        Error why;
        return fit_scene_row_read(columns, fields, reading, &table->scenes[row], &why) ||
               fail(row, "", why.text, error);
    }
    FitPlainRow plain = {.after = {NAN, NAN, NAN},
                         .mu = NAN,
                         .mu_static = NAN,
                         .e = NAN,
                         .stiffness_ratio = NAN,
                         .sigma = {NAN, NAN, NAN}};
    for (int i = 0; i < count; i++) {
        if (!take_cell(&fields[i], &columns->columns[i], &plain, row, error)) {
            return false;
        }
    }
    if (!check_plain(reading, table, &plain, error)) {
        return false;
    }
    store(&plain, table);
    return true;
}

/* What a row of the file has. Returns whether there are groups. */
static bool lay_out(const FitColumns *columns, const FitReading *reading, FitTable *table) {
    bool groups = false, sigmas[3] = {false};
    table->sigma = reading->sigma;
    table->sigma_percent = reading->sigma_percent;
    table->has_sigma = reading->sigma > 0;
    for (int i = 0; i < columns->count; i++) {
        const FitColumn *column = &columns->columns[i];
        bool all = column->role == FIT_SIGMA_ALL, one = column->role == FIT_SIGMA_AFTER;
        groups = groups || column->role == FIT_GROUP;
        table->has_sigma = table->has_sigma || all || one;
        table->has_velocity_sigma = table->has_velocity_sigma || column->role == FIT_SIGMA_VELOCITY;
        for (int k = 0; k < 3; k++) {
            sigmas[k] = sigmas[k] || all || (one && column->index == k);
        }
        if (!table->from_scene && !all && !one && place_of(column) >= 0) {
            table->columns[table->width++] = place_of(column);
        }
    }
    for (int k = 0; k < 3 && !table->from_scene && reading->sigma <= 0; k++) {
        if (sigmas[k]) {
            table->columns[table->width++] =
                (int)(offsetof(FitPlainRow, sigma) / sizeof(double)) + k;
        }
    }
    return groups;
}

static bool read_rows(CsvReader *reader, const FitColumns *columns, const FitReading *reading,
                      CsvLine *lines, FitTable *table, Error *error) {
    bool groups = lay_out(columns, reading, table);
    int count;
    while ((count = csv_read_lines(reader, lines, CHUNK)) > 0) {
        for (int i = 0; i < count; i++) {
            if (table->rows == table->capacity && !grow(table, groups)) {
                return error_set(error, "out of memory");
            }
            if (!read_row(&lines[i], columns, reading, table, error)) {
                return false;
            }
            table->rows++;
        }
        progress_show("%zu rows read", table->rows);
    }
    if (ferror(reader->file)) {
        return error_set(error, "%s", strerror(errno));
    }
    return table->rows > 0 || error_set(error, "there is a header and no row");
}

bool fit_table_read(const char *path, const FitReading *reading, FitTable *table, Error *error) {
    FILE *file = path ? fopen(path, "rb") : stdin;
    *table = (FitTable){.from_scene = reading->document != NULL};
    if (!file) {
        return error_set(error, "cannot be opened: %s", strerror(errno));
    }
    CsvReader reader = {0};
    CsvLine header, *lines = malloc(CHUNK * sizeof *lines);
    FitColumns *columns = malloc(sizeof *columns);
    bool good = lines && columns && csv_open(file, &reader);
    if (!good) {
        error_set(error, "out of memory");
    } else if (csv_read_lines(&reader, &header, 1) == 0) {
        good = error_set(error, "empty: the header row is missing");
    } else {
        good = fit_columns_read(&header, reading->group, reading->document, columns, error) &&
               read_rows(&reader, columns, reading, lines, table, error);
        memcpy(table->unused, columns->unused, sizeof table->unused);
    }
    progress_end();
    csv_close(&reader);
    free(lines);
    free(columns);
    if (path) {
        fclose(file);
    }
    return good;
}

void fit_table_free(FitTable *table) {
    for (size_t i = 0; i < table->rows && table->scenes; i++) {
        fit_scene_row_free(&table->scenes[i]);
    }
    for (int i = 0; i < table->group_count; i++) {
        free(table->group_names[i]);
    }
    free(table->numbers);
    free(table->scenes);
    free(table->group);
    *table = (FitTable){0};
}

/* Rows with W and v: the numbers go to the room of the row. */
static void fill_plain(const FitTable *table, size_t at, CaromFitRow *row) {
    FitPlainRow plain;
    fit_table_plain(table, at, &plain);
    const double *w = plain.W;
    const double W[9] = {w[0], w[1], w[2], w[1], w[3], w[4], w[2], w[4], w[5]};
    double *numbers = row->numbers, *offset = numbers + 12, *gain = offset + 3, *value = gain + 9;
    double *sigma = value + 3;
    memcpy(numbers, W, sizeof W);
    memcpy(numbers + 9, plain.v, sizeof plain.v);
    row->count = 0;
    for (int i = 0; i < 3; i++) {
        if (isnan(plain.after[i])) {
            continue;
        }
        offset[row->count] = plain.v[i];
        memcpy(gain + 3 * row->count, W + 3 * i, 3 * sizeof *W);
        value[row->count] = plain.after[i];
        sigma[row->count] = table->has_sigma ? plain.sigma[i] : 1;
        row->count++;
    }
    row->contact = (CaromContact){.mu = plain.mu,
                                  .mu_static = plain.mu_static,
                                  .e = plain.e,
                                  .stiffness_ratio = plain.stiffness_ratio};
    row->problem = (CaromProblem){.model = (CaromModel)plain.model,
                                  .law = (CaromLaw)plain.law,
                                  .contact_count = 1,
                                  .inverse_inertia = numbers,
                                  .velocity = numbers + 9,
                                  .contacts = &row->contact};
    row->offset = offset;
    row->gain = gain;
    row->value = value;
    row->sigma = table->has_sigma ? sigma : NULL;
    memcpy(sigma + 3, plain.velocity_sigma, sizeof plain.velocity_sigma);
    row->velocity_sigma = table->has_velocity_sigma ? sigma + 3 : NULL;
}

void fit_table_row(const void *source, size_t index, CaromFitRow *row) {
    const FitView *view = source;
    const FitTable *table = view->table;
    size_t at = view->order ? view->order[index] : index;
    if (table->from_scene) {
        const FitSceneRow *scene = &table->scenes[at];
        row->problem = scene->problem;
        row->count = scene->count;
        row->offset = scene->offset;
        row->gain = scene->gain;
        row->value = scene->value;
        row->sigma = scene->sigma;
        row->velocity_sigma = NULL;
        row->uncertain_count = scene->uncertain_count;
        row->uncertain = scene->uncertain;
    } else {
        fill_plain(table, at, row);
    }
    if (view->model >= 0) {
        row->problem.model = (CaromModel)view->model;
    }
    if (view->law >= 0) {
        row->problem.law = (CaromLaw)view->law;
    }
}
