/* The process of an impact at equal steps of its clock: one solve to learn where the clock ends, a
 * second one to take the samples. */
#include <carom/trace.h>

#include <math.h>
#include <stdlib.h>

#include "contact/check.h"
#include "contact/result.h"
#include "solve/solve.h"

/* Contacts whose impulses fit on the stack. */
enum { TRACE_CONTACTS = CAROM_STACK_CONTACTS };

/* The normal impulse of all contacts together. */
static double end_of_clock(const CaromProblem *problem, const double *impulse) {
    int rows = problem->planar ? 2 : 3;
    double sum = 0;
    for (int i = 0; i < problem->contact_count; i++) {
        sum += impulse[i * rows + rows - 1];
    }
    return sum;
}

static CaromStatus solve_twice(const CaromProblem *problem, const CaromOptions *options,
                               CaromTrace *trace, double *impulse, CaromResult *result) {
    CaromResult first = {.impulse = impulse};
    CaromStatus status = crm_solve(problem, options, NULL, &first);
    int entries = (problem->planar ? 2 : 3) * problem->contact_count;
    if (status < 0 && !(status == CAROM_NOT_CONVERGED && isfinite(first.error))) {
        return crm_result_fail(result, entries, status, first.message);
    }
    Sampler sampler = {.trace = trace,
                       .step = end_of_clock(problem, impulse) / (trace->capacity - 1)};
    status = crm_solve(problem, options, &sampler, result);
    trace->count = sampler.next == trace->capacity ? trace->capacity : 0;
    return status;
}

CaromStatus carom_trace(const CaromProblem *problem, const CaromOptions *options, CaromTrace *trace,
                        CaromResult *result) {
    double stack[3 * TRACE_CONTACTS], *impulse = stack;
    CaromResult none = {0};
    int entries = problem_entries(problem);
    const char *message = crm_check_arrays(problem);
    result = result ? result : &none;
    if (trace) {
        trace->count = 0;
    }
    if (*message) {
        return crm_result_fail(result, entries, CAROM_INVALID_INPUT, message);
    }
    if (!trace || trace->capacity < 2) {
        message = trace ? "trace: capacity must be at least 2" : "trace must not be NULL";
    } else if (options && options->method != CAROM_METHOD_EXACT) {
        message = "method: a trace is taken by exact only";
    }
    if (!*message && problem->model == CAROM_MODEL_RIGID && problem->contact_count > 1) {
        message = "trace: several rigid contacts have no process";
    }
    if (*message) {
        return crm_result_fail(result, entries, CAROM_INVALID_INPUT, message);
    }
    if (problem->contact_count > TRACE_CONTACTS) {
        impulse = malloc((size_t)entries * sizeof *impulse);
        if (!impulse) {
            return crm_result_fail(result, entries, CAROM_NOT_CONVERGED, "out of memory");
        }
    }
    CaromStatus status = solve_twice(problem, options, trace, impulse, result);
    if (impulse != stack) {
        free(impulse);
    }
    return status;
}
