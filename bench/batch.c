/* The batch call: the scenes per second on one thread and on two; and random impacts in lanes
 * beside the loop over the solver for one, in the same run. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "derivative/slope_lanes.h"
#include "rigid_lanes/rigid_lanes.h"
#include "sections.h"
#include "support/rigid/impacts.h"
#include "support/rigid/truth.h"
#include "timing.h"

enum {
    BATCH = 1 << 16,
    BATCH_REPEATS = 40,
    SLOPE_REPEATS = 10,
    BATCH_CHUNK = 256,
    LANES_COUNT = 1 << 14,
    LANES_TRUTHS = 2000
};

static CaromCase batch_case(const Impact *impact) {
    const double *W = impact->W, *v = impact->v;
    return (CaromCase){.W = {W[0], W[1], W[2], W[4], W[5], W[8]},
                       .v = {v[0], v[1], v[2]},
                       .contact = impact->contact,
                       .model = CAROM_MODEL_RIGID,
                       .law = impact->law};
}

/* The cases, divided into chunks among the threads. */
static double batch_rate(int threads, const CaromCase *cases, CaromOutcome *outcomes) {
    double best = INFINITY;
    for (int k = 0; k < BATCH_REPEATS; k++) {
        double start = now_ns();
#pragma omp parallel for schedule(dynamic) num_threads(threads)
        for (int i = 0; i < BATCH; i += BATCH_CHUNK) {
            carom_batch_solve(BATCH_CHUNK, cases + i, outcomes + i);
        }
        best = fmin(best, now_ns() - start);
    }
    (void)threads;
    return BATCH / (best * 1e-9);
}

/* The part of the cases that lanes leave to the solver for one. */
static double fallback_fraction(const CaromCase *cases, CaromOutcome *outcomes) {
    unsigned char open[RIGID_LANES_BLOCK];
    int left = 0;
    for (int i = 0; i < LANES_COUNT; i += RIGID_LANES_BLOCK) {
        crm_rigid_lanes(RIGID_LANES_BLOCK, cases + i, outcomes + i, open);
        for (int k = 0; k < RIGID_LANES_BLOCK; k++) {
            left += open[k];
        }
    }
    return left / (double)LANES_COUNT;
}

/* Largest error of the impulse, relative, against long double. */
static double worst_error(const Impact *impacts, const CaromOutcome *outcomes) {
    double worst = 0;
    for (int i = 0; i < LANES_TRUTHS; i++) {
        Answer truth = truth_solve(&impacts[i]);
        double off = 0, size = 0;
        for (int k = 0; k < 3; k++) {
            double change = truth.impulse[k] - outcomes[i].impulse[k];
            off += change * change;
            size += truth.impulse[k] * truth.impulse[k];
        }
        worst = truth.ok ? fmax(worst, sqrt(off / size)) : worst;
    }
    return worst;
}

/* Random impacts of two bodies, as the property test makes them; alternately both ways. In
 * processor time. */
static void bench_lanes(const Impact *impacts, const CaromCase *cases, CaromOutcome *outcomes,
                        json_t *out) {
    double alone = INFINITY, lanes = INFINITY;
    for (int k = 0; k < BATCH_REPEATS; k++) {
        double start = processor_ns();
        for (int i = 0; i < LANES_COUNT; i++) {
            const Impact *one = &impacts[i];
            CaromResult result = {.impulse = outcomes[i].impulse, .velocity = outcomes[i].velocity};
            carom_rigid_solve(one->W, one->v, &one->contact, one->law, &result);
        }
        alone = fmin(alone, processor_ns() - start);
        start = processor_ns();
        carom_batch_solve(LANES_COUNT, cases, outcomes);
        lanes = fmin(lanes, processor_ns() - start);
    }
    double error = worst_error(impacts, outcomes), left = fallback_fraction(cases, outcomes);
    printf("random impacts: %.0f ns alone, %.0f ns in lanes, ratio %.2f; %.1f %% left to the "
           "solver for one; "
           "worst error %.1e\n",
           alone / LANES_COUNT, lanes / LANES_COUNT, alone / lanes, 100 * left, error);
    json_object_set_new(out, "scalar_per_s", json_real(LANES_COUNT / (alone * 1e-9)));
    json_object_set_new(out, "lanes_per_s", json_real(LANES_COUNT / (lanes * 1e-9)));
    json_object_set_new(out, "ratio", json_real(alone / lanes));
    json_object_set_new(out, "fallback_fraction", json_real(left));
    json_object_set_new(out, "worst_error", json_real(error));
}

