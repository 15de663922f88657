#include "support/wide/wide.h"

#include <stdlib.h>

#include <carom/carom.h>

/* The only name that the library of these sources shows. */
__attribute__((visibility("default"))) int wide_solve(const WideProblem *problem,
                                                      long double *impulse) {
    int n = problem->contact_count, rows = n * (problem->planar ? 2 : 3);
    CaromContact contacts[WIDE_CONTACTS];
    long double *W = malloc((size_t)(rows * rows + rows) * sizeof *W), *v = W + rows * rows;
    if (!W || n > WIDE_CONTACTS) {
        free(W);
        return CAROM_INVALID_INPUT;
    }
    for (int i = 0; i < rows * rows; i++) {
        W[i] = problem->inverse_inertia[i];
    }
    for (int i = 0; i < rows; i++) {
        v[i] = problem->velocity[i];
    }
    for (int i = 0; i < n; i++) {
        const WideContact *from = &problem->contacts[i];
        contacts[i] = (CaromContact){from->mu, from->mu_static, from->e, from->stiffness,
                                     from->stiffness_ratio};
    }
    CaromProblem wide = {.model = (CaromModel)problem->model,
                         .law = (CaromLaw)problem->law,
                         .contact_count = n,
                         .inverse_inertia = W,
                         .velocity = v,
                         .contacts = contacts,
                         .planar = problem->planar};
    CaromResult result = {.impulse = impulse};
    CaromStatus status = carom_solve(&wide, NULL, &result);
    free(W);
    return status;
}

/* carom_differentiate() of one spatial contact. */
__attribute__((visibility("default"))) int wide_differentiate(const WideProblem *problem,
                                                              const long double *inputs,
                                                              long double *by_impulse,
                                                              long double *residual) {
    const long double *w = inputs, W[9] = {w[0], w[1], w[2], w[1], w[3], w[4], w[2], w[4], w[5]};
    const CaromContact contact = {w[9], w[10], w[11], w[12], w[13]};
    CaromProblem wide = {.model = (CaromModel)problem->model,
                         .law = (CaromLaw)problem->law,
                         .contact_count = 1,
                         .inverse_inertia = W,
                         .velocity = inputs + 6,
                         .contacts = &contact};
    CaromDerivative derivative = {.impulse = by_impulse};
    CaromStatus status = carom_differentiate(&wide, NULL, NULL, &derivative);
    *residual = derivative.residual;
    return status;
}
