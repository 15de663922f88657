/* The input of carom batch. */
#include "batch/batch_input.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/text.h"
#include "scene/scene.h"

/* First the required numbers, then the optional columns. Those below the diagonal come with whole
 * matrices and must equal those above. */
enum {
    MU = 9,
    E = 10,
    MU_STATIC = 11,
    STIFFNESS_RATIO = 12,
    MODEL = 13,
    RESTITUTION = 14,
    BELOW = 15
};
const char *const batch_names[BATCH_KNOWN] = {"w11",
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
                                              "restitution",
                                              "w21",
                                              "w31",
                                              "w32"};

static bool differs_by_case(const char *a, const char *b) {
    while (*a && tolower((unsigned char)*a) == tolower((unsigned char)*b)) {
        a++;
        b++;
    }
    return *a == *b;
}

/* A name that is nearly a known one is a mistake. Short names are near to too many. */
static const char *near_name(const char *name) {
    for (int k = 0; k < BATCH_KNOWN; k++) {
        bool is_long = strlen(batch_names[k]) > 3;
        if (differs_by_case(name, batch_names[k]) ||
            (is_long && text_distance(name, batch_names[k]) <= 1)) {
            return batch_names[k];
        }
    }
    return NULL;
}

static int find_known(const char *name) {
    for (int k = 0; k < BATCH_KNOWN; k++) {
        if (strcmp(name, batch_names[k]) == 0) {
            return k;
        }
    }
    return -1;
}

/* Where the known numbers are in a CaromCase. */
static const size_t offsets[] = {[0] = offsetof(CaromCase, W[0]),
                                 [1] = offsetof(CaromCase, W[1]),
                                 [2] = offsetof(CaromCase, W[2]),
                                 [3] = offsetof(CaromCase, W[3]),
                                 [4] = offsetof(CaromCase, W[4]),
                                 [5] = offsetof(CaromCase, W[5]),
                                 [6] = offsetof(CaromCase, v[0]),
                                 [7] = offsetof(CaromCase, v[1]),
                                 [8] = offsetof(CaromCase, v[2]),
                                 [MU] = offsetof(CaromCase, contact.mu),
                                 [E] = offsetof(CaromCase, contact.e),
                                 [MU_STATIC] = offsetof(CaromCase, contact.mu_static),
                                 [STIFFNESS_RATIO] = offsetof(CaromCase, contact.stiffness_ratio)};

/* How a known column is read. */
static void add_known(BatchInput *input, int known, int column) {
    input->place[known] = column;
    if (known >= BELOW) {
        table_view_number(&input->below, column, (size_t)(known - BELOW) * sizeof(double));
    } else if (known < MODEL) {
        table_view_number(&input->view, column, offsets[known]);
    } else {
        input->has_names = true;
    }
}

/* Is the column one of y, the second tangent? */
static bool is_aside(int known) {
    static const bool aside[BATCH_KNOWN] = {
        [1] = true, [3] = true, [4] = true, [7] = true, [BELOW] = true, [BELOW + 2] = true};
    return aside[known];
}

/* A table without any column of y is planar; otherwise all of them must be there. */
static bool check_complete(BatchInput *input, Error *error) {
    input->planar = true;
    for (int k = 0; k < BATCH_KNOWN; k++) {
        input->planar = input->planar && !(is_aside(k) && input->place[k] >= 0);
    }
    for (int k = 0; k < BATCH_REQUIRED; k++) {
        if (input->place[k] < 0 && !(input->planar && is_aside(k))) {
            return error_set(error, "column \"%s\": missing", batch_names[k]);
        }
    }
    return true;
}

bool batch_input_find(const TableColumns *columns, BatchInput *input, Error *error) {
    *input = (BatchInput){.has_names = false};
    for (int k = 0; k < BATCH_KNOWN; k++) {
        input->place[k] = -1;
    }
    for (int i = 0; i < columns->count; i++) {
        const char *name = columns->list[i].name;
        if (name[0] == '\0') {
            return error_set(error, "column %d: has no name", i + 1);
        }
        if (table_find(columns, name) != i) {
            return error_set(error, "column \"%s\": given twice", name);
        }
        int k = find_known(name);
        if (k >= 0) {
            add_known(input, k, i);
            continue;
        }
        const char *near = near_name(name);
        if (near) {
            return error_set(error, "column \"%s\": unknown; \"%s\" is meant?", name, near);
        }
        table_view_cell(&input->view, i);
    }
    return check_complete(input, error);
}

static bool fail(BatchFault *fault, const char *column, const char *what) {
    *fault = (BatchFault){.column = column, .what = what};
    return false;
}

/* The cell of an optional column; NULL: absent or empty. */
static const TableCell *optional(const TableCell *cells, const BatchInput *input, int column) {
    int place = input->place[column];
    return place >= 0 && !table_cell_is_empty(&cells[place]) ? &cells[place] : NULL;
}

static bool read_model_and_law(const TableCell *cells, const BatchInput *input, CaromCase *row,
                               BatchFault *fault) {
    const TableCell *model = optional(cells, input, MODEL);
    const TableCell *law = optional(cells, input, RESTITUTION);
    row->model = CAROM_MODEL_RIGID;
    row->law = CAROM_LAW_ENERGETIC;
    if (model) {
        while (!table_cell_equals(model, scene_model_names[row->model])) {
            if (row->model == CAROM_MODEL_COMPLIANT) {
                return fail(fault, batch_names[MODEL], "must be rigid or compliant");
            }
            row->model++;
        }
    }
    if (law && !table_cell_equals(law, "bi_stiffness")) { /* another name of energetic */
        while (!table_cell_equals(law, scene_law_names[row->law])) {
            if (row->law == CAROM_LAW_NEWTON) {
                return fail(fault, batch_names[RESTITUTION],
                            "must be energetic, poisson or newton");
            }
            row->law++;
        }
    }
    /* conditions of the library, checked here to name the column */
    if (row->model == CAROM_MODEL_COMPLIANT && row->law != CAROM_LAW_ENERGETIC) {
        return fail(fault, batch_names[RESTITUTION],
                    "the compliant model takes the energetic law only");
    }
    if (row->model == CAROM_MODEL_COMPLIANT && row->contact.mu_static != row->contact.mu) {
        return fail(fault, batch_names[MU_STATIC], "must equal mu in the compliant model");
    }
    return true;
}

