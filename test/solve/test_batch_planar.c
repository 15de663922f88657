/* Planar cases of a batch: to the last bit the answers of the planar solver, whatever the
 * neighbours; and what the batch makes of the numbers that belong to the second tangent. */
#include <carom/carom.h>

#include <stdlib.h>
#include <string.h>

#include "support/batch_check.h"
#include "support/check.h"
#include "support/math/random.h"
#include "support/planar/impact.h"

enum { CASES = 100000 };
static const uint64_t SEED = 3141;

static CaromCase *cases;
static CaromOutcome *outcomes;

/* The numbers of the second tangent are not looked at. */
static CaromCase case_of(const Planar *planar) {
    const double *W = planar->W, *v = planar->v;
    return (CaromCase){.W = {W[0], 7, W[1], NAN, -1, W[3]},
                       .v = {v[0], NAN, v[1]},
                       .contact = planar->contact,
                       .law = planar->law,
                       .planar = 1};
}

/* Every eleventh is singular, wedged, locked, spoilt or compliant. */
static void change(CaromCase *one, int how) {
    double wedge = sqrt(one->W[0] * one->W[5]);
    switch (how % 8) {
    case 0:
        one->W[2] = wedge;
        break;
    case 1:
        one->W[0] = one->W[2] = 0;
        break;
    case 2:
        one->W[2] = 2 * wedge;
        break;
    case 3:
        one->v[2] = 1;
        break;
    case 4:
        one->contact.e = -0.5;
        break;
    case 5:
        one->v[0] = INFINITY;
        break;
    case 6:
        one->contact.mu_static = one->contact.mu / 2;
        break;
    default:
        one->model = CAROM_MODEL_COMPLIANT;
        one->law = CAROM_LAW_ENERGETIC;
        one->contact.mu_static = 0;
        break;
    }
}

static void fill(void) {
    for (int i = 0; i < CASES; i++) {
        Planar planar = planar_random(SEED, (uint64_t)i);
        cases[i] = case_of(&planar);
        if (i % 11 == 10) {
            change(&cases[i], i / 11);
        }
    }
}

static CaromOutcome solve_one(const CaromCase *one) {
    CaromOutcome out = {.impulse = {0}};
    const double *w = one->W, W[4] = {w[0], w[2], w[2], w[5]}, v[2] = {one->v[0], one->v[2]};
    double impulse[2], velocity[2];
    const CaromProblem problem = {.model = one->model,
                                  .law = one->law,
                                  .contact_count = 1,
                                  .inverse_inertia = W,
                                  .velocity = v,
                                  .contacts = &one->contact,
                                  .planar = 1};
    CaromResult result = {.impulse = impulse, .velocity = velocity};
    out.status = carom_solve(&problem, NULL, &result);
    double none = out.status >= 0 ? 0 : NAN;
    memcpy(out.impulse, (double[3]){impulse[0], none, impulse[1]}, sizeof out.impulse);
    memcpy(out.velocity, (double[3]){velocity[0], none, velocity[1]}, sizeof out.velocity);
    memcpy(out.sequence, result.sequence, sizeof out.sequence);
    return out;
}

/* Compliant ones only nearly. */
static double distance(const CaromOutcome *a, const CaromOutcome *b) {
    double off = 0;
    for (int k = 0; k < 3; k++) {
        off = larger(off, fabs(a->impulse[k] - b->impulse[k]) / fabs(a->impulse[2]));
    }
    return off;
}

static void batch_is_scalar(void **state) {
    (void)state;
    int bad = 0, failed = 0, gained = 0;
    double worst = 0;
    carom_batch_solve(CASES, cases, outcomes);
    for (int i = 0; i < CASES; i++) {
        CaromOutcome one = solve_one(&cases[i]), *out = &outcomes[i];
        failed += one.status < 0;
        gained += one.status == CAROM_ENERGY_GAIN;
        if (cases[i].model == CAROM_MODEL_COMPLIANT && one.status == CAROM_OK) {
            double off = distance(&one, out);
            worst = larger(worst, off);
            bad += off > 1e-12 || strcmp(one.sequence, out->sequence) != 0; /* measured 1.1e-13 */
        } else if (!batch_same(&one, out) && bad++ < 3) {
            print_error("case %d: batch %.17g %s %d, alone %.17g %s %d\n", i, out->impulse[2],
                        out->sequence, out->status, one.impulse[2], one.sequence, one.status);
        }
    }
    print_message("%d cases: %d without an answer, %d gain energy; compliant ones differ by %.1e\n",
                  CASES, failed, gained, worst);
    assert_int_equal(bad, 0);
    assert_true(failed > CASES / 30 && gained > CASES / 1000);
}

