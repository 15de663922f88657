/* A sequence of impacts whose order a Python function chooses. */
#include <math.h>
#include <stdlib.h>

#include "rows.h"

/* Defined by cffi: calls the Python function that the context stands for. */
int python_choose(void *context, int count, const int *contacts, const double *speeds);

void sequence_solve(const Problems *problems, void *context, const RowOutcomes *out) {
    Shape shape = {.count = 1};
    CaromContact *contacts = malloc((size_t)problems->contacts * sizeof *contacts);
    CaromResult result = {.impulse = out->impulse,
                          .velocity = out->velocity,
                          .status = CAROM_NOT_CONVERGED,
                          .message = "out of memory",
                          .ambiguous = "",
                          .jump = {INFINITY, -1, ""}};
    if (contacts) {
        CaromProblem problem = problems_at(&shape, problems, 0, contacts);
        carom_sequence_solve(&problem, python_choose, context, &result);
    }
    free(contacts);
    const double energy[7] = {result.energy.change,        result.energy.stored,
                              result.energy.released,      result.energy.normal_loss,
                              result.energy.friction_loss, result.energy.residual,
                              result.energy.tangential};
    for (int i = 0; i < 7; i++) {
        out->energy[i] = energy[i];
    }
    out->error[0] = result.error;
    out->event_count[0] = result.event_count;
    out->solutions[0] = result.solutions;
    out->work[0] = result.work;
    out->ambiguous[0] = (uintptr_t)result.ambiguous;
    rows_jump(&result.jump, 0, out);
    rows_end(0, result.status, result.message, out->status, out->message);
}
