/* Derivatives of problems in contact space, forward by chosen inputs and in reverse by all. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "batch_rows.h"
#include "derivative_rows.h"

static const char no_memory[] = "out of memory";

DerivativeRoom derivative_room_take(const Problems *problems, int columns) {
    int n = problems->contacts;
    size_t m = (size_t)problems_size(problems);
    size_t inputs = (size_t)carom_inputs(n, problems->planar).count;
    size_t workspace = carom_derivative_workspace(n), matrix = columns ? m * inputs : 0;
    double *numbers = malloc((workspace + 2 * matrix + m + inputs) * sizeof *numbers);
    CaromContact *contacts = malloc((size_t)n * sizeof *contacts);
    DerivativeRoom room = {numbers, contacts, numbers, numbers, numbers, numbers, numbers};
    if (!numbers || !contacts) {
        derivative_room_give(&room);
        return (DerivativeRoom){0};
    }
    room.impulse_by = room.workspace + workspace;
    room.velocity_by = room.impulse_by + matrix;
    room.impulse = room.velocity_by + matrix;
    room.gradient = room.impulse + m;
    return room;
}

void derivative_room_give(DerivativeRoom *room) {
    free(room->numbers);
    free(room->contacts);
}

typedef struct Job {
    const Shape *shape;
    const Problems *problems;
    const double *impulse;
    const Derivatives *out;
    unsigned char *changed;
} Job;

/* The chosen columns of the derivatives of a row. */
static void choose_columns(const Job *job, const double *matrix, int64_t row, double *to) {
    int m = problems_size(job->problems), k = job->out->count;
    int inputs = carom_inputs(job->problems->contacts, job->problems->planar).count;
    for (int i = 0; to && i < m; i++) {
        for (int j = 0; j < k; j++) {
            to[(row * m + i) * k + j] = matrix[i * inputs + job->out->inputs[j]];
        }
    }
}

/* Kinks per row that are asked of the library at once. */
enum { KINKS_MAX = 64 };

static void write_kinks(const CaromDerivative *derivative, int64_t row, const Derivatives *out) {
    int found = derivative->kink_count < derivative->kink_capacity ? derivative->kink_count
                                                                   : derivative->kink_capacity;
    for (int i = 0; out->kinks && i < out->kink_count; i++) {
        RowKink *to = &out->kinks[row * out->kink_count + i];
        *to = (RowKink){.kind = -1, .contact = -1, .distance = INFINITY};
        if (i < found) {
            const CaromKink *kink = &derivative->kinks[i];
            *to = (RowKink){(int32_t)kink->kind, kink->contact, kink->happens, kink->jumps,
                            kink->distance};
        }
    }
}

/* Is it another impulse? Several contacts may be solved in other steps for their derivatives, so
 * that last digits differ; an input that was changed by so little has the same derivatives. */
static unsigned char is_changed(int m, const double *now, const double *before) {
    double size = 0, off = 0;
    for (int i = 0; i < m; i++) {
        size = fmax(size, fabs(before[i]));
        off = fmax(off, fabs(now[i] - before[i]));
    }
    return !(off <= 1e-9 * size);
}

static void differentiate_row(const Job *job, int64_t row, const DerivativeRoom *room) {
    int m = problems_size(job->problems);
    CaromProblem problem = problems_at(job->shape, job->problems, row, room->contacts);
    CaromKink kinks[KINKS_MAX];
    CaromResult result = {.impulse = room->impulse};
    CaromDerivative derivative = {.impulse = room->impulse_by,
                                  .velocity = room->velocity_by,
                                  .kinks = kinks,
                                  .kink_capacity = KINKS_MAX};
    CaromStatus status = carom_differentiate(&problem, room->workspace, &result, &derivative);
    int solved = result.status >= 0;
    job->changed[row] = solved && is_changed(m, room->impulse, &job->impulse[row * m]);
    choose_columns(job, room->impulse_by, row, job->out->impulse);
    choose_columns(job, room->velocity_by, row, job->out->velocity);
    write_kinks(&derivative, row, job->out);
    if (job->out->smoothness) {
        job->out->smoothness[row] = status >= 0 ? (int32_t)derivative.smoothness : -1;
    }
    rows_end(row, status, solved ? derivative.message : result.message, job->out->status,
             job->out->message);
}