static void cases_are_independent(void **state) {
    (void)state;
    batch_check_independent(cases, outcomes, CASES, SEED);
}

/* Planar, spatial and compliant cases in turn. */
static void kinds_may_be_mixed(void **state) {
    (void)state;
    enum { COUNT = 999 };
    static CaromCase mixed[COUNT];
    static CaromOutcome out[COUNT];
    for (int i = 0; i < COUNT; i++) {
        Planar planar = planar_random(SEED, (uint64_t)i);
        Impact spatial = planar_embed(&planar);
        const double *W = spatial.W, *v = spatial.v;
        mixed[i] = case_of(&planar);
        if (i % 3 > 0) {
            mixed[i] = (CaromCase){.W = {W[0], W[1], W[2], W[4], W[5], W[8]},
                                   .v = {v[0], v[1], v[2]},
                                   .contact = spatial.contact};
        }
        if (i % 3 == 2) {
            mixed[i].model = CAROM_MODEL_COMPLIANT;
            mixed[i].contact.mu_static = 0;
        }
    }
    carom_batch_solve(COUNT, mixed, out);
    batch_check_independent(mixed, out, COUNT, SEED);
}

/* The derivatives of a planar case are those of the planar problem, in the places of a spatial one.
 */
static void derivatives_are_planar(void **state) {
    (void)state;
    static const int place[10] = {0, 2, 5, 6, 8, 9, 10, 11, 12, 13};
    for (int i = 0; i < 300; i++) {
        CaromCaseDerivative batch;
        CaromOutcome out;
        double impulse[2 * 10], velocity[2 * 10];
        const double *w = cases[i].W, W[4] = {w[0], w[2], w[2], w[5]};
        const double v[2] = {cases[i].v[0], cases[i].v[2]};
        const CaromProblem problem = {.law = cases[i].law,
                                      .contact_count = 1,
                                      .inverse_inertia = W,
                                      .velocity = v,
                                      .contacts = &cases[i].contact,
                                      .planar = 1};
        CaromDerivative one = {.impulse = impulse, .velocity = velocity};
        if (i % 11 == 10 || carom_differentiate(&problem, NULL, NULL, &one) < 0) {
            continue;
        }
        carom_batch_differentiate(1, &cases[i], &out, &batch);
        CaromOutcome alone = solve_one(&cases[i]);
        assert_true(batch_same(&out, &alone));
        double sum = 0;
        for (int row = 0; row < 2; row++) {
            for (int k = 0; k < 10; k++) {
                double a = batch.impulse[2 * row * CAROM_INPUTS_ONE + place[k]];
                double b = batch.velocity[2 * row * CAROM_INPUTS_ONE + place[k]];
                assert_true(memcmp(&a, &impulse[10 * row + k], sizeof a) == 0 || isnan(a));
                assert_true(memcmp(&b, &velocity[10 * row + k], sizeof b) == 0 || isnan(b));
            }
        }
        for (int k = 0; k < CAROM_INPUTS_ONE; k++) {
            sum += fabs(batch.impulse[CAROM_INPUTS_ONE + k]);
        }
        assert_true(sum == 0 && batch.velocity[1] == 0 && batch.velocity[7] == 0);
    }
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
        cmocka_unit_test(cases_are_independent),
        cmocka_unit_test(kinds_may_be_mixed),
        cmocka_unit_test(derivatives_are_planar),
    };
    int status = cmocka_run_group_tests(tests, NULL, NULL);
    free(cases);
    free(outcomes);
    return status;
}
