/* A measured impact as a template scene with numbers replaced. */
#include "fit/fit_scene_row.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "fit/fit_weight.h"
#include "outcomes/components.h"
#include "scene/scene_read.h"

/* A record: count, number of uncertain inputs; contacts; W, v, offset, gain; values, sigmas; for
 * each uncertain input its sigma and the derivatives of W, v, offset, gain. */
enum { HEAD = 2, CONTACT_NUMBERS = sizeof(CaromContact) / sizeof(double) };

static bool read_cell(const FitColumn *column, const CsvField *field, double *number,
                      Error *error) {
    if (field->length == 0) {
        *number = NAN;
        return true;
    }
    return text_span_to_number(field->text, field->length, number) ||
           error_set(error, "%s: not a finite number", column->name);
}

/* A number of the row's scene that is moved; NULL: none. */
typedef struct Moved {
    const ScenePath *path;
    double number;
} Moved;

/* The template with the row's numbers. */
static bool fill_scene(const FitColumns *columns, const CsvField *fields, const FitReading *reading,
                       const Moved *moved, Scene *scene, Error *error) {
    json_t *copy = json_deep_copy(reading->document);
    bool good = copy || error_set(error, "out of memory");
    *scene = (Scene){0};
    for (int i = 0; i < columns->count && good; i++) {
        const FitColumn *column = &columns->columns[i];
        double number;
        if (column->role == FIT_PATH) {
            good = read_cell(column, &fields[i], &number, error) &&
                   (isnan(number) || scene_path_set(copy, &column->path, number, error));
        }
    }
    good = good && (!moved || scene_path_set(copy, moved->path, moved->number, error)) &&
           scene_from_json(copy, scene, error);
    json_decref(copy);
    if (good && scene->contact_count > CAROM_FIT_CONTACTS_MAX) {
        good = error_set(error, "contacts: at most %d in a fit", CAROM_FIT_CONTACTS_MAX);
    }
    if (!good) {
        scene_free(scene);
    }
    return good;
}

/* Where a measured number is: a component of the outcome, or -1 - i: row i of the contact
 * velocities. False: neither. */
static bool find_place(const FitColumn *column, const Scene *scene, const Components *components,
                       int *place) {
    int rows = scene_rows(scene) * scene->contact_count, index, end = 0;
    if (column->role == FIT_AFTER) { /* planar: t, n are x, z */
        *place = -1 - (scene->planar && column->index == 2 ? 1 : column->index);
        return !scene->planar || column->index != 1;
    }
    if (sscanf(column->path.text, "contact_velocity[%d]%n", &index, &end) == 1 && end > 0) {
        *place = -1 - index;
        return index < rows;
    }
    for (int i = 0; i < components->count; i++) {
        if (strcmp(components_path(components, i).text, column->path.text) == 0) {
            *place = i;
            return true;
        }
    }
    return false;
}

/* The sigma of a measured column: of its own column, of all, or of the command line; hundred: what
 * 100 % of the speed are for this number. */
static bool find_sigma(const FitColumns *columns, const CsvField *fields, const FitReading *reading,
                       const FitColumn *measured, double hundred, double *sigma, Error *error) {
    *sigma = reading->sigma * (reading->sigma_percent ? hundred / 100 : 1);
    for (int i = 0; i < columns->count && reading->sigma <= 0; i++) {
        const FitColumn *column = &columns->columns[i];
        bool own = column->role == FIT_SIGMA_AFTER && strcmp(column->name + 6, measured->name) == 0;
        if ((own || column->role == FIT_SIGMA_ALL) &&
            !read_cell(column, &fields[i], sigma, error)) {
            return false;
        }
        if (own) {
            break;
        }
    }
    return true;
}

/* Are sigmas of measured numbers given? */
static bool has_sigma(const FitColumns *columns, const FitReading *reading) {
    bool found = reading->sigma > 0;
    for (int i = 0; i < columns->count; i++) {
        FitRole role = columns->columns[i].role;
        found = found || role == FIT_SIGMA_ALL || role == FIT_SIGMA_AFTER;
    }
    return found;
}

/* The numbers predicted from an impulse are linear in it: offset without one, gain by unit ones. */
typedef struct Maker {
    const Scene *scene;
    Components components;
    int rows;                                  /* of an impulse */
    double *after, *impulse, *velocity, *base; /* scratch */
} Maker;

static double number_at(int place, const double *after, const double *velocity) {
    return place >= 0 ? after[place] : velocity[-1 - place];
}