static bool read_contact(const TableCell *cells, const BatchInput *input, CaromContact *contact,
                         BatchFault *fault) {
    const TableCell *mu_static = optional(cells, input, MU_STATIC);
    const TableCell *ratio = optional(cells, input, STIFFNESS_RATIO);
    contact->mu_static = contact->mu;
    if (mu_static && !table_cell_number(mu_static, &contact->mu_static)) {
        return fail(fault, batch_names[MU_STATIC], "not a finite number");
    }
    if (ratio && !table_cell_number(ratio, &contact->stiffness_ratio)) {
        return fail(fault, batch_names[STIFFNESS_RATIO], "not a finite number");
    }
    /* the same ranges as in a scene */
    if (!(contact->mu >= 0)) {
        return fail(fault, batch_names[MU], "must be >= 0");
    }
    if (!(contact->e >= 0 && contact->e <= 1)) {
        return fail(fault, batch_names[E], "must be in [0, 1]");
    }
    if (!(contact->mu_static >= contact->mu)) {
        return fail(fault, batch_names[MU_STATIC], "must be at least mu");
    }
    if (!(contact->stiffness_ratio > 0)) {
        return fail(fault, batch_names[STIFFNESS_RATIO], "must be > 0");
    }
    return true;
}

/* An entry below the diagonal equals that above to rounding; k: the first, second or third. */
static bool is_symmetric(const CaromCase *row, int k, double number) {
    static const int above[] = {1, 2, 4};
    double largest = fmax(fabs(row->W[0]), fmax(fabs(row->W[3]), fabs(row->W[5])));
    return fabs(number - row->W[above[k]]) <= 1e-12 * largest;
}

static bool check_below(const TableCell *cells, const BatchInput *input, const CaromCase *row,
                        BatchFault *fault) {
    for (int k = 0; k < 3; k++) {
        int place = input->place[BELOW + k];
        double number;
        if (place < 0) {
            continue;
        }
        if (!table_cell_number(&cells[place], &number)) {
            return fail(fault, batch_names[BELOW + k], "not a finite number");
        }
        if (!is_symmetric(row, k, number)) {
            return fail(fault, batch_names[BELOW + k], "W must be symmetric");
        }
    }
    return true;
}

void batch_input_prepare(const BatchInput *input, CaromCase *cases, int count) {
    const CaromCase none = {.contact = carom_contact_default(), .planar = input->planar};
    for (int i = 0; i < count; i++) {
        cases[i] = none;
    }
}

bool batch_input_accept(const BatchInput *input, const double below[3], CaromCase *row) {
    const double *W = row->W, *v = row->v;
    CaromContact *contact = &row->contact;
    if (input->place[MU_STATIC] < 0) {
        contact->mu_static = contact->mu;
    }
    /* not 0 if one of them is not finite */
    double none = W[0] * 0 + W[1] * 0 + W[2] * 0 + W[3] * 0 + W[4] * 0 + W[5] * 0 + v[0] * 0 +
                  v[1] * 0 + v[2] * 0 + contact->mu_static * 0 + contact->stiffness_ratio * 0;
    bool good = none == 0 && contact->mu >= 0 && contact->e >= 0 && contact->e <= 1 &&
                contact->mu_static >= contact->mu && contact->stiffness_ratio > 0 &&
                !input->has_names;
    for (int k = 0; k < 3 && input->below.number_count > 0; k++) {
        good = good && (input->place[BELOW + k] < 0 || is_symmetric(row, k, below[k]));
    }
    return good;
}

bool batch_input_read(const TableCell *cells, const BatchInput *input, CaromCase *row,
                      BatchFault *fault) {
    *row = (CaromCase){.contact = carom_contact_default(), .planar = input->planar};
    double *numbers[BATCH_REQUIRED] = {&row->W[0], &row->W[1],       &row->W[2],     &row->W[3],
                                       &row->W[4], &row->W[5],       &row->v[0],     &row->v[1],
                                       &row->v[2], &row->contact.mu, &row->contact.e};
    for (int k = 0; k < BATCH_REQUIRED; k++) {
        int place = input->place[k];
        if (place >= 0 && !table_cell_number(&cells[place], numbers[k])) {
            return fail(fault, batch_names[k], "not a finite number");
        }
    }
    return check_below(cells, input, row, fault) &&
           read_contact(cells, input, &row->contact, fault) &&
           read_model_and_law(cells, input, row, fault);
}

void batch_input_matrix(const CaromCase *row, double W[9], double v[3]) {
    const double *w = row->W;
    const double all[9] = {w[0], w[1], w[2], w[1], w[3], w[4], w[2], w[4], w[5]};
    const double plane[4] = {w[0], w[2], w[2], w[5]};
    memcpy(W, all, sizeof all);
    memcpy(v, row->v, sizeof row->v);
    if (row->planar) {
        memcpy(W, plane, sizeof plane);
        v[1] = row->v[2];
    }
}
