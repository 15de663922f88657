#include "support/batch_check.h"

#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/math/random.h"

static int same_numbers(const double *a, const double *b, int count) {
    for (int i = 0; i < count; i++) {
        if (memcmp(&a[i], &b[i], sizeof *a) != 0 && !(isnan(a[i]) && isnan(b[i]))) {
            return 0;
        }
    }
    return 1;
}

int batch_same(const CaromOutcome *a, const CaromOutcome *b) {
    return same_numbers(a->impulse, b->impulse, 3) && same_numbers(a->velocity, b->velocity, 3) &&
           a->status == b->status && strcmp(a->sequence, b->sequence) == 0;
}

static void check_pieces(const CaromCase *cases, const CaromOutcome *outcomes, int count,
                         uint64_t seed) {
    CaromOutcome *pieces = calloc((size_t)count, sizeof *pieces);
    assert_non_null(pieces);
    Random random = random_start(seed, 0);
    for (size_t end = (size_t)count; end > 0;) {
        size_t size = 1 + random_bits(&random) % 37;
        size = size < end ? size : end;
        end -= size;
        carom_batch_solve(size, cases + end, pieces + end);
    }
    for (int i = 0; i < count; i++) {
        assert_true(batch_same(&pieces[i], &outcomes[i]));
    }
    free(pieces);
}

static void check_order(const CaromCase *cases, const CaromOutcome *outcomes, int count,
                        uint64_t seed) {
    CaromCase *mixed = calloc((size_t)count, sizeof *mixed);
    CaromOutcome *out = calloc((size_t)count, sizeof *out);
    int *from = calloc((size_t)count, sizeof *from);
    assert_true(mixed != NULL && out != NULL && from != NULL);
    Random random = random_start(seed, 1);
    for (int i = 0; i < count; i++) {
        int k = (int)(random_bits(&random) % (uint64_t)(i + 1));
        from[i] = from[k];
        from[k] = i;
    }
    for (int i = 0; i < count; i++) {
        mixed[i] = cases[from[i]];
    }
    carom_batch_solve((size_t)count, mixed, out);
    for (int i = 0; i < count; i++) {
        assert_true(batch_same(&out[i], &outcomes[from[i]]));
    }
    free(mixed);
    free(out);
    free(from);
}

void batch_check_independent(const CaromCase *cases, const CaromOutcome *outcomes, int count,
                             uint64_t seed) {
    check_pieces(cases, outcomes, count, seed);
    check_order(cases, outcomes, count, seed);
    for (int i = 0; i < count; i++) { /* where no vector is full */
        CaromOutcome one;
        carom_batch_solve(1, &cases[i], &one);
        assert_true(batch_same(&one, &outcomes[i]));
    }
}
