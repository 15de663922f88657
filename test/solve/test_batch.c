/* A batch is the same as its cases one by one, to the accuracy of the solver; and however it is cut
 * and in whatever order its cases come, bit for bit. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/batch_check.h"
#include "support/check.h"
#include "support/rigid/impacts.h"

enum { CASES = 40000 };
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

/* Differences between batch and single solves, relative to the sizes of the impulse and of what the
 * velocity is made of. Each has its own rounding, which W magnifies; `error` estimates by how much.
 */
static const double BY_ERROR = 4;     /* times the estimate, and */
static const double SAME = 2e-14;     /* measured 3.1e-15 */
static const double SEQUENCES = 1e-4; /* part of the cases next to a change of the sequence: none */

static double difference(const double *a, const double *b, double size) {
    double off = 0;
    for (int k = 0; k < 3; k++) {
        off = larger(off, fabs(a[k] - b[k]));
    }
    return off / size;
}

static double size_of_impulse(const double *I) {
    return larger(larger(fabs(I[0]), fabs(I[1])), fabs(I[2]));
}

/* |v-| + |W| |I| */
static double size_of_velocity(const CaromCase *one, const double *I) {
    double W = 0, v = 0;
    for (int k = 0; k < 6; k++) {
        W = larger(W, fabs(one->W[k]));
    }
    for (int k = 0; k < 3; k++) {
        v = larger(v, fabs(one->v[k]));
    }
    return v + W * size_of_impulse(I);
}

static CaromOutcome solve_one(const CaromCase *one, double *error) {
    CaromOutcome outcome = {0};
    const double *w = one->W;
    const double W[9] = {w[0], w[1], w[2], w[1], w[3], w[4], w[2], w[4], w[5]};
    CaromResult result = {.impulse = outcome.impulse, .velocity = outcome.velocity};
    outcome.status = carom_rigid_solve(W, one->v, &one->contact, one->law, &result);
    memcpy(outcome.sequence, result.sequence, sizeof outcome.sequence);
    *error = result.error;
    return outcome;
}

static void batch_is_scalar(void **state) {
    (void)state;
    int bad = 0, refused = 0, sequences = 0, same = 0;
    double worst = 0;
    carom_batch_solve(CASES, cases, outcomes);
    for (int i = 0; i < CASES; i++) {
        const CaromCase *c = &cases[i];
        double error = 0;
        CaromOutcome one = solve_one(c, &error), *out = &outcomes[i];
        refused += one.status == CAROM_INVALID_INPUT || one.status == CAROM_NOT_APPROACHING;
        same += batch_same(&one, out);
        if (one.status != out->status) {
            bad++;
        } else if (one.status >= 0) {
            sequences += strcmp(one.sequence, out->sequence) != 0;
            double off =
                larger(difference(one.impulse, out->impulse, size_of_impulse(one.impulse)),
                       difference(one.velocity, out->velocity, size_of_velocity(c, one.impulse)));
            worst = larger(worst, off - BY_ERROR * error);
            if (!(off <= SAME + BY_ERROR * error) && bad++ < 3) {
                print_error("case %d: batch %.17g %s, alone %.17g %s: %.2e, error %.2e\n", i,
                            out->impulse[2], out->sequence, one.impulse[2], one.sequence, off,
                            error);
            }
        }
    }
    print_message(
        "largest difference beyond the estimate %.2e; %d other sequences; same bits %d of %d\n",
        worst, sequences, same, CASES);
    assert_int_equal(bad, 0);
    assert_true(sequences <= SEQUENCES * CASES);
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

static void cases_are_independent(void **state) {
    (void)state;
    batch_check_independent(cases, outcomes, CASES, SEED);
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
        cmocka_unit_test(cases_are_independent),
        cmocka_unit_test(empty_batch),
    };
    int status = cmocka_run_group_tests(tests, NULL, NULL);
    free(cases);
    free(outcomes);
    return status;
}