/* The part of the cases whose derivatives lanes leave to the program for one. */
static double slope_fraction(const CaromCase *cases, CaromOutcome *outcomes,
                             CaromCaseDerivative *derivatives) {
    unsigned char open[RIGID_LANES_BLOCK];
    int left = 0;
    for (int i = 0; i < LANES_COUNT; i += RIGID_LANES_BLOCK) {
        crm_slope_lanes(RIGID_LANES_BLOCK, cases + i, outcomes + i, derivatives + i, open);
        for (int k = 0; k < RIGID_LANES_BLOCK; k++) {
            left += open[k] != SLOPE_DONE;
        }
    }
    return left / (double)LANES_COUNT;
}

/* The same impacts with all derivatives: one after the other, and in lanes. */
static void bench_slopes(const Impact *impacts, const CaromCase *cases, CaromOutcome *outcomes,
                         json_t *out) {
    CaromCaseDerivative *derivatives = calloc(LANES_COUNT, sizeof *derivatives);
    double alone = INFINITY, lanes = INFINITY;
    for (int k = 0; k < SLOPE_REPEATS && derivatives; k++) {
        double start = processor_ns();
        for (int i = 0; i < LANES_COUNT; i++) {
            const Impact *one = &impacts[i];
            CaromProblem problem = {CAROM_MODEL_RIGID, one->law, 1, one->W, one->v,
                                    &one->contact,     0};
            CaromResult result = {.impulse = outcomes[i].impulse, .velocity = outcomes[i].velocity};
            CaromDerivative derivative = {.impulse = derivatives[i].impulse,
                                          .velocity = derivatives[i].velocity,
                                          .kinks = &derivatives[i].kink,
                                          .kink_capacity = 1};
            carom_differentiate(&problem, NULL, &result, &derivative);
        }
        alone = fmin(alone, processor_ns() - start);
        start = processor_ns();
        carom_batch_differentiate(LANES_COUNT, cases, outcomes, derivatives);
        lanes = fmin(lanes, processor_ns() - start);
    }
    double left = derivatives ? slope_fraction(cases, outcomes, derivatives) : NAN;
    printf("with derivatives: %.0f ns alone, %.0f ns in lanes, ratio %.2f; %.1f %% left to the "
           "program for one\n",
           alone / LANES_COUNT, lanes / LANES_COUNT, alone / lanes, 100 * left);
    json_object_set_new(out, "derivative_scalar_per_s", json_real(LANES_COUNT / (alone * 1e-9)));
    json_object_set_new(out, "derivative_lanes_per_s", json_real(LANES_COUNT / (lanes * 1e-9)));
    json_object_set_new(out, "derivative_lanes_ratio", json_real(alone / lanes));
    json_object_set_new(out, "derivative_fallback_fraction", json_real(left));
    free(derivatives);
}

json_t *bench_batch(const ReferenceSet *scenes) {
    CaromCase *cases = calloc(BATCH, sizeof *cases);
    CaromOutcome *outcomes = calloc(BATCH, sizeof *outcomes);
    Impact *impacts = calloc(LANES_COUNT, sizeof *impacts);
    json_t *out = json_object();
    if (cases != NULL && outcomes != NULL && impacts != NULL) {
        for (int i = 0; i < BATCH; i++) {
            cases[i] = batch_case(&scenes->impacts[i % scenes->count]);
        }
        double one = batch_rate(1, cases, outcomes), two = batch_rate(2, cases, outcomes);
        printf("\nbatch: %.3g solves/s on one thread (%.0f ns each), %.3g on two\n", one, 1e9 / one,
               two);
        json_object_set_new(out, "solves_per_second_1", json_real(one));
        json_object_set_new(out, "solves_per_second_2", json_real(two));
        for (int i = 0; i < LANES_COUNT; i++) {
            impacts[i] = random_impact(7001, (uint64_t)i * IMPACT_CLASS_COUNT + IMPACT_COMMON);
            cases[i] = batch_case(&impacts[i]);
        }
        bench_lanes(impacts, cases, outcomes, out);
        bench_slopes(impacts, cases, outcomes, out);
        bench_batch_kinds(out);
    }
    free(cases);
    free(outcomes);
    free(impacts);
    return out;
}
