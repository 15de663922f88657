/* Many independent contacts, one after the other. */
#include <carom/batch.h>

#include <math.h>
#include <string.h>

#include <carom/solve.h>

void carom_batch_solve(size_t count, const CaromCase *cases, CaromOutcome *outcomes) {
    static const CaromCase none = {.contact = {.mu = NAN}}; /* refused */
    for (size_t i = 0; outcomes && i < count; i++) {
        const CaromCase *c = cases ? &cases[i] : &none;
        CaromOutcome *out = &outcomes[i];
        const double *w = c->W;
        double W[9] = {w[0], w[1], w[2], w[1], w[3], w[4], w[2], w[4], w[5]};
        CaromProblem problem = {c->model, c->law, 1, W, c->v, &c->contact, 0};
        CaromResult result = {.impulse = out->impulse, .velocity = out->velocity};
        out->status = carom_solve(&problem, NULL, &result);
        memcpy(out->sequence, result.sequence, sizeof out->sequence);
    }
}
