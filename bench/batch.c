/* The batch call: solves per second on one thread and on two. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sections.h"
#include "timing.h"

enum { BATCH = 1 << 16, BATCH_REPEATS = 40, BATCH_CHUNK = 256 };

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

json_t *bench_batch(const ReferenceSet *scenes) {
    CaromCase *cases = calloc(BATCH, sizeof *cases);
    CaromOutcome *outcomes = calloc(BATCH, sizeof *outcomes);
    json_t *out = json_object();
    if (cases != NULL && outcomes != NULL) {
        for (int i = 0; i < BATCH; i++) {
            const Impact *impact = &scenes->impacts[i % scenes->count];
            const double *W = impact->W;
            cases[i] = (CaromCase){.W = {W[0], W[1], W[2], W[4], W[5], W[8]},
                                   .v = {impact->v[0], impact->v[1], impact->v[2]},
                                   .contact = impact->contact,
                                   .model = CAROM_MODEL_RIGID,
                                   .law = impact->law};
        }
        double one = batch_rate(1, cases, outcomes), two = batch_rate(2, cases, outcomes);
        printf("\nbatch: %.3g solves/s on one thread (%.0f ns each), %.3g on two\n", one, 1e9 / one,
               two);
        json_object_set_new(out, "solves_per_second_1", json_real(one));
        json_object_set_new(out, "solves_per_second_2", json_real(two));
    }
    free(cases);
    free(outcomes);
    return out;
}
