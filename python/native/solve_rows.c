/* Solving, events, traces and derivatives of problems in contact space. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "batch_rows.h"
#include "rows.h"

/* Contacts of a row without memory of their own. */
enum { FEW = CAROM_STACK_CONTACTS };

/* Room for the contacts of a row: the given one if they are few. NULL: no memory. */
static CaromContact *take_contacts(const Problems *problems, CaromContact few[FEW]) {
    return problems->contacts <= FEW ? few : malloc((size_t)problems->contacts * sizeof *few);
}

static void give_contacts(CaromContact *contacts, const CaromContact *few) {
    if (contacts != few) {
        free(contacts);
    }
}

static const char no_memory[] = "out of memory";

enum { ENERGIES = 7 };
_Static_assert(sizeof(CaromEnergy) == ENERGIES * sizeof(double), "all doubles");

typedef struct Solve {
    const Shape *shape;
    const Problems *problems;
    CaromOptions options;
    const RowOutcomes *out;
    int impulse_law;
} Solve;

/* Write what a result holds beside its arrays. count: of all rows. */
static void write_outcome(const CaromResult *result, int64_t row, int64_t count,
                          const RowOutcomes *out) {
    rows_end(row, result->status, result->message, out->status, out->message);
    if (out->energy) {
        const double *energy = (const double *)&result->energy;
        for (int i = 0; i < ENERGIES; i++) {
            out->energy[i * count + row] = energy[i];
        }
    }
    if (out->error) {
        out->error[row] = result->error;
    }
    if (out->event_count) {
        out->event_count[row] = result->event_count;
    }
    if (out->solutions) {
        out->solutions[row] = result->solutions;
    }
    if (out->work) {
        out->work[row] = result->work;
    }
    if (out->ambiguous) {
        out->ambiguous[row] = (uintptr_t)result->ambiguous;
    }
    rows_jump(&result->jump, row, out);
    if (out->sequence) {
        memcpy(&out->sequence[CAROM_SEQUENCE_SIZE * row], result->sequence, CAROM_SEQUENCE_SIZE);
    }
}

static void fail_outcome(const Solve *solve, int64_t row) {
    size_t m = (size_t)problems_size(solve->problems);
    CaromResult none = {.status = CAROM_NOT_CONVERGED,
                        .message = no_memory,
                        .ambiguous = "",
                        .jump = {INFINITY, -1, ""}};
    rows_nan((double *)&none.energy, sizeof none.energy / sizeof(double));
    rows_nan(solve->out->impulse + (size_t)row * m, m);
    rows_nan(solve->out->velocity + (size_t)row * m, m);
    write_outcome(&none, row, solve->shape->count, solve->out);
}

/* One contact by the impulse-level law: that of a mechanism whose speeds are the contact's own. */
static void strike_one(const CaromProblem *problem, CaromResult *result) {
    static const double identity[2][9] = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {1, 0, 0, 1}};
    enum { ROOM = 512 };
    int m = problem->planar ? 2 : 3;
    double u[3], workspace[ROOM];
    const CaromStrike strike = {.speed_count = m,
                                .contact_count = 1,
                                .planar = problem->planar,
                                .R = problem->inverse_inertia,
                                .J = identity[problem->planar != 0],
                                .contacts = problem->contacts};
    memcpy(u, problem->velocity, (size_t)m * sizeof *u);
    carom_strike_solve(&strike, u, carom_strike_workspace(m, 1) <= ROOM ? workspace : NULL, result);
}

static void solve_part(const void *context, int64_t from, int64_t to) {
    const Solve *solve = context;
    const RowOutcomes *out = solve->out;
    int m = problems_size(solve->problems);
    CaromContact few[FEW], *contacts = take_contacts(solve->problems, few);
    for (int64_t row = from; row < to; row++) {
        if (!contacts) {
            fail_outcome(solve, row);
            continue;
        }
        CaromProblem problem = problems_at(solve->shape, solve->problems, row, contacts);
        CaromResult result = {.impulse = &out->impulse[row * m],
                              .velocity = &out->velocity[row * m]};
        if (solve->impulse_law && problem.contact_count == 1) {
            strike_one(&problem, &result);
        } else {
            carom_solve(&problem, &solve->options, &result);
        }
        write_outcome(&result, row, solve->shape->count, out);
    }
    give_contacts(contacts, few);
}

void rows_solve(const Shape *shape, const Problems *problems, const Settings *settings,
                const RowOutcomes *out) {
    if (batch_suits(problems, settings, out)) {
        BatchRows batch = {shape, problems, out};
        rows_run(shape, problems_cost(problems), batch_part, &batch);
        return;
    }
    Solve solve = {shape, problems, settings_options(settings), out, settings->impulse_law};
    rows_run(shape, problems_cost(problems), solve_part, &solve);
}

typedef struct Events {
    Solve solve;
    const double *impulse;
    const int64_t *offset;
    RowEvent *events;
    const EventStates *states;
    unsigned char *changed; /* a flag per row */
} Events;

static void write_event(const CaromEvent *event, int64_t row, RowEvent *to) {
    *to = (RowEvent){.row = row,
                     .kind = event->kind,
                     .contact = event->contact,
                     .normal_impulse = event->normal_impulse,
                     .stored = event->stored,
                     .tangential = event->tangential};
    memcpy(to->impulse, event->impulse, sizeof to->impulse);
    memcpy(to->velocity, event->velocity, sizeof to->velocity);
}

