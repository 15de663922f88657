/* Rows of single contacts by the batch call, which solves several at once in SIMD lanes but reports
 * only impulse, velocity, sequence and status. */
#include <string.h>

#include "batch_rows.h"

/* Cases at a time: as many as the batch call takes at once. */
enum { CASES = 512 };

int batch_suits(const Problems *problems, const Settings *settings, const RowOutcomes *out) {
    return problems->contacts == 1 && !settings->impulse_law &&
           settings->method == CAROM_METHOD_EXACT && settings->tolerance == 0 && !out->energy &&
           !out->error && !out->event_count && !out->solutions && !out->work;
}

/* A case holds one triangle of W; carom_solve() refuses W that is not symmetric, with a message. */
static int is_symmetric(const double *W, int planar) {
    return planar ? W[1] == W[2] : W[1] == W[3] && W[2] == W[6] && W[5] == W[7];
}

CaromCase batch_case(const Shape *shape, const Problems *problems, int64_t row) {
    CaromContact contact;
    CaromProblem problem = problems_at(shape, problems, row, &contact);
    const double *W = problem.inverse_inertia, *v = problem.velocity;
    CaromCase one = {
        .contact = contact, .model = problem.model, .law = problem.law, .planar = problem.planar};
    if (problem.planar) {
        one.W[0] = W[0];
        one.W[2] = W[1];
        one.W[5] = W[3];
        one.v[0] = v[0];
        one.v[2] = v[1];
    } else {
        memcpy(one.W, (double[6]){W[0], W[1], W[2], W[4], W[5], W[8]}, sizeof one.W);
        memcpy(one.v, v, sizeof one.v);
    }
    if (!is_symmetric(W, problem.planar)) {
        one.contact.mu = -1; /* fails at once, and is solved again for the message */
    }
    return one;
}

/* Failures are rare, and their message is not in the outcome. */
static const char *message_of(const BatchRows *batch, int64_t row, CaromOutcome *outcome) {
    CaromContact contact;
    CaromProblem problem = problems_at(batch->shape, batch->problems, row, &contact);
    CaromResult result = {.impulse = outcome->impulse, .velocity = outcome->velocity};
    outcome->status = carom_solve(&problem, NULL, &result);
    memcpy(outcome->sequence, result.sequence, sizeof outcome->sequence);
    if (problem.planar) {
        outcome->impulse[2] = outcome->impulse[1];
        outcome->velocity[2] = outcome->velocity[1];
    }
    return result.message;
}

static void write_row(const BatchRows *batch, int64_t row, CaromOutcome *outcome) {
    const RowOutcomes *out = batch->out;
    const char *message = outcome->status == CAROM_OK ? "" : message_of(batch, row, outcome);
    if (batch->problems->planar) {
        for (int i = 0; i < 2; i++) {
            out->impulse[2 * row + i] = outcome->impulse[2 * i];
            out->velocity[2 * row + i] = outcome->velocity[2 * i];
        }
    } else {
        memcpy(&out->impulse[3 * row], outcome->impulse, sizeof outcome->impulse);
        memcpy(&out->velocity[3 * row], outcome->velocity, sizeof outcome->velocity);
    }
    memcpy(&out->sequence[CAROM_SEQUENCE_SIZE * row], outcome->sequence, CAROM_SEQUENCE_SIZE);
    rows_end(row, outcome->status, message, out->status, out->message);
}

void batch_part(const void *context, int64_t from, int64_t to) {
    const BatchRows *batch = context;
    CaromCase cases[CASES];
    CaromOutcome outcomes[CASES];
    for (int64_t first = from; first < to; first += CASES) {
        int64_t count = to - first < CASES ? to - first : CASES;
        for (int64_t i = 0; i < count; i++) {
            cases[i] = batch_case(batch->shape, batch->problems, first + i);
        }
        carom_batch_solve((size_t)count, cases, outcomes);
        for (int64_t i = 0; i < count; i++) {
            write_row(batch, first + i, &outcomes[i]);
        }
    }
}
