/* The direct calls for one rigid contact. */
#include <carom/batch.h>
#include <carom/rigid.h>
#include <carom/trace.h>

#include <string.h>

#include "core/check.h"
#include "rigid/exact.h"
#include "rigid/rigid.h"

CaromStatus rigid_check(const double W[9], const double v[3], const CaromContact *contact,
                        const char **message) {
    CaromStatus status = check_contact(contact, message);
    if (!status) {
        status = check_matrix(W, 3, message);
    }
    return status ? status : check_velocity(v, 1, 3, message);
}

/* By the copy of the solver that suits the processor. */
static CaromStatus solve(const double W[9], const double v[3], const CaromContact *contact,
                         CaromLaw law, Sampler *sampler, CaromResult *result) {
#ifdef CAROM_FMA
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        return exact_solve_fma(W, v, contact, law, sampler, result);
    }
#endif
    return exact_solve(W, v, contact, law, sampler, result);
}

CaromStatus carom_rigid_solve(const double W[9], const double v[3], const CaromContact *contact,
                              CaromLaw law, CaromResult *result) {
    return solve(W, v, contact, law, NULL, result);
}

CaromStatus rigid_trace(const double W[9], const double v[3], const CaromContact *contact,
                        CaromLaw law, CaromTrace *trace, CaromResult *result) {
    double impulse[3];
    CaromResult first = {.impulse = impulse};
    CaromStatus status = solve(W, v, contact, law, NULL, &first);
    if (status < 0) {
        return result_fail(result, 1, status, first.message);
    }
    /* the impact's own clock runs in units of -v_n/W_nn */
    Sampler sampler = {trace, impulse[2] / (-v[2] / W[8]) / (trace->capacity - 1), 0};
    status = solve(W, v, contact, law, &sampler, result);
    trace->count = trace->capacity;
    return status;
}

void carom_batch_solve(size_t count, const CaromCase *cases, CaromOutcome *outcomes) {
    for (size_t i = 0; i < count; i++) {
        const CaromCase *c = &cases[i];
        CaromOutcome *out = &outcomes[i];
        const double *w = c->W;
        double W[9] = {w[0], w[1], w[2], w[1], w[3], w[4], w[2], w[4], w[5]};
        CaromProblem problem = {c->model, c->law, 1, W, c->v, &c->contact, 0};
        CaromResult result = {.impulse = out->impulse, .velocity = out->velocity};
        out->status = carom_solve(&problem, NULL, &result);
        memcpy(out->sequence, result.sequence, sizeof out->sequence);
    }
}
