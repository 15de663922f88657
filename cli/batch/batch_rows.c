/* The rows of carom batch. */
#include "batch/batch_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "scene/scene.h"

/* First the required numbers, then the optional columns. */
enum { MU = 9, E = 10, MU_STATIC = 11, STIFFNESS_RATIO = 12, MODEL = 13, RESTITUTION = 14 };
static const char *const names[BATCH_COLUMNS] = {"w11",
                                                 "w12",
                                                 "w13",
                                                 "w22",
                                                 "w23",
                                                 "w33",
                                                 "vx",
                                                 "vy",
                                                 "vz",
                                                 "mu",
                                                 "e",
                                                 "mu_static",
                                                 "stiffness_ratio",
                                                 "model",
                                                 "restitution"};

static bool read_number(const CsvField *field, double *number) {
    return text_span_to_number(field->text, field->length, number);
}

static int find_column(const CsvField *field) {
    for (int k = 0; k < BATCH_COLUMNS; k++) {
        if (csv_equals(field, names[k])) {
            return k;
        }
    }
    return -1;
}

bool batch_columns_read(const CsvLine *header, BatchColumns *columns, Error *error) {
    CsvLine line = *header;
    if (line.length >= 3 && memcmp(line.text, "\xEF\xBB\xBF", 3) == 0) { /* byte order mark */
        line.text += 3;
        line.length -= 3;
    }
    if (line.length > 0 && (line.text[0] == '{' || line.text[0] == '[')) {
        return error_set(error, "is JSON, not a table: \"carom solve\" takes scenes");
    }
    if (text_is_utf16(line.text, line.length)) {
        return error_set(error, "is UTF-16 text, must be UTF-8");
    }
    CsvField fields[2 * BATCH_COLUMNS];
    int count = line.too_long ? -1 : csv_split(&line, fields, 2 * BATCH_COLUMNS);
    if (count < 0) {
        return error_set(error, "the header row %s",
                         line.too_long ? "is too long" : "has a quote that does not end");
    }
    for (int k = 0; k < BATCH_COLUMNS; k++) {
        columns->place[k] = -1;
    }
    /* an unknown or duplicate name comes before fields is full */
    for (int i = 0; i < count; i++) {
        int k = find_column(&fields[i]);
        if (k < 0 || columns->place[k] >= 0) {
            return error_set(error, "column \"%.*s\": %s",
                             (int)(fields[i].length < 64 ? fields[i].length : 64), fields[i].text,
                             k < 0 ? "unknown" : "given twice");
        }
        columns->place[k] = i;
    }
    for (int k = 0; k < BATCH_REQUIRED; k++) {
        if (columns->place[k] < 0) {
            return error_set(error, "column \"%s\": missing", names[k]);
        }
    }
    columns->count = count;
    return true;
}

static bool fail(BatchFault *fault, const char *column, const char *what) {
    *fault = (BatchFault){.column = column, .what = what};
    return false;
}

/* The field of an optional column; NULL: absent or empty. */
static const CsvField *optional(const CsvField *fields, const BatchColumns *columns, int column) {
    int place = columns->place[column];
    return place >= 0 && fields[place].length > 0 ? &fields[place] : NULL;
}

static bool read_model_and_law(const CsvField *fields, const BatchColumns *columns, CaromCase *row,
                               BatchFault *fault) {
    const CsvField *model = optional(fields, columns, MODEL);
    const CsvField *law = optional(fields, columns, RESTITUTION);
    row->model = CAROM_MODEL_RIGID;
    row->law = CAROM_LAW_ENERGETIC;
    if (model) {
        while (!csv_equals(model, scene_model_names[row->model])) {
            if (row->model == CAROM_MODEL_COMPLIANT) {
                return fail(fault, names[MODEL], "must be rigid or compliant");
            }
            row->model++;
        }
    }
    if (law && !csv_equals(law, "bi_stiffness")) { /* another name of energetic */
        while (!csv_equals(law, scene_law_names[row->law])) {
            if (row->law == CAROM_LAW_NEWTON) {
                return fail(fault, names[RESTITUTION], "must be energetic, poisson or newton");
            }
            row->law++;
        }
    }
    /* conditions of the library, checked here to name the column */
    if (row->model == CAROM_MODEL_COMPLIANT && row->law != CAROM_LAW_ENERGETIC) {
        return fail(fault, names[RESTITUTION], "the compliant model takes the energetic law only");
    }
    if (row->model == CAROM_MODEL_COMPLIANT && row->contact.mu_static != row->contact.mu) {
        return fail(fault, names[MU_STATIC], "must equal mu in the compliant model");
    }
    return true;
}