/* Are the velocities of one spatial contact all that is asked for? There is a quick call for that.
 */
static bool by_velocity_alone(const Job *job) {
    const Derivatives *out = job->out;
    bool alone = job->problems->contacts == 1 && !job->problems->planar && out->kink_count == 0;
    int first = carom_inputs(1, 0).v;
    for (int j = 0; j < out->count && alone; j++) {
        alone = out->inputs[j] >= first && out->inputs[j] < first + 3;
    }
    return alone && out->count > 0;
}

/* False: the row is not rigid. */
static bool differentiate_velocity(const Job *job, int64_t row) {
    const Derivatives *out = job->out;
    CaromContact contact;
    CaromProblem problem = problems_at(job->shape, job->problems, row, &contact);
    double by_v[2][9], impulse[3], *to[2] = {out->impulse, out->velocity};
    CaromResult result = {.impulse = impulse};
    CaromSmoothness smoothness;
    int first = carom_inputs(1, 0).v, k = out->count;
    if (problem.model != CAROM_MODEL_RIGID) {
        return false;
    }
    CaromStatus status =
        carom_rigid_velocity_derivative(problem.inverse_inertia, problem.velocity, &contact,
                                        problem.law, &result, by_v[0], by_v[1], &smoothness);
    job->changed[row] = result.status >= 0 && is_changed(3, impulse, &job->impulse[row * 3]);
    for (int i = 0; i < 2; i++) {
        for (int entry = 0; to[i] && entry < 3 * k; entry++) {
            to[i][row * 3 * k + entry] = by_v[i][entry / k * 3 + out->inputs[entry % k] - first];
        }
    }
    if (out->smoothness) {
        out->smoothness[row] = status >= 0 ? (int32_t)smoothness : -1;
    }
    rows_end(row, status, result.message, out->status, out->message);
    return true;
}

/* Rows at a time by the batch call, which follows rigid contacts in SIMD lanes. */
enum { CASES = 512 };

typedef struct BatchRoom {
    CaromCase cases[CASES];
    CaromOutcome outcomes[CASES];
    CaromCaseDerivative derivatives[CASES];
} BatchRoom;

/* Is the batch call enough? It has one kink, and no messages. */
static bool suits_batch(const Job *job) {
    return job->problems->contacts == 1 && !job->problems->planar && job->out->kink_count == 0;
}

/* Up to CASES rows. Those that failed, or have no derivatives, are gone through again for their
 * messages. */
static void differentiate_batch(const Job *job, int64_t first, int64_t count, BatchRoom *batch,
                                const DerivativeRoom *room) {
    for (int64_t i = 0; i < count; i++) {
        batch->cases[i] = batch_case(job->shape, job->problems, first + i);
    }
    carom_batch_differentiate((size_t)count, batch->cases, batch->outcomes, batch->derivatives);
    for (int64_t i = 0; i < count; i++) {
        int64_t row = first + i;
        const CaromCaseDerivative *derivative = &batch->derivatives[i];
        if (batch->outcomes[i].status != CAROM_OK || derivative->smoothness == CAROM_NOT_SMOOTH) {
            differentiate_row(job, row, room);
            continue;
        }
        job->changed[row] = is_changed(3, batch->outcomes[i].impulse, &job->impulse[row * 3]);
        choose_columns(job, derivative->impulse, row, job->out->impulse);
        choose_columns(job, derivative->velocity, row, job->out->velocity);
        if (job->out->smoothness) {
            job->out->smoothness[row] = (int32_t)derivative->smoothness;
        }
        rows_end(row, CAROM_OK, "", job->out->status, job->out->message);
    }
}