/* One measured number into the row. */
static void add_number(Maker *maker, int place, FitSceneRow *row, double *offset, double *gain) {
    const double *W = maker->scene->inverse_inertia, *v = maker->scene->velocity;
    int m = maker->rows, at = row->count;
    memset(maker->impulse, 0, (size_t)m * sizeof *maker->impulse);
    components_after(&maker->components, maker->impulse, v, maker->base);
    offset[at] = number_at(place, maker->base, v);
    for (int j = 0; j < m; j++) {
        maker->impulse[j] = 1;
        for (int i = 0; i < m; i++) {
            maker->velocity[i] = v[i] + W[i * m + j];
        }
        components_after(&maker->components, maker->impulse, maker->velocity, maker->after);
        gain[at * m + j] =
            place >= 0 ? maker->after[place] - maker->base[place] : W[(-1 - place) * m + j];
        maker->impulse[j] = 0;
    }
}

/* Memory of the row: W, v, offset, gain, value, sigma. */
static bool make_room(const Scene *scene, int m, int numbers, FitSceneRow *row) {
    size_t size = (size_t)m * (size_t)m + (size_t)m + (size_t)numbers * (size_t)(m + 3);
    int n = scene->contact_count;
    *row = (FitSceneRow){.memory = calloc(size + 1, sizeof *row->memory),
                         .contacts = malloc((size_t)n * sizeof *row->contacts)};
    if (!row->memory || !row->contacts) {
        return false;
    }
    memcpy(row->contacts, scene->contacts, (size_t)n * sizeof *row->contacts);
    memcpy(row->memory, scene->inverse_inertia, (size_t)m * (size_t)m * sizeof *row->memory);
    memcpy(row->memory + m * m, scene->velocity, (size_t)m * sizeof *row->memory);
    row->problem = scene_problem(scene);
    row->problem.law = scene_law(scene, CAROM_METHOD_EXACT);
    row->problem.inverse_inertia = row->memory;
    row->problem.velocity = row->memory + m * m;
    row->problem.contacts = row->contacts;
    return true;
}

/* The speed before at the contact where it is largest. */
static double contact_speed(const Scene *scene) {
    int rows = scene_rows(scene);
    double largest = 0;
    for (int i = 0; i < scene->contact_count; i++) {
        double speed = 0;
        for (int k = 0; k < rows; k++) {
            speed = hypot(speed, scene->velocity[i * rows + k]);
        }
        largest = fmax(largest, speed);
    }
    return largest;
}

/* What a speed at the contact is for a measured number of another unit. */
static double relative_unit(const Maker *maker, int place) {
    int normal = scene_rows(maker->scene) - 1;
    return fit_weight_sigma(maker->scene, &maker->components, place) /
           fit_weight_sigma(maker->scene, &maker->components, -1 - normal);
}

static bool fill_row(const FitColumns *columns, const CsvField *fields, const FitReading *reading,
                     Maker *maker, FitSceneRow *row, Error *error) {
    const Scene *scene = maker->scene;
    int m = maker->rows, numbers = 0, place;
    double speed = contact_speed(scene);
    for (int i = 0; i < columns->count; i++) {
        FitRole role = columns->columns[i].role;
        numbers += role == FIT_AFTER || role == FIT_AFTER_PATH;
    }
    if (numbers > CAROM_FIT_MEASURED_MAX || !make_room(scene, m, numbers, row)) {
        return error_set(error, numbers > CAROM_FIT_MEASURED_MAX ? "more than 64 measured numbers"
                                                                 : "out of memory");
    }
    double *offset = row->memory + m * m + m, *gain = offset + numbers;
    double *value = gain + numbers * m, *sigma = value + numbers;
    row->known = has_sigma(columns, reading);
    for (int i = 0; i < columns->count; i++) {
        const FitColumn *column = &columns->columns[i];
        if (column->role != FIT_AFTER && column->role != FIT_AFTER_PATH) {
            continue;
        }
        if (!find_place(column, scene, &maker->components, &place)) {
            return error_set(error,
                             "column \"%s\": the scene has no such velocity after the "
                             "impact",
                             column->name);
        }
        if (!read_cell(column, &fields[i], &value[row->count], error) ||
            !find_sigma(columns, fields, reading, column, speed * relative_unit(maker, place),
                        &sigma[row->count], error)) {
            return false;
        }
        if (!isnan(value[row->count])) {
            if (!row->known) {
                sigma[row->count] = fit_weight_sigma(scene, &maker->components, place);
            } else if (!(sigma[row->count] > 0)) {
                return error_set(error, "%s: has no sigma > 0, and other numbers have one",
                                 column->name);
            }
            add_number(maker, place, row, offset, gain);
            row->count++;
        }
    }
    row->offset = offset;
    row->gain = gain;
    row->value = value;
    row->sigma = sigma;
    return true;
}