static bool read_contact(const CsvField *fields, const BatchColumns *columns, CaromContact *contact,
                         BatchFault *fault) {
    const CsvField *mu_static = optional(fields, columns, MU_STATIC);
    const CsvField *ratio = optional(fields, columns, STIFFNESS_RATIO);
    contact->mu_static = contact->mu;
    if (mu_static && !read_number(mu_static, &contact->mu_static)) {
        return fail(fault, names[MU_STATIC], "not a finite number");
    }
    if (ratio && !read_number(ratio, &contact->stiffness_ratio)) {
        return fail(fault, names[STIFFNESS_RATIO], "not a finite number");
    }
    /* the same ranges as in a scene */
    if (!(contact->mu >= 0)) {
        return fail(fault, names[MU], "must be >= 0");
    }
    if (!(contact->e >= 0 && contact->e <= 1)) {
        return fail(fault, names[E], "must be in [0, 1]");
    }
    if (!(contact->mu_static >= contact->mu)) {
        return fail(fault, names[MU_STATIC], "must be at least mu");
    }
    if (!(contact->stiffness_ratio > 0)) {
        return fail(fault, names[STIFFNESS_RATIO], "must be > 0");
    }
    return true;
}

bool batch_row_read(const CsvLine *line, const BatchColumns *columns, CaromCase *row,
                    BatchFault *fault) {
    if (line->too_long) {
        return fail(fault, "", "the line is longer than 65536 bytes");
    }
    if (line->no_end) { /* "0.8" may have become "0" */
        return fail(fault, "", "the last line has no line end: the file may be cut");
    }
    CsvField fields[BATCH_COLUMNS];
    int count = csv_split(line, fields, BATCH_COLUMNS);
    if (count < 0) {
        return fail(fault, "", "a quote does not end");
    }
    if (count != columns->count) {
        return fail(fault, "",
                    line->length == 0 ? "the line is empty"
                                      : "not as many fields as the header has");
    }
    *row = (CaromCase){.contact = carom_contact_default()};
    double *numbers[BATCH_REQUIRED] = {&row->W[0], &row->W[1],       &row->W[2],     &row->W[3],
                                       &row->W[4], &row->W[5],       &row->v[0],     &row->v[1],
                                       &row->v[2], &row->contact.mu, &row->contact.e};
    for (int k = 0; k < BATCH_REQUIRED; k++) {
        if (!read_number(&fields[columns->place[k]], numbers[k])) {
            return fail(fault, names[k], "not a finite number");
        }
    }
    return read_contact(fields, columns, &row->contact, fault) &&
           read_model_and_law(fields, columns, row, fault);
}

BatchFault batch_row_reason(const CaromCase *row) {
    const double *w = row->W;
    const double W[9] = {w[0], w[1], w[2], w[1], w[3], w[4], w[2], w[4], w[5]};
    const CaromProblem problem = {.model = row->model,
                                  .law = row->law,
                                  .contact_count = 1,
                                  .inverse_inertia = W,
                                  .velocity = row->v,
                                  .contacts = &row->contact};
    CaromResult result = {0};
    carom_solve(&problem, NULL, &result);
    return (BatchFault){.column = "", .what = result.message};
}

size_t batch_row_write(const CaromOutcome *outcome, char *text) {
    const double *I = outcome->impulse, *v = outcome->velocity;
    if (outcome->status < 0 && !isfinite(I[2])) {
        /* without the sign of a NaN */
        return (size_t)snprintf(text, BATCH_ROW_BYTES, "nan,nan,nan,nan,nan,nan,,%s\n",
                                carom_status_string(outcome->status));
    }
    return (size_t)snprintf(text, BATCH_ROW_BYTES, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%s,%s\n",
                            I[0], I[1], I[2], v[0], v[1], v[2], outcome->sequence,
                            carom_status_string(outcome->status));
}

CaromOutcome batch_row_invalid(void) {
    return (CaromOutcome){
        .impulse = {NAN, NAN, NAN}, .velocity = {NAN, NAN, NAN}, .status = CAROM_INVALID_INPUT};
}
