#include "support/derivative/solved.h"

#include <math.h>

double size_of(const Impact *impact, int input) {
    const double *W = impact->W, *v = impact->v;
    const double sizes[INPUTS] = {W[0],
                                  sqrt(W[0] * W[4]),
                                  sqrt(W[0] * W[8]),
                                  W[4],
                                  sqrt(W[4] * W[8]),
                                  W[8],
                                  0,
                                  0,
                                  0,
                                  impact->contact.mu,
                                  0,
                                  impact->contact.e,
                                  0,
                                  0};
    return input >= 6 && input < 9 ? hypot(hypot(v[0], v[1]), v[2]) : sizes[input];
}

double length_of(const double v[3]) {
    return hypot(hypot(v[0], v[1]), v[2]);
}

void differentiate(const Impact *impact, Solved *out) {
    CaromProblem problem = {.law = impact->law,
                            .contact_count = 1,
                            .inverse_inertia = impact->W,
                            .velocity = impact->v,
                            .contacts = &impact->contact};
    out->result = (CaromResult){.impulse = out->I, .velocity = out->v};
    out->derivative = (CaromDerivative){.impulse = out->by_I,
                                        .velocity = out->by_v,
                                        .kinks = out->kinks,
                                        .kink_capacity = CAROM_KINKS_ONE};
    out->status = carom_differentiate(&problem, NULL, &out->result, &out->derivative);
}

int is_clear(const Solved *solved, double distance) {
    return solved->derivative.kink_count == 0 || solved->kinks[0].distance > distance;
}