/* Everything but what is uncertain. */
static bool read_exact(const FitColumns *columns, const CsvField *fields, const FitReading *reading,
                       const Moved *moved, FitSceneRow *row, Error *error) {
    Scene scene;
    *row = (FitSceneRow){0};
    if (!fill_scene(columns, fields, reading, moved, &scene, error)) {
        return false;
    }
    Maker maker = {.scene = &scene, .rows = scene_rows(&scene) * scene.contact_count};
    bool good = components_create(&scene, &maker.components);
    size_t room = (size_t)(2 * maker.components.count + 2 * maker.rows);
    maker.after = good ? calloc(room + 1, sizeof *maker.after) : NULL;
    good = maker.after || error_set(error, "out of memory");
    if (good) {
        maker.base = maker.after + maker.components.count;
        maker.impulse = maker.base + maker.components.count;
        maker.velocity = maker.impulse + maker.rows;
        good = fill_row(columns, fields, reading, &maker, row, error);
    }
    free(maker.after);
    components_free(&maker.components);
    scene_free(&scene);
    if (!good) {
        fit_scene_row_free(row);
    }
    return good;
}

/* The number at the path of an uncertain input: of the row, or of the template. */
static bool find_number(const FitColumns *columns, const CsvField *fields,
                        const FitReading *reading, const FitColumn *sigma, double *number,
                        Error *error) {
    *number = NAN;
    for (int i = 0; i < columns->count; i++) {
        if (columns->columns[i].role == FIT_PATH &&
            strcmp(columns->columns[i].path.text, sigma->path.text) == 0 &&
            !read_cell(&columns->columns[i], &fields[i], number, error)) {
            return false;
        }
    }
    return !isnan(*number) || scene_path_get(reading->document, &sigma->path, number, error);
}

/* Numbers of the row that change with an input: W, v, offset, gain. They follow each other. */
static size_t count_numbers(const FitSceneRow *row) {
    return (size_t)(row->value - row->memory);
}

/* Derivatives of the row by an input, by a central difference: W, v, offset and gain are rational
 * functions of it. The impulse is not differentiated here. */
static bool add_uncertain(const FitColumns *columns, const CsvField *fields,
                          const FitReading *reading, const FitColumn *column, double sigma,
                          FitSceneRow *row, double *slopes, Error *error) {
    FitSceneRow ends[2] = {{.count = 0}, {.count = 0}};
    double number;
    bool good = find_number(columns, fields, reading, column, &number, error);
    double step = fmax(1e-3 * sigma, 1e-6 * fabs(number));
    for (int side = 0; side < 2 && good; side++) {
        const Moved moved = {&column->path, number + (side ? step : -step)};
        good = read_exact(columns, fields, reading, &moved, &ends[side], error);
    }
    size_t size = count_numbers(row), changed = 0;
    for (size_t i = 0; i < size && good; i++) {
        slopes[i] = (ends[1].memory[i] - ends[0].memory[i]) / (2 * step);
        changed += slopes[i] != 0;
    }
    if (good) {
        row->uncertain[row->uncertain_count++] =
            (CaromFitUncertain){.sigma = sigma,
                                .inverse_inertia = slopes,
                                .velocity = slopes + (row->problem.velocity - row->memory),
                                .offset = slopes + (row->offset - row->memory),
                                .gain = slopes + (row->gain - row->memory)};
        good = changed > 0 || error_set(error,
                                        "%s: the impact does not depend on this number but by "
                                        "the law of the contact; fit it instead",
                                        column->name);
    }
    fit_scene_row_free(&ends[0]);
    fit_scene_row_free(&ends[1]);
    return good;
}

/* All inputs with a sigma. */
static bool add_all_uncertain(const FitColumns *columns, const CsvField *fields,
                              const FitReading *reading, FitSceneRow *row, Error *error) {
    size_t count = 0, size = count_numbers(row);
    for (int i = 0; i < columns->count; i++) {
        count += columns->columns[i].role == FIT_SIGMA_PATH;
    }
    if (count == 0) {
        return true;
    }
    if (count > CAROM_FIT_UNCERTAIN_MAX) {
        return error_set(error, "at most %d columns sigma.PATH", CAROM_FIT_UNCERTAIN_MAX);
    }
    row->uncertain = malloc(count * (sizeof *row->uncertain + size * sizeof(double)));
    if (!row->uncertain) {
        return error_set(error, "out of memory");
    }
    double *slopes = (double *)(row->uncertain + count);
    for (int i = 0; i < columns->count; i++) {
        const FitColumn *column = &columns->columns[i];
        double sigma;
        if (column->role != FIT_SIGMA_PATH) {
            continue;
        }
        if (!read_cell(column, &fields[i], &sigma, error)) {
            return false;
        }
        if (isnan(sigma) || sigma == 0) {
            continue; /* exact */
        }
        if (sigma < 0) {
            return error_set(error, "%s: must be >= 0", column->name);
        }
        if (!add_uncertain(columns, fields, reading, column, sigma, row,
                           slopes + size * (size_t)row->uncertain_count, error)) {
            return false;
        }
    }
    return true;
}

