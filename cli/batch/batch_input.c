/* The input of carom batch. */
#include "batch/batch_input.h"

#include <ctype.h>
#include <math.h>
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
            (is_long && text_is_near(name, batch_names[k]))) {
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

bool batch_input_find(const TableColumns *columns, BatchInput *input, Error *error) {
    input->passed_count = 0;
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
            input->place[k] = i;
            continue;
        }
        const char *near = near_name(name);
        if (near) {
            return error_set(error, "column \"%s\": unknown; \"%s\" is meant?", name, near);
        }
        input->passed[input->passed_count++] = i;
    }
    for (int k = 0; k < BATCH_REQUIRED; k++) {
        if (input->place[k] < 0) {
            return error_set(error, "column \"%s\": missing", batch_names[k]);
        }
    }
    return true;
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

/* The entries below the diagonal, where they are given, equal those above to rounding. */
static bool is_symmetric(const TableCell *cells, const BatchInput *input, const CaromCase *row,
                         BatchFault *fault) {
    static const int above[] = {1, 2, 4};
    double largest = fmax(fabs(row->W[0]), fmax(fabs(row->W[3]), fabs(row->W[5])));
    for (int k = 0; k < 3; k++) {
        int place = input->place[BELOW + k];
        double number;
        if (place < 0) {
            continue;
        }
        if (!table_cell_number(&cells[place], &number)) {
            return fail(fault, batch_names[BELOW + k], "not a finite number");
        }
        if (!(fabs(number - row->W[above[k]]) <= 1e-12 * largest)) {
            return fail(fault, batch_names[BELOW + k], "W must be symmetric");
        }
    }
    return true;
}

bool batch_input_read(const TableCell *cells, const BatchInput *input, CaromCase *row,
                      BatchFault *fault) {
    *row = (CaromCase){.contact = carom_contact_default()};
    double *numbers[BATCH_REQUIRED] = {&row->W[0], &row->W[1],       &row->W[2],     &row->W[3],
                                       &row->W[4], &row->W[5],       &row->v[0],     &row->v[1],
                                       &row->v[2], &row->contact.mu, &row->contact.e};
    for (int k = 0; k < BATCH_REQUIRED; k++) {
        if (!table_cell_number(&cells[input->place[k]], numbers[k])) {
            return fail(fault, batch_names[k], "not a finite number");
        }
    }
    return is_symmetric(cells, input, row, fault) &&
           read_contact(cells, input, &row->contact, fault) &&
           read_model_and_law(cells, input, row, fault);
}

void batch_input_matrix(const CaromCase *row, double W[9]) {
    const double *w = row->W;
    const double all[9] = {w[0], w[1], w[2], w[1], w[3], w[4], w[2], w[4], w[5]};
    memcpy(W, all, sizeof all);
}
