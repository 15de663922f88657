/* One measured impact: its predicted numbers and their derivatives.
 *
 * The derivative of the impulse is that of carom_differentiate(). Where it has none (a parameter on
 * an edge, several compliant contacts, a kink) the outcome's central differences take its place. */
#include "estimate/row.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <carom/solve.h>

#include "estimate/inputs.h"

/* Step of a difference, of the parameter's size: outcomes are right to some 1e-14, so that 1e-5
 * leaves errors of 1e-9 and 1e-10. */
#define STEP 1e-5

RowRoom *crm_row_room(size_t reader) {
    RowRoom *room = calloc(1, sizeof *room);
    if (room && reader > 0) {
        room->row.room = calloc(1, reader);
        if (!room->row.room) {
            free(room);
            return NULL;
        }
    }
    return room;
}

/* Several contacts need a workspace, which is large: it is taken when it is needed first. */
static bool has_workspace(RowRoom *room, int contacts) {
    if (contacts > 1 && !room->workspace) {
        size_t size = carom_derivative_workspace(CAROM_FIT_CONTACTS_MAX);
        room->workspace = malloc((size + 1) * sizeof *room->workspace);
    }
    return contacts == 1 || room->workspace;
}

void crm_row_room_free(RowRoom *room) {
    if (room) {
        free(room->workspace);
        free(room->row.room);
        free(room);
    }
}

bool crm_row_uncertain(const CaromFitRow *row) {
    return row->velocity_sigma || row->uncertain_count > 0;
}

int crm_row_size(const CaromFitRow *row) {
    return row->problem.contact_count * (row->problem.planar ? 2 : 3);
}

static void set_coefficient(CaromContact *contact, CaromCoefficient which, double value) {
    switch (which) {
    case CAROM_COEFFICIENT_MU:
        /* mu_static stays above mu; equal to it, it goes with it */
        contact->mu_static = contact->mu_static > contact->mu ? fmax(contact->mu_static, value) : 0;
        contact->mu = value;
        break;
    case CAROM_COEFFICIENT_MU_STATIC:
        contact->mu_static = value;
        break;
    case CAROM_COEFFICIENT_E:
        contact->e = value;
        break;
    case CAROM_COEFFICIENT_STIFFNESS:
        contact->stiffness = value;
        break;
    default:
        contact->stiffness_ratio = value;
    }
}

/* The row's problem with values of the parameters; contacts has room for all of them. */
static CaromProblem fill_problem(const CaromFitRow *row, const CaromFitParameter *parameters,
                                 int count, const double *values, CaromContact *contacts) {
    CaromProblem problem = row->problem;
    int n = problem.contact_count;
    memcpy(contacts, problem.contacts, (size_t)n * sizeof *contacts);
    for (int k = 0; k < count; k++) {
        const CaromFitParameter *parameter = &parameters[k];
        for (int i = 0; i < n; i++) {
            if (parameter->contact == CAROM_FIT_ALL_CONTACTS || parameter->contact == i) {
                set_coefficient(&contacts[i], parameter->coefficient, values[k]);
            }
        }
    }
    problem.contacts = contacts;
    return problem;
}

static CaromStatus solve(RowRoom *room, const CaromProblem *problem, double *impulse) {
    CaromResult result = {.impulse = impulse, .velocity = room->velocity};
    CaromStatus status = carom_solve(problem, NULL, &result);
    memcpy(room->sequence, result.sequence, sizeof room->sequence);
    return status;
}

void crm_row_measure(const CaromFitRow *row, const double *impulse, double *numbers) {
    int m = crm_row_size(row);
    for (int i = 0; i < row->count; i++) {
        numbers[i] = row->offset[i];
        for (int j = 0; j < m; j++) {
            numbers[i] += row->gain[i * m + j] * impulse[j];
        }
    }
}

/* A column of by_parameter from the slopes of the impulse. False: one of them does not exist. */
static bool chain(RowRoom *room, const CaromFitParameter *parameter, int column,
                  const CaromInputs *inputs) {
    const CaromFitRow *row = &room->row;
    int m = inputs->rows, n = row->problem.contact_count;
    double by[ROW_NUMBERS] = {0};
    for (int k = 0; k < n; k++) {
        if (parameter->contact != CAROM_FIT_ALL_CONTACTS && parameter->contact != k) {
            continue;
        }
        int at = carom_input_coefficient(inputs, k, parameter->coefficient);
        for (int j = 0; j < m; j++) {
            by[j] += room->slope[j * inputs->count + at];
            if (!isfinite(by[j])) {
                return false;
            }
        }
    }
    for (int i = 0; i < row->count; i++) {
        double sum = 0;
        for (int j = 0; j < m; j++) {
            sum += row->gain[i * m + j] * by[j];
        }
        room->by_parameter[i * CAROM_FIT_PARAMETERS_MAX + column] = sum;
    }
    return true;
}