bool fit_scene_row_read(const FitColumns *columns, const CsvField *fields,
                        const FitReading *reading, FitSceneRow *row, Error *error) {
    bool good = read_exact(columns, fields, reading, NULL, row, error);
    if (good && !add_all_uncertain(columns, fields, reading, row, error)) {
        fit_scene_row_free(row);
        good = false;
    }
    return good;
}

void fit_scene_row_free(FitSceneRow *row) {
    free(row->memory);
    free(row->contacts);
    free(row->uncertain);
    *row = (FitSceneRow){0};
}

FitSceneShape fit_scene_shape(const FitColumns *columns, const FitSceneRow *row) {
    FitSceneShape shape = {
        .problem = row->problem, .memory = count_numbers(row), .known = row->known};
    for (int i = 0; i < columns->count; i++) {
        FitRole role = columns->columns[i].role;
        shape.numbers += role == FIT_AFTER || role == FIT_AFTER_PATH;
        shape.uncertain += role == FIT_SIGMA_PATH;
    }
    for (int i = 1; i < row->count; i++) {
        shape.mixed = shape.mixed || (!row->known && row->sigma[i] != row->sigma[0]);
    }
    size_t contacts = (size_t)row->problem.contact_count * CONTACT_NUMBERS;
    shape.width = HEAD + contacts + shape.memory + 2 * (size_t)shape.numbers +
                  (size_t)shape.uncertain * (1 + shape.memory);
    return shape;
}

bool fit_scene_pack(const FitSceneShape *shape, const FitSceneRow *row, double *record,
                    Error *error) {
    size_t memory = shape->memory + 2 * (size_t)shape->numbers;
    size_t contacts = (size_t)shape->problem.contact_count * CONTACT_NUMBERS;
    if (row->problem.contact_count != shape->problem.contact_count ||
        row->problem.planar != shape->problem.planar || count_numbers(row) != shape->memory) {
        return error_set(error, "the number of contacts differs from that of the first row");
    }
    record[0] = row->count;
    record[1] = row->uncertain_count;
    memcpy(record + HEAD, row->contacts, contacts * sizeof *record);
    record += HEAD + contacts;
    memset(record, 0, memory * sizeof *record);
    memcpy(record, row->memory, shape->memory * sizeof *record);
    memcpy(record + shape->memory, row->value, (size_t)row->count * sizeof *record);
    memcpy(record + shape->memory + shape->numbers, row->value + shape->numbers,
           (size_t)row->count * sizeof *record); /* the sigmas */
    record += memory;
    memset(record, 0, (size_t)shape->uncertain * (1 + shape->memory) * sizeof *record);
    for (int k = 0; k < row->uncertain_count; k++, record += 1 + shape->memory) {
        record[0] = row->uncertain[k].sigma;
        memcpy(record + 1, row->uncertain[k].inverse_inertia, shape->memory * sizeof *record);
    }
    return true;
}

void fit_scene_fill(const FitSceneShape *shape, const double *record, FitSceneRoom *room,
                    CaromFitRow *row) {
    int n = shape->problem.contact_count, m = n * (shape->problem.planar ? 2 : 3);
    const double *memory = record + HEAD + (size_t)n * CONTACT_NUMBERS,
                 *offset = memory + m * m + m;
    row->problem = shape->problem;
    memcpy(room->contacts, record + HEAD, (size_t)n * sizeof *room->contacts);
    row->problem.contacts = room->contacts;
    row->problem.inverse_inertia = memory;
    row->problem.velocity = memory + m * m;
    row->count = (int)record[0];
    row->offset = offset;
    row->gain = offset + shape->numbers;
    row->value = memory + shape->memory;
    row->sigma = row->value + shape->numbers;
    row->velocity_sigma = NULL;
    row->uncertain_count = (int)record[1];
    row->uncertain = room->uncertain;
    const double *from = row->value + 2 * shape->numbers;
    for (int k = 0; k < row->uncertain_count; k++, from += 1 + shape->memory) {
        room->uncertain[k] = (CaromFitUncertain){.sigma = from[0],
                                                 .inverse_inertia = from + 1,
                                                 .velocity = from + 1 + m * m,
                                                 .offset = from + 1 + m * m + m,
                                                 .gain = from + 1 + m * m + m + shape->numbers};
    }
}
