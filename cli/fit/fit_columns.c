/* The columns of a table of measured impacts. */
#include "fit/fit_columns.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

typedef struct Known {
    const char *name;
    FitRole role;
    int index;
} Known;

/* Columns of a table with W and v. */
static const Known direct[] = {{"w11", FIT_W, 0},
                               {"w12", FIT_W, 1},
                               {"w13", FIT_W, 2},
                               {"w22", FIT_W, 3},
                               {"w23", FIT_W, 4},
                               {"w33", FIT_W, 5},
                               {"vx", FIT_VELOCITY, 0},
                               {"vy", FIT_VELOCITY, 1},
                               {"vz", FIT_VELOCITY, 2},
                               {"mu", FIT_COEFFICIENT, 0},
                               {"mu_static", FIT_COEFFICIENT, 1},
                               {"e", FIT_COEFFICIENT, 2},
                               {"stiffness_ratio", FIT_COEFFICIENT, 4},
                               {"model", FIT_MODEL, 0},
                               {"restitution", FIT_RESTITUTION, 0},
                               {"sigma.w11", FIT_SIGMA_W, 0},
                               {"sigma.w12", FIT_SIGMA_W, 1},
                               {"sigma.w13", FIT_SIGMA_W, 2},
                               {"sigma.w22", FIT_SIGMA_W, 3},
                               {"sigma.w23", FIT_SIGMA_W, 4},
                               {"sigma.w33", FIT_SIGMA_W, 5},
                               {"sigma.vx", FIT_SIGMA_VELOCITY, 0},
                               {"sigma.vy", FIT_SIGMA_VELOCITY, 1},
                               {"sigma.vz", FIT_SIGMA_VELOCITY, 2},
                               {NULL, FIT_UNUSED, 0}};

/* Columns of every table. */
static const Known common[] = {{"after_vx", FIT_AFTER, 0},
                               {"after_vy", FIT_AFTER, 1},
                               {"after_vz", FIT_AFTER, 2},
                               {"sigma.after_vx", FIT_SIGMA_AFTER, 0},
                               {"sigma.after_vy", FIT_SIGMA_AFTER, 1},
                               {"sigma.after_vz", FIT_SIGMA_AFTER, 2},
                               {"sigma", FIT_SIGMA_ALL, 0},
                               {NULL, FIT_UNUSED, 0}};

static const Known *look_up(const Known *list, const char *name) {
    while (list->name && strcmp(list->name, name) != 0) {
        list++;
    }
    return list->name ? list : NULL;
}

/* A name that is nearly one of the known ones is a mistake. Names of up to two letters are near to
 * too many. */
static bool refuse_near(const Known *list, const char *name, Error *error) {
    for (; list->name; list++) {
        if (strlen(list->name) > 3 && text_distance(name, list->name) <= 1) {
            return error_set(error, "column \"%s\": unknown; \"%s\" is meant?", name, list->name);
        }
    }
    return true;
}

static void note_unused(FitColumns *columns, const char *name) {
    size_t length = strlen(columns->unused);
    snprintf(columns->unused + length, sizeof columns->unused - length, "%s%s",
             length > 0 ? ", " : "", name);
}

/* A column of a template: the path of a number, after.PATH, or one of them with sigma. before. */
static bool read_path(json_t *document, FitColumn *column, Error *error) {
    const char *name = column->name;
    bool sigma = strncmp(name, "sigma.", 6) == 0;
    const char *rest = name + (sigma ? 6 : 0);
    bool after = strncmp(rest, "after.", 6) == 0;
    const char *path = rest + (after ? 6 : 0);
    double ignored;
    Error why;
    bool looks = strpbrk(name, ".[") != NULL;
    bool good = scene_path_read(path, strlen(path), &column->path, &why) &&
                (after || scene_path_get(document, &column->path, &ignored, &why));
    if (good) {
        column->role = sigma ? (after ? FIT_SIGMA_AFTER : FIT_SIGMA_PATH)
                             : (after ? FIT_AFTER_PATH : FIT_PATH);
        column->index = -1;
        return true;
    }
    return looks ? error_set(error, "column \"%s\": %s", name, why.text) : true;
}

