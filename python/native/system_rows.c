/* Mechanisms: to contact space, back to generalised speeds, and gradients in reverse. */
#include <stdlib.h>
#include <string.h>

#include "derivative_rows.h"

typedef struct Job {
    const Shape *shape;
    int n, m;
    const Rows *M, *J, *u;
    double *R;
    const Spaces *space;
} Job;

static const char no_memory[] = "out of memory";

static void space_part(const void *context, int64_t from, int64_t to) {
    const Job *job = context;
    size_t n = (size_t)job->n, m = (size_t)job->m;
    double *workspace = malloc(n * n * sizeof *workspace);
    for (int64_t row = from; row < to; row++) {
        const double *J = rows_at(job->shape, job->J, row);
        double *R = job->R + (size_t)row * m * n;
        double *W = job->space->W + (size_t)row * m * m, *v = job->space->v + (size_t)row * m;
        const char *message = no_memory;
        CaromStatus status = CAROM_NOT_CONVERGED;
        if (workspace) {
            status = carom_system_responses(job->n, rows_at(job->shape, job->M, row), job->m, J,
                                            workspace, R, &message);
        } else {
            rows_nan(R, m * n);
        }
        if (status >= 0) {
            status = carom_system_contact_space(job->n, job->m, J, R,
                                                rows_at(job->shape, job->u, row), W, v, &message);
        } else {
            rows_nan(W, m * m);
            rows_nan(v, m);
        }
        rows_end(row, status, message, job->space->status, job->space->message);
    }
    free(workspace);
}

void rows_system_space(const Shape *shape, int n, int m, const Rows *M, const Rows *J,
                       const Rows *u, double *R, const Spaces *out) {
    Job job = {shape, n, m, M, J, u, R, out};
    rows_run(shape, (int64_t)n * n * (n + m) / 500 + 1, space_part, &job);
}

typedef struct ApplyJob {
    const Shape *shape;
    int n, m;
    const Rows *R, *impulse, *u;
    double *after;
} ApplyJob;

static void apply_part(const void *context, int64_t from, int64_t to) {
    const ApplyJob *job = context;
    size_t n = (size_t)job->n;
    for (int64_t row = from; row < to; row++) {
        double *u = job->after + (size_t)row * n;
        memcpy(u, rows_at(job->shape, job->u, row), n * sizeof *u);
        carom_system_apply(job->n, job->m, rows_at(job->shape, job->R, row),
                           rows_at(job->shape, job->impulse, row), u);
    }
}

void rows_system_apply(const Shape *shape, int n, int m, const Rows *R, const Rows *impulse,
                       const Rows *u, double *after) {
    ApplyJob job = {shape, n, m, R, impulse, u, after};
    rows_run(shape, (int64_t)n * m / 100 + 1, apply_part, &job);
}

typedef struct ReverseJob {
    const Shape *shape;
    int n;
    const Rows *M, *J, *u;
    const Problems *problems;
    const Rows *weights;
    double *by_u, *by_M, *by_J, *by_problem;
    int32_t *status;
    uintptr_t *message;
} ReverseJob;

/* Memory of a thread: the responses of J and of the weights, a factor. */
typedef struct SystemRoom {
    double *numbers, *R, *response, *factor;
} SystemRoom;

static CaromStatus reverse_row(const ReverseJob *job, int64_t row, const SystemRoom *system,
                               const DerivativeRoom *room, double *by_problem,
                               const char **message) {
    int n = job->n, m = problems_size(job->problems);
    size_t size = (size_t)n, at = (size_t)row;
    const double *M = rows_at(job->shape, job->M, row), *J = rows_at(job->shape, job->J, row);
    const double *u = rows_at(job->shape, job->u, row);
    const double *weights = rows_at(job->shape, job->weights, row);
    CaromStatus status = carom_system_responses(n, M, m, J, system->factor, system->R, message);
    if (status >= 0) {
        status =
            carom_system_responses(n, M, 1, weights, system->factor, system->response, message);
    }
    if (status < 0) {
        return status;
    }
    carom_system_weigh(n, m, system->R, weights, room->gradient);
    CaromProblem problem = problems_at(job->shape, job->problems, row, room->contacts);
    CaromResult result = {.impulse = room->impulse};
    CaromDerivative derivative = {0};
    status = carom_differentiate_reverse(&problem, room->gradient, NULL, room->workspace, &result,
                                         &derivative, by_problem);
    *message = result.status >= 0 ? derivative.message : result.message;
    if (result.status >= 0) {
        carom_system_gradient(n, m, J, system->R, u, room->impulse, weights, system->response,
                              by_problem, job->by_u + at * size, job->by_M + at * size * size,
                              job->by_J + at * size * (size_t)m);
    }
    return status;
}

static void reverse_part(const void *context, int64_t from, int64_t to) {
    const ReverseJob *job = context;
    size_t n = (size_t)job->n, m = (size_t)problems_size(job->problems);
    size_t inputs = (size_t)carom_inputs(job->problems->contacts, job->problems->planar).count;
    DerivativeRoom room = derivative_room_take(job->problems, 0);
    double *numbers = malloc((m * n + n + n * n) * sizeof *numbers);
    SystemRoom system = {numbers, numbers, numbers, numbers};
    if (numbers) {
        system.response = system.R + m * n;
        system.factor = system.response + n;
    }
    for (int64_t row = from; row < to; row++) {
        size_t at = (size_t)row;
        const char *message = no_memory;
        CaromStatus status = CAROM_NOT_CONVERGED;
        rows_nan(job->by_u + at * n, n);
        rows_nan(job->by_M + at * n * n, n * n);
        rows_nan(job->by_J + at * n * m, n * m);
        rows_nan(job->by_problem + at * inputs, inputs);
        if (numbers && room.numbers) {
            status = reverse_row(job, row, &system, &room, job->by_problem + at * inputs, &message);
        }
        rows_end(row, status, message, job->status, job->message);
    }
    free(numbers);
    derivative_room_give(&room);
}

void rows_system_reverse(const Shape *shape, int n, const Rows *M, const Rows *J, const Rows *u,
                         const Problems *problems, const Rows *weights, double *by_u, double *by_M,
                         double *by_J, double *by_problem, int32_t *status, uintptr_t *message) {
    ReverseJob job = {shape, n,    M,    J,          u,      problems, weights,
                      by_u,  by_M, by_J, by_problem, status, message};
    rows_run(shape, 5 * problems_cost(problems), reverse_part, &job);
}
