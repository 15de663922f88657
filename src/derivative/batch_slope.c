/* Derivatives of many contacts: rigid ones in lanes, the others one after the other. */
#include <carom/derivative.h>

#include <math.h>
#include <string.h>

#include "derivative/planar_inputs.h"
#include "derivative/slope_lanes.h"
#include "rigid_lanes/rigid_lanes.h"

/* The derivatives of a planar case, (t, n) by (t, n), to their places among those of a spatial one;
 * all by or of the second tangent are 0. */
static void spread_planar(double to[3 * CAROM_INPUTS_ONE]) {
    double from[2 * PLANAR_COUNT];
    memcpy(from, to, sizeof from);
    memset(to, 0, 3 * CAROM_INPUTS_ONE * sizeof *to);
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < PLANAR_COUNT; j++) {
            to[2 * i * CAROM_INPUTS_ONE + PLANAR_INPUTS[j]] = from[i * PLANAR_COUNT + j];
        }
    }
}

/* The outcome stays if lanes have it. */
static void differentiate_alone(const CaromCase *one, int has_outcome, CaromOutcome *out,
                                CaromCaseDerivative *to) {
    const double *w = one->W;
    const double flat[4] = {w[0], w[2], w[2], w[5]}, pair[2] = {one->v[0], one->v[2]};
    const double W[9] = {w[0], w[1], w[2], w[1], w[3], w[4], w[2], w[4], w[5]};
    double impulse[3], velocity[3];
    const CaromProblem problem = {
        one->model,    one->law,   1, one->planar ? flat : W, one->planar ? pair : one->v,
        &one->contact, one->planar};
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
    if (one->planar) {
        out->impulse[2] = out->impulse[1];
        out->velocity[2] = out->velocity[1];
        out->impulse[1] = out->velocity[1] = out->status >= 0 ? 0 : NAN;
        spread_planar(to->impulse);
        spread_planar(to->velocity);
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
