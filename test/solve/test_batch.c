/* A batch is the same as its cases one by one, bit for bit, however it is cut. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/rigid/impacts.h"

enum { CASES = 20000 };
static const uint64_t SEED = 2718;

static CaromCase *cases;
static CaromOutcome *outcomes;

static CaromCase case_of(const Impact *impact) {
    const double *W = impact->W, *v = impact->v;
    return (CaromCase){.W = {W[0], W[1], W[2], W[4], W[5], W[8]},
                       .v = {v[0], v[1], v[2]},
                       .contact = impact->contact,
                       .model = CAROM_MODEL_RIGID,
                       .law = impact->law};
}

/* Every eleventh case is spoilt in one of several ways: a bad row must not touch its
 * neighbours. */
static void spoil(CaromCase *one, int how) {
    switch (how % 7) {
    case 0:
        one->W[5] = -1;
        break;
    case 1:
        one->v[1] = NAN;
        break;
    case 2:
        one->v[2] = 1;
        break;
    case 3:
        one->contact.mu = -1;
        break;
    case 4:
        one->contact.e = 1.5;
        break;
    case 5:
        one->W[1] = INFINITY;
        break;
    default:
        one->W[0] = -1;
        break;
    }
}

static void fill(void) {
    for (int i = 0; i < CASES; i++) {
        Impact impact = random_impact(SEED, (uint64_t)i);
        cases[i] = case_of(&impact);
        if (i % 11 == 10) {
            spoil(&cases[i], i / 11);
        }
    }
}

/* Equal bits, any NaN equal to any other. */
static int same_numbers(const double *a, const double *b, int count) {
    for (int i = 0; i < count; i++) {
        if (memcmp(&a[i], &b[i], sizeof *a) != 0 && !(isnan(a[i]) && isnan(b[i]))) {
            return 0;
        }
    }
    return 1;
}

static int same_outcome(const CaromOutcome *a, const CaromOutcome *b) {
    return same_numbers(a->impulse, b->impulse, 3) && same_numbers(a->velocity, b->velocity, 3) &&
           a->status == b->status && strcmp(a->sequence, b->sequence) == 0;
}

static CaromOutcome solve_one(const CaromCase *one) {
    CaromOutcome outcome = {0};
    const double *w = one->W;
    const double W[9] = {w[0], w[1], w[2], w[1], w[3], w[4], w[2], w[4], w[5]};
    CaromResult result = {.impulse = outcome.impulse, .velocity = outcome.velocity};
    outcome.status = carom_rigid_solve(W, one->v, &one->contact, one->law, &result);
    memcpy(outcome.sequence, result.sequence, sizeof outcome.sequence);
    return outcome;
}

static void batch_is_scalar(void **state) {
    (void)state;
    int bad = 0, refused = 0;
    carom_batch_solve(CASES, cases, outcomes);
    for (int i = 0; i < CASES; i++) {
        CaromOutcome one = solve_one(&cases[i]);
        refused += one.status == CAROM_INVALID_INPUT || one.status == CAROM_NOT_APPROACHING;
        if (!same_outcome(&one, &outcomes[i])) {
            if (bad++ < 3) {
                print_error("case %d: batch %.17g %s %s, scalar %.17g %s %s\n", i,
                            outcomes[i].impulse[2], outcomes[i].sequence,
                            carom_status_string(outcomes[i].status), one.impulse[2], one.sequence,
                            carom_status_string(one.status));
            }
        }
    }
    assert_int_equal(bad, 0);
    /* exactly the spoilt ones */
    assert_int_equal(refused, CASES / 11);
}

static void spoilt_cases_say_so(void **state) {
    (void)state;
    for (int i = 10; i < CASES; i += 11) {
        CaromStatus expected = i / 11 % 7 == 2 ? CAROM_NOT_APPROACHING : CAROM_INVALID_INPUT;
        assert_int_equal(outcomes[i].status, expected);
        assert_string_equal(outcomes[i].sequence, "");
        for (int k = 0; k < 3; k++) {
            assert_true(isnan(outcomes[i].impulse[k]) && isnan(outcomes[i].velocity[k]));
        }
    }
}

/* Cut anywhere, in any order. */
static void pieces_are_the_whole(void **state) {
    (void)state;
    CaromOutcome *pieces = calloc(CASES, sizeof *pieces);
    assert_non_null(pieces);
    Random random = random_start(SEED, 0);
    for (size_t end = CASES; end > 0;) {
        size_t size = 1 + random_bits(&random) % 37;
        size = size < end ? size : end;
        end -= size;
        carom_batch_solve(size, cases + end, pieces + end);
    }
    for (int i = 0; i < CASES; i++) {
        assert_true(same_outcome(&pieces[i], &outcomes[i]));
    }
    free(pieces);
}

static void empty_batch(void **state) {
    (void)state;
    CaromOutcome outcome = {.status = CAROM_NOT_CONVERGED};
    carom_batch_solve(0, cases, &outcome);
    carom_batch_solve(0, NULL, NULL);
    assert_int_equal(outcome.status, CAROM_NOT_CONVERGED);
}

int main(void) {
    cases = calloc(CASES, sizeof *cases);
    outcomes = calloc(CASES, sizeof *outcomes);
    if (cases == NULL || outcomes == NULL) {
        return 1;
    }
    fill();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batch_is_scalar),
        cmocka_unit_test(spoilt_cases_say_so),
        cmocka_unit_test(pieces_are_the_whole),
        cmocka_unit_test(empty_batch),
    };
    int status = cmocka_run_group_tests(tests, NULL, NULL);
    free(cases);
    free(outcomes);
    return status;
}
