/* Derivatives of many contacts: rigid ones in lanes, the others one after the other. */
#include <carom/derivative.h>

#include <math.h>
#include <string.h>

#include "derivative/slope_lanes.h"
#include "rigid_lanes/rigid_lanes.h"

/* The outcome stays if lanes have it. */
static void differentiate_alone(const CaromCase *one, int has_outcome, CaromOutcome *out,
                                CaromCaseDerivative *to) {
    const double *w = one->W;
    double W[9] = {w[0], w[1], w[2], w[1], w[3], w[4], w[2], w[4], w[5]}, impulse[3], velocity[3];
    CaromProblem problem = {one->model, one->law, 1, W, one->v, &one->contact, 0};
    CaromResult result = {.impulse = has_outcome ? impulse : out->impulse,
                          .velocity = has_outcome ? velocity : out->velocity};
    CaromDerivative derivative = {
        .impulse = to->impulse, .velocity = to->velocity, .kinks = &to->kink, .kink_capacity = 1};
    to->kink = (CaromKink){.distance = INFINITY};
    carom_differentiate(&problem, NULL, &result, &derivative);
    if (!has_outcome) {
        out->status = result.status;
        memcpy(out->sequence, result.sequence, sizeof out->sequence);
    }
    to->smoothness = derivative.smoothness;
}

/* Choose the copy that suits the processor. */
static void differentiate_in_lanes(int count, const CaromCase *cases, CaromOutcome *outcomes,
                                   CaromCaseDerivative *derivatives, unsigned char *open) {
#ifdef CAROM_FMA
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        crm_slope_lanes_fma(count, cases, outcomes, derivatives, open);
        return;
    }
#endif
    crm_slope_lanes(count, cases, outcomes, derivatives, open);
}

void carom_batch_differentiate(size_t count, const CaromCase *cases, CaromOutcome *outcomes,
                               CaromCaseDerivative *derivatives) {
    unsigned char open[RIGID_LANES_BLOCK];
    for (size_t first = 0; cases && outcomes && derivatives && first < count;
         first += RIGID_LANES_BLOCK) {
        int size = count - first < RIGID_LANES_BLOCK ? (int)(count - first) : RIGID_LANES_BLOCK;
        differentiate_in_lanes(size, cases + first, outcomes + first, derivatives + first, open);
        for (int i = 0; i < size; i++) {
            size_t at = first + (size_t)i;
            if (open[i] != SLOPE_DONE) {
                differentiate_alone(&cases[at], open[i] == SLOPE_DERIVATIVE, &outcomes[at],
                                    &derivatives[at]);
            }
        }
    }
}
