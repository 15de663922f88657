/* A measured impact given by W and v. */
#include "fit/fit_plain_row.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/text.h"
#include "base/words.h"
#include "scene/scene.h"

static bool fail(const char *column, const char *what, Error *error) {
    return error_set(error, "%s%s%s", column, column[0] ? ": " : "", what);
}

/* A cell with a finite number. empty: an empty one is NAN. */
static bool read_cell(const CsvField *field, const FitColumn *column, bool empty, double *number,
                      Error *error) {
    if (field->length == 0 && empty) {
        *number = NAN;
        return true;
    }
    return text_span_to_number(field->text, field->length, number) ||
           fail(column->name,
                empty ? "not a finite number; leave the cell empty where nothing was measured"
                      : "not a finite number",
                error);
}

/* A name of a list. */
static bool read_choice(const CsvField *field, const FitColumn *column, const char *const *names,
                        int count, double *choice, Error *error) {
    for (int i = 0; i < count && field->length > 0; i++) {
        if (csv_equals(field, names[i])) {
            *choice = i;
            return true;
        }
    }
    return field->length == 0 || fail(column->name, "unknown name", error);
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
    case FIT_SIGMA_W:
        first = offsetof(FitPlainRow, W_sigma);
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

/* One cell. */
static bool take_cell(const CsvField *field, const FitColumn *column, FitPlainRow *plain,
                      Error *error) {
    int place = place_of(column);
    double number;
    if (place < 0) {
        return true;
    }
    memcpy(&number, (const char *)plain + (size_t)place * sizeof number, sizeof number);
    bool may_be_empty = column->role == FIT_COEFFICIENT || column->role == FIT_AFTER ||
                        column->role == FIT_SIGMA_AFTER;
    bool good = column->role == FIT_MODEL
                    ? read_choice(field, column, scene_model_names, 2, &number, error)
                : column->role == FIT_RESTITUTION
                    ? read_choice(field, column, scene_law_names, 3, &number, error)
                    : read_cell(field, column, may_be_empty, &number, error);
    bool input = column->role == FIT_SIGMA_VELOCITY || column->role == FIT_SIGMA_W;
    good = good && (!input || number >= 0 || fail(column->name, "must be >= 0", error));
    memcpy((char *)plain + (size_t)place * sizeof number, &number, sizeof number);
    return good;
}

/* A coefficient that is neither fitted nor given has its default, but mu and e must be there. */
static bool check_coefficients(const FitReading *reading, FitPlainRow *plain, Error *error) {
    CaromContact standard = carom_contact_default();
    if (isnan(plain->mu) && !reading->fitted[CAROM_COEFFICIENT_MU]) {
        return fail("mu", "missing: give a column, or fit it (--parameters mu,...)", error);
    }
    if (isnan(plain->e) && !reading->fitted[CAROM_COEFFICIENT_E]) {
        return fail("e", "missing: give a column, or fit it (--parameters e,...)", error);
    }
    if (plain->mu < 0 || plain->e < 0 || plain->e > 1 || plain->stiffness_ratio <= 0) {
        return fail("", "mu must be >= 0, e in [0, 1], stiffness_ratio > 0", error);
    }
    if (plain->mu_static < plain->mu) {
        return fail("mu_static", "must be at least mu", error);
    }
    plain->mu = reading->fitted[CAROM_COEFFICIENT_MU] ? 0 : plain->mu;
    plain->e = reading->fitted[CAROM_COEFFICIENT_E] ? 0 : plain->e;
    plain->mu_static = isnan(plain->mu_static) ? 0 : plain->mu_static;
    plain->stiffness_ratio =
        isnan(plain->stiffness_ratio) ? standard.stiffness_ratio : plain->stiffness_ratio;
    return true;
}

/* Sigmas that were given for all rows. */
static void set_sigma(const FitPlainLayout *layout, FitPlainRow *plain) {
    double speed = hypot(hypot(plain->v[0], plain->v[1]), plain->v[2]);
    for (int i = 0; i < 3 && layout->sigma > 0; i++) {
        plain->sigma[i] = layout->sigma * (layout->sigma_percent ? speed / 100 : 1);
    }
}

static bool check_plain(const FitReading *reading, const FitPlainLayout *layout, FitPlainRow *plain,
                        Error *error) {
    if (!(plain->v[2] < 0)) {
        Words text = words_of("is %g, the bodies do not approach each other before the impact: the "
                              "normal points out of the second body into the first, so that vz < 0",
                              plain->v[2]);
        return fail("vz", text.text, error);
    }
    set_sigma(layout, plain);
    for (int i = 0; i < 3 && layout->has_sigma; i++) {
        if (!isnan(plain->after[i]) && !(plain->sigma[i] > 0)) {
            return fail("sigma", "must be > 0 for every measured number", error);
        }
    }
    return check_coefficients(reading, plain, error);
}

FitPlainLayout fit_plain_layout(const FitColumns *columns, const FitReading *reading) {
    FitPlainLayout layout = {.sigma = reading->sigma,
                             .sigma_percent = reading->sigma_percent,
                             .has_sigma = reading->sigma > 0};
    bool sigmas[3] = {false};
    for (int i = 0; i < columns->count; i++) {
        const FitColumn *column = &columns->columns[i];
        bool all = column->role == FIT_SIGMA_ALL, one = column->role == FIT_SIGMA_AFTER;
        layout.has_sigma |= all || one;
        layout.has_velocity_sigma |= column->role == FIT_SIGMA_VELOCITY;
        layout.has_W_sigma |= column->role == FIT_SIGMA_W;
        for (int k = 0; k < 3; k++) {
            sigmas[k] = sigmas[k] || all || (one && column->index == k);
        }
        if (!all && !one && place_of(column) >= 0) {
            layout.columns[layout.width++] = place_of(column);
        }
    }
    for (int k = 0; k < 3 && reading->sigma <= 0; k++) {
        if (sigmas[k]) {
            layout.columns[layout.width++] =
                (int)(offsetof(FitPlainRow, sigma) / sizeof(double)) + k;
        }
    }
    return layout;
}

bool fit_plain_read(const FitColumns *columns, const CsvField *fields, const FitReading *reading,
                    FitPlainLayout *layout, double *record, Error *error) {
    FitPlainRow plain = {.after = {NAN, NAN, NAN},
                         .mu = NAN,
                         .mu_static = NAN,
                         .e = NAN,
                         .stiffness_ratio = NAN,
                         .sigma = {NAN, NAN, NAN}};
    /* the sigma of all first: that of one column goes before it */
    int all = fit_columns_find(columns, FIT_SIGMA_ALL, 0);
    if (all >= 0 && !take_cell(&fields[all], &columns->columns[all], &plain, error)) {
        return false;
    }
    plain.sigma[1] = plain.sigma[2] = plain.sigma[0];
    for (int i = 0; i < columns->count; i++) {
        if (i != all && !take_cell(&fields[i], &columns->columns[i], &plain, error)) {
            return false;
        }
    }
    if (!check_plain(reading, layout, &plain, error)) {
        return false;
    }
    for (int i = 0; i < layout->width; i++) {
        memcpy(&record[i], (const char *)&plain + (size_t)layout->columns[i] * sizeof *record,
               sizeof *record);
    }
    layout->standard = plain;
    return true;
}

void fit_plain_unpack(const FitPlainLayout *layout, const double *record, FitPlainRow *plain) {
    *plain = layout->standard;
    for (int i = 0; i < layout->width; i++) {
        memcpy((char *)plain + (size_t)layout->columns[i] * sizeof *record, &record[i],
               sizeof *record);
    }
    set_sigma(layout, plain);
}

/* Errors of W: an entry and its mirror image change together, and with them the gain of the
 * measured numbers, which are rows of W. measured: their components. */
static void fill_uncertain(const FitPlainRow *plain, const int *measured, FitPlainRoom *room,
                           CaromFitRow *row) {
    row->uncertain_count = 0;
    row->uncertain = room->uncertain;
    for (int i = 0, k = 0; i < 3; i++) {
        for (int j = i; j < 3; j++, k++) {
            if (!(plain->W_sigma[k] > 0)) {
                continue;
            }
            int at = row->uncertain_count++;
            double *by = room->by_W[at];
            memset(by, 0, sizeof room->by_W[at]);
            by[3 * i + j] = by[3 * j + i] = 1;
            for (int number = 0; number < row->count; number++) {
                memcpy(room->gain[at] + 3 * number, by + 3 * measured[number], 3 * sizeof *by);
            }
            room->uncertain[at] = (CaromFitUncertain){.sigma = plain->W_sigma[k],
                                                      .inverse_inertia = by,
                                                      .velocity = room->zero,
                                                      .offset = room->zero,
                                                      .gain = room->gain[at]};
        }
    }
}

/* The numbers go to the room of the row. */
void fit_plain_fill(const FitPlainLayout *layout, const double *record, FitPlainRoom *room,
                    CaromFitRow *row) {
    FitPlainRow plain;
    fit_plain_unpack(layout, record, &plain);
    const double *w = plain.W;
    const double W[9] = {w[0], w[1], w[2], w[1], w[3], w[4], w[2], w[4], w[5]};
    double *numbers = row->numbers, *offset = numbers + 12, *gain = offset + 3, *value = gain + 9;
    double *sigma = value + 3;
    int measured[3];
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
        sigma[row->count] = layout->has_sigma ? plain.sigma[i] : 1;
        measured[row->count++] = i;
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
    row->sigma = layout->has_sigma ? sigma : NULL;
    memcpy(sigma + 3, plain.velocity_sigma, sizeof plain.velocity_sigma);
    row->velocity_sigma = layout->has_velocity_sigma ? sigma + 3 : NULL;
    if (layout->has_W_sigma) {
        fill_uncertain(&plain, measured, room, row);
    }
}