static void fail_row(const Job *job, int64_t row) {
    size_t size = (size_t)(problems_size(job->problems) * job->out->count);
    CaromDerivative none = {0};
    job->changed[row] = 0;
    if (job->out->impulse) {
        rows_nan(job->out->impulse + (size_t)row * size, size);
    }
    if (job->out->velocity) {
        rows_nan(job->out->velocity + (size_t)row * size, size);
    }
    write_kinks(&none, row, job->out);
    if (job->out->smoothness) {
        job->out->smoothness[row] = -1;
    }
    rows_end(row, CAROM_NOT_CONVERGED, no_memory, job->out->status, job->out->message);
}

static void differentiate_part(const void *context, int64_t from, int64_t to) {
    const Job *job = context;
    DerivativeRoom room = derivative_room_take(job->problems, 1);
    bool quick = by_velocity_alone(job);
    BatchRoom *batch = !quick && room.numbers && suits_batch(job) ? malloc(sizeof *batch) : NULL;
    for (int64_t row = from; row < to; row++) {
        if (batch) {
            int64_t count = to - row < CASES ? to - row : CASES;
            differentiate_batch(job, row, count, batch, &room);
            row += count - 1;
            continue;
        }
        if (quick && differentiate_velocity(job, row)) {
            continue;
        }
        (void)(room.numbers ? differentiate_row(job, row, &room) : fail_row(job, row));
    }
    free(batch);
    derivative_room_give(&room);
}

int64_t rows_differentiate(const Shape *shape, const Problems *problems, const double *impulse,
                           const Derivatives *out) {
    unsigned char *changed = calloc((size_t)shape->count + 1, 1);
    Job job = {shape, problems, impulse, out, changed};
    if (!changed) {
        return shape->count;
    }
    rows_run(shape, 4 * problems_cost(problems), differentiate_part, &job);
    int64_t sum = 0;
    for (int64_t i = 0; i < shape->count; i++) {
        sum += changed[i];
    }
    free(changed);
    return sum;
}

typedef struct Reverse {
    const Shape *shape;
    const Problems *problems;
    const Rows *impulse_weight, *velocity_weight;
    double *gradient;
    int32_t *status;
    uintptr_t *message;
} Reverse;

static void reverse_part(const void *context, int64_t from, int64_t to) {
    const Reverse *job = context;
    int inputs = carom_inputs(job->problems->contacts, job->problems->planar).count;
    DerivativeRoom room = derivative_room_take(job->problems, 0);
    for (int64_t row = from; row < to; row++) {
        double *gradient = &job->gradient[row * inputs];
        if (!room.numbers) {
            rows_nan(gradient, (size_t)inputs);
            rows_end(row, CAROM_NOT_CONVERGED, no_memory, job->status, job->message);
            continue;
        }
        CaromProblem problem = problems_at(job->shape, job->problems, row, room.contacts);
        CaromResult result = {.impulse = room.impulse};
        CaromDerivative derivative = {0};
        CaromStatus status =
            carom_differentiate_reverse(&problem, rows_at(job->shape, job->impulse_weight, row),
                                        rows_at(job->shape, job->velocity_weight, row),
                                        room.workspace, &result, &derivative, gradient);
        rows_end(row, status, result.status >= 0 ? derivative.message : result.message, job->status,
                 job->message);
    }
    derivative_room_give(&room);
}

void rows_reverse(const Shape *shape, const Problems *problems, const Rows *impulse_weight,
                  const Rows *velocity_weight, double *gradient, int32_t *status,
                  uintptr_t *message) {
    Reverse job = {shape, problems, impulse_weight, velocity_weight, gradient, status, message};
    rows_run(shape, 4 * problems_cost(problems), reverse_part, &job);
}

int inputs_count(int contacts, int planar) {
    return carom_inputs(contacts, planar).count;
}

int input_W(int contacts, int planar, int i, int j) {
    CaromInputs inputs = carom_inputs(contacts, planar);
    return carom_input_W(&inputs, i, j);
}
