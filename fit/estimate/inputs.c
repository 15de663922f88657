/* How the predicted numbers of a row change with its inputs that are not exact.
 *
 * To first order by the exact derivative of the impulse. Where that does not exist (a kink, a
 * problem that cannot be differentiated) by the difference of the outcomes one standard deviation
 * to either side: a derivative left out would make the error too small. */
#include "estimate/inputs.h"

#include <math.h>
#include <string.h>

#include <carom/solve.h>

/* Where the outcome one standard deviation away does not exist, the step shrinks by 8, so often. */
enum { SHRINKS = 6 };

/* An input as a direction: how W, v, offset and gain change with it. */
typedef struct Direction {
    double sigma;
    double W[ROW_NUMBERS * ROW_NUMBERS], v[ROW_NUMBERS];
    double offset[CAROM_FIT_MEASURED_MAX], gain[CAROM_FIT_MEASURED_MAX * ROW_NUMBERS];
} Direction;

static void add(int count, const double *from, double factor, const double *change, double *sum) {
    for (int i = 0; i < count; i++) {
        sum[i] = from[i] + factor * change[i];
    }
}

/* The numbers with the input changed by step. */
static bool move(const CaromFitRow *row, const CaromProblem *problem, const Direction *input,
                 double step, double *numbers) {
    int m = crm_row_size(row), n = row->count;
    double W[ROW_NUMBERS * ROW_NUMBERS], v[ROW_NUMBERS], impulse[ROW_NUMBERS];
    double offset[CAROM_FIT_MEASURED_MAX], gain[CAROM_FIT_MEASURED_MAX * ROW_NUMBERS];
    CaromProblem moved = *problem;
    CaromFitRow at = *row;
    CaromResult result = {.impulse = impulse};
    add(m * m, problem->inverse_inertia, step, input->W, W);
    add(m, problem->velocity, step, input->v, v);
    add(n, row->offset, step, input->offset, offset);
    add(n * m, row->gain, step, input->gain, gain);
    moved.inverse_inertia = W;
    moved.velocity = v;
    at.offset = offset;
    at.gain = gain;
    if (carom_solve(&moved, NULL, &result) < 0) {
        return false;
    }
    crm_row_measure(&at, impulse, numbers);
    return true;
}

/* The effect by differences, of both sides or of the one that has an outcome. */
static bool difference(RowRoom *room, const CaromProblem *problem, const Direction *input,
                       double *effect) {
    const CaromFitRow *row = &room->row;
    double low[CAROM_FIT_MEASURED_MAX], high[CAROM_FIT_MEASURED_MAX], step = input->sigma;
    for (int i = 0; i < SHRINKS; i++, step /= 8) {
        bool below = move(row, problem, input, -step, low);
        bool above = move(row, problem, input, step, high);
        for (int k = 0; k < row->count; k++) {
            effect[k] =
                ((above ? high[k] : room->predicted[k]) - (below ? low[k] : room->predicted[k])) /
                (step * (above + below));
        }
        if (above || below) {
            room->differences = true;
            return true;
        }
    }
    return false;
}

/* The effect by the derivative of the impulse. False: it does not exist. */
static bool chain(const RowRoom *room, const Direction *input, double *effect) {
    const CaromFitRow *row = &room->row;
    CaromInputs inputs = carom_inputs(row->problem.contact_count, row->problem.planar);
    int m = inputs.rows;
    double impulse[ROW_NUMBERS];
    for (int j = 0; j < m; j++) {
        const double *slope = &room->slope[j * inputs.count];
        impulse[j] = 0;
        for (int k = 0; k < m; k++) {
            /* a derivative that does not exist counts only where the input acts */
            impulse[j] += input->v[k] != 0 ? slope[inputs.v + k] * input->v[k] : 0;
            for (int l = k; l < m; l++) { /* both mirrored entries of W at once */
                double change = input->W[k * m + l];
                impulse[j] += change != 0 ? slope[carom_input_W(&inputs, k, l)] * change : 0;
            }
        }
        if (!isfinite(impulse[j])) {
            return false;
        }
    }
    for (int i = 0; i < row->count; i++) {
        effect[i] = input->offset[i];
        for (int j = 0; j < m; j++) {
            effect[i] +=
                row->gain[i * m + j] * impulse[j] + input->gain[i * m + j] * room->impulse[j];
        }
    }
    return true;
}

/* A component of the velocity before. The offset of a number that is a contact velocity (its gain
 * is a row of W) is that component itself; others do not change with it. */
static void velocity_direction(const CaromFitRow *row, int k, Direction *input) {
    int m = crm_row_size(row);
    memset(input->W, 0, (size_t)(m * m) * sizeof *input->W);
    memset(input->v, 0, (size_t)m * sizeof *input->v);
    memset(input->gain, 0, (size_t)(row->count * m) * sizeof *input->gain);
    input->sigma = row->velocity_sigma[k];
    input->v[k] = 1;
    for (int i = 0; i < row->count; i++) {
        input->offset[i] = memcmp(row->gain + i * m, row->problem.inverse_inertia + k * m,
                                  (size_t)m * sizeof(double)) == 0;
    }
}

static void uncertain_direction(const CaromFitRow *row, int k, Direction *input) {
    size_t m = (size_t)crm_row_size(row), n = (size_t)row->count;
    const CaromFitUncertain *from = &row->uncertain[k];
    input->sigma = from->sigma;
    memcpy(input->W, from->inverse_inertia, m * m * sizeof *input->W);
    memcpy(input->v, from->velocity, m * sizeof *input->v);
    memcpy(input->offset, from->offset, n * sizeof *input->offset);
    memcpy(input->gain, from->gain, n * m * sizeof *input->gain);
}

bool crm_inputs_chain(RowRoom *room, const CaromProblem *problem, bool known) {
    const CaromFitRow *row = &room->row;
    int m = row->velocity_sigma ? crm_row_size(row) : 0;
    double effect[CAROM_FIT_MEASURED_MAX];
    Direction input;
    for (int k = 0; k < m + row->uncertain_count; k++) {
        k < m ? velocity_direction(row, k, &input) : uncertain_direction(row, k - m, &input);
        memset(effect, 0, (size_t)row->count * sizeof *effect);
        if (input.sigma > 0 && !(known && chain(room, &input, effect)) &&
            !difference(room, problem, &input, effect)) {
            return false;
        }
        for (int i = 0; i < row->count; i++) {
            double *to = k < m ? &room->by_velocity[i * ROW_NUMBERS + k]
                               : &room->by_uncertain[i * CAROM_FIT_UNCERTAIN_MAX + k - m];
            *to = effect[i];
        }
    }
    return true;
}