static bool read_column(const char *group, json_t *document, FitColumns *columns, FitColumn *column,
                        Error *error) {
    const Known *known = look_up(common, column->name);
    known = known || document ? known : look_up(direct, column->name);
    if (strcmp(column->name, group) == 0) {
        column->role = FIT_GROUP;
        return true;
    }
    if (known) {
        column->role = known->role;
        column->index = known->index;
        return true;
    }
    if (document && !read_path(document, column, error)) {
        return false;
    }
    if (column->role == FIT_UNUSED && strncmp(column->name, "sigma.", 6) == 0) {
        return error_set(
            error,
            "column \"%s\": there is no such sigma; w11 ... w33, vx, vy, vz, after_vx, "
            "after_vy, after_vz may have one",
            column->name);
    }
    if (column->role == FIT_UNUSED) {
        note_unused(columns, column->name);
        return refuse_near(common, column->name, error) &&
               (document || refuse_near(direct, column->name, error));
    }
    return true;
}

static bool check_twice(const FitColumns *columns, Error *error) {
    for (int i = 0; i < columns->count; i++) {
        for (int k = 0; k < i; k++) {
            if (strcmp(columns->columns[i].name, columns->columns[k].name) == 0 &&
                columns->columns[i].role != FIT_UNUSED) {
                return error_set(error, "column \"%s\": given twice", columns->columns[i].name);
            }
        }
    }
    return true;
}

/* Columns that a table with W and v must have; those of coefficients are checked by the caller. */
static bool check_required(const FitColumns *columns, json_t *document, Error *error) {
    for (const Known *known = direct; known->name && !document; known++) {
        if ((known->role == FIT_W || known->role == FIT_VELOCITY) &&
            fit_columns_find(columns, known->role, known->index) < 0) {
            return error_set(error,
                             "column \"%s\": missing; rows need w11 ... w33, vx, vy, vz, or a "
                             "template: --scene",
                             known->name);
        }
    }
    for (int i = 0; i < columns->count; i++) {
        if (columns->columns[i].role == FIT_AFTER || columns->columns[i].role == FIT_AFTER_PATH) {
            return true;
        }
    }
    return error_set(error, "column \"after_vz\": missing; no measured velocity is given%s",
                     document ? " (after_vx, ... or after.PATH)"
                              : " (after_vx, after_vy, after_vz)");
}

bool fit_columns_read(const CsvLine *header, const char *group, json_t *document,
                      FitColumns *columns, Error *error) {
    CsvLine line = *header;
    CsvField fields[FIT_COLUMNS_MAX];
    if (line.length >= 3 && memcmp(line.text, "\xEF\xBB\xBF", 3) == 0) { /* byte order mark */
        line.text += 3;
        line.length -= 3;
    }
    if (line.length > 0 && (line.text[0] == '{' || line.text[0] == '[')) {
        return error_set(error, "is JSON, not a table: a template is given by --scene");
    }
    if (text_is_utf16(line.text, line.length)) {
        return error_set(error, "is UTF-16 text, must be UTF-8");
    }
    int count = line.too_long ? -1 : csv_split(&line, fields, FIT_COLUMNS_MAX);
    if (count < 0 || count > FIT_COLUMNS_MAX) {
        return error_set(error, "the header row %s",
                         count < 0 ? "is too long or has a quote that does not end"
                                   : "has too many columns");
    }
    *columns = (FitColumns){.count = count};
    for (int i = 0; i < count; i++) {
        FitColumn *column = &columns->columns[i];
        if (fields[i].length >= sizeof column->name) {
            return error_set(error, "column %d: its name is too long", i + 1);
        }
        memcpy(column->name, fields[i].text, fields[i].length);
        if (!read_column(group, document, columns, column, error)) {
            return false;
        }
    }
    return check_twice(columns, error) && check_required(columns, document, error);
}

int fit_columns_find(const FitColumns *columns, FitRole role, int index) {
    for (int i = 0; i < columns->count; i++) {
        if (columns->columns[i].role == role && columns->columns[i].index == index) {
            return i;
        }
    }
    return -1;
}