/* The events of one row. Returns whether the impulse is another one than before, or memory is
 * missing. */
static int find_events(const Events *job, int64_t row, CaromContact *contacts) {
    int n = job->solve.problems->contacts, m = problems_size(job->solve.problems);
    int64_t at = job->offset[row];
    size_t count = (size_t)(job->offset[row + 1] - at), size = (size_t)m * sizeof(double);
    CaromEvent *events = malloc((count + 1) * sizeof *events);
    double *impulse = malloc(size);
    int changed = 1;
    if (events && impulse && contacts) {
        const EventStates *states = job->states;
        CaromProblem problem = problems_at(job->solve.shape, job->solve.problems, row, contacts);
        CaromSnapshots snapshots = {.impulse = states->impulse ? states->impulse + at * m : NULL,
                                    .velocity = states->velocity ? states->velocity + at * m : NULL,
                                    .stored = states->stored ? states->stored + at * n : NULL,
                                    .active = states->active ? states->active + at * n : NULL};
        CaromResult result = {.impulse = impulse,
                              .events = events,
                              .event_capacity = (int)count,
                              .snapshots = n > 1 ? &snapshots : NULL};
        carom_solve(&problem, &job->solve.options, &result);
        changed = (size_t)result.event_count != count ||
                  (result.status >= 0 && memcmp(impulse, &job->impulse[row * m], size) != 0);
        for (size_t i = 0; i < count && !changed; i++) {
            write_event(&events[i], row, &job->events[at + (int64_t)i]);
        }
    }
    free(events);
    free(impulse);
    return changed;
}

static void events_part(const void *context, int64_t from, int64_t to) {
    const Events *job = context;
    CaromContact few[FEW], *contacts = take_contacts(job->solve.problems, few);
    for (int64_t row = from; row < to; row++) {
        job->changed[row] = (unsigned char)find_events(job, row, contacts);
    }
    give_contacts(contacts, few);
}

static int64_t count_flags(const unsigned char *flags, int64_t count) {
    int64_t sum = 0;
    for (int64_t i = 0; i < count; i++) {
        sum += flags[i] != 0;
    }
    return sum;
}

int64_t rows_events(const Shape *shape, const Problems *problems, const Settings *settings,
                    const double *impulse, const int64_t *offset, RowEvent *events,
                    const EventStates *states) {
    Events job = {{shape, problems, settings_options(settings), NULL, 0},
                  impulse,
                  offset,
                  events,
                  states,
                  calloc((size_t)shape->count + 1, 1)};
    if (!job.changed) {
        return shape->count;
    }
    rows_run(shape, problems_cost(problems), events_part, &job);
    int64_t changed = count_flags(job.changed, shape->count);
    free(job.changed);
    return changed;
}

typedef struct TraceJob {
    const Shape *shape;
    const Problems *problems;
    const Traces *out;
} TraceJob;

static double *place(double *numbers, int64_t row, size_t size) {
    return numbers ? numbers + (size_t)row * size : NULL;
}

static void trace_row(const TraceJob *job, int64_t row, CaromContact *contacts) {
    const Traces *out = job->out;
    size_t samples = (size_t)out->samples, m = (size_t)problems_size(job->problems);
    size_t n = (size_t)job->problems->contacts, axes = m - n;
    CaromTrace trace = {.capacity = out->samples,
                        .clock = place(out->clock, row, samples),
                        .impulse = place(out->impulse, row, samples * m),
                        .velocity = place(out->velocity, row, samples * m),
                        .stored = place(out->stored, row, samples * n),
                        .tangential = place(out->tangential, row, samples * n),
                        .spring = place(out->spring, row, samples * axes),
                        .spring_rate = place(out->spring_rate, row, samples * axes),
                        .mode = (CaromMode *)(out->mode + (size_t)row * samples * n)};
    CaromResult result = {.status = CAROM_NOT_CONVERGED, .message = no_memory};
    if (contacts) {
        CaromProblem problem = problems_at(job->shape, job->problems, row, contacts);
        carom_trace(&problem, NULL, &trace, &result);
    }
    rows_end(row, result.status, result.message, out->status, out->message);
    if (result.status < 0) {
        rows_nan(trace.clock, samples);
        rows_nan(trace.impulse, samples * m);
        rows_nan(trace.velocity, samples * m);
        rows_nan(trace.stored, samples * n);
        rows_nan(trace.tangential, samples * n);
        rows_nan(trace.spring, samples * axes);
        rows_nan(trace.spring_rate, samples * axes);
        memset(trace.mode, -1, samples * n * sizeof *trace.mode);
    }
}

static void trace_part(const void *context, int64_t from, int64_t to) {
    const TraceJob *job = context;
    CaromContact few[FEW], *contacts = take_contacts(job->problems, few);
    for (int64_t row = from; row < to; row++) {
        trace_row(job, row, contacts);
    }
    give_contacts(contacts, few);
}

_Static_assert(sizeof(CaromMode) == sizeof(int32_t), "modes are written as int32_t");

void rows_trace(const Shape *shape, const Problems *problems, const Traces *out) {
    TraceJob job = {shape, problems, out};
    rows_run(shape, problems_cost(problems) * (out->samples / 8 + 1), trace_part, &job);
}