/* A column by differences, within the bounds. False: the neighbours have no outcome. */
static bool difference(RowRoom *room, const CaromFitParameter *parameters, int count,
                       const double *values, int column) {
    double size = fmax(fabs(values[column]), 0.01), moved[CAROM_FIT_PARAMETERS_MAX];
    double ends[2], numbers[2][CAROM_FIT_MEASURED_MAX];
    const CaromFitParameter *parameter = &parameters[column];
    for (int side = 0; side < 2; side++) {
        CaromContact contacts[CAROM_FIT_CONTACTS_MAX];
        double impulse[ROW_NUMBERS];
        memcpy(moved, values, (size_t)count * sizeof *moved);
        ends[side] = values[column] + (side ? STEP : -STEP) * size;
        ends[side] = fmin(fmax(ends[side], parameter->low), parameter->high);
        moved[column] = ends[side];
        CaromProblem problem = fill_problem(&room->row, parameters, count, moved, contacts);
        if (solve(room, &problem, impulse) < 0) {
            return false;
        }
        crm_row_measure(&room->row, impulse, numbers[side]);
    }
    for (int i = 0; i < room->row.count; i++) {
        room->by_parameter[i * CAROM_FIT_PARAMETERS_MAX + column] =
            ends[1] > ends[0] ? (numbers[1][i] - numbers[0][i]) / (ends[1] - ends[0]) : 0;
    }
    room->differences = true;
    return true;
}

CaromStatus crm_row_predict(RowRoom *room, const CaromFitParameter *parameters, int count,
                            const double *values, bool slopes, bool by_inputs) {
    CaromContact contacts[CAROM_FIT_CONTACTS_MAX];
    CaromProblem problem = fill_problem(&room->row, parameters, count, values, contacts);
    CaromInputs inputs = carom_inputs(problem.contact_count, problem.planar);
    if (!slopes && !by_inputs) {
        CaromStatus plain = solve(room, &problem, room->impulse);
        crm_row_measure(&room->row, room->impulse, room->predicted);
        return plain;
    }
    if (!has_workspace(room, problem.contact_count)) {
        return CAROM_NOT_CONVERGED;
    }
    CaromResult result = {.impulse = room->impulse, .velocity = room->velocity};
    CaromDerivative derivative = {.impulse = room->slope};
    CaromStatus status = carom_differentiate(&problem, room->workspace, &result, &derivative);
    bool known = status >= 0;
    memcpy(room->sequence, result.sequence, sizeof room->sequence);
    if (!known && (status = solve(room, &problem, room->impulse)) < 0) {
        return status;
    }
    crm_row_measure(&room->row, room->impulse, room->predicted);
    if (by_inputs && !crm_inputs_chain(room, &problem, known)) {
        return CAROM_NOT_CONVERGED;
    }
    char sequence[CAROM_SEQUENCE_SIZE];
    memcpy(sequence, room->sequence, sizeof sequence);
    for (int k = 0; k < count && slopes; k++) {
        if (!(known && chain(room, &parameters[k], k, &inputs)) &&
            !difference(room, parameters, count, values, k)) {
            return CAROM_NOT_CONVERGED;
        }
    }
    memcpy(room->sequence, sequence, sizeof sequence);
    return status;
}

const char *crm_row_reason(RowRoom *room, const CaromFitParameter *parameters, int count,
                           const double *values) {
    CaromContact contacts[CAROM_FIT_CONTACTS_MAX];
    CaromProblem problem = fill_problem(&room->row, parameters, count, values, contacts);
    CaromResult result = {0};
    carom_solve(&problem, NULL, &result);
    return result.message;
}

CaromStatus carom_fit_predict(const CaromFitRow *row, const CaromFitParameter *parameters,
                              int count, const double *values, double *predicted, char *sequence) {
    RowRoom *room = row && parameters && values && predicted ? crm_row_room(0) : NULL;
    if (!room) {
        return CAROM_INVALID_INPUT;
    }
    room->row = *row;
    room->row.room = NULL; /* the caller's */
    CaromStatus status = crm_row_predict(room, parameters, count, values, false, false);
    for (int i = 0; i < row->count; i++) {
        predicted[i] = status < 0 ? NAN : room->predicted[i];
    }
    if (sequence) {
        memcpy(sequence, room->sequence, sizeof room->sequence);
    }
    crm_row_room_free(room);
    return status;
}
