/* The library against two independent solvers on random impacts of every class.
 *
 * truth.c (Taylor series in long double, good to about 1e-17) is the measure; CVODE at two
 * tolerances guards the measure itself, on fewer impacts. Where the answer is ill-conditioned (a
 * slip that starts beside an unstable direction, W close to singular), no solver in double
 * precision can be better than the effect of rounding the input: an error beyond the class's bound
 * is accepted only if it is at most a few times that, and such cases are counted. CVODE works in
 * double, so that it is no better there: its bound is loose for those classes. */
#include <stdio.h>
#include <string.h>

#include <omp.h>

#include "support/check.h"
#include "support/rigid/impacts.h"
#include "support/rigid/oracle.h"
#include "support/rigid/truth.h"
#include "support/scale.h"

static const uint64_t SEED = 20240611;
static int per_class, cvode_per_class; /* 1500 and 40, scaled */

/* An error is explained if it is at most this many times the effect of rounding the input.
 * Measured: 3.1 in 200,000 impacts. */
static const double SENSITIVITY_FACTOR = 8;

/* Slip that passes this close to zero (see Answer) may as well be said to stop there: the answer is
 * then compared with that of truth_solve_stopping(). */
static const double NEAR_MISS = 0x1p-50;

/* The losses may be off by this. Measured: 4.6e-14. */
static const double ENERGY_BOUND = 1e-12;

typedef struct Tally {
    int explained, missed, wrong, without_truth;
    double worst;      /* of those not explained by sensitivity */
    double energy;     /* worst of the losses */
    double tangential; /* worst of I_t by itself */
    int restarts;
} Tally;

/* Beyond it all is explained, in the classes conditioned, threshold, jam and law; near-invariant
 * has 8.8e-14, the others 5.0e-14 (merging) at most. */
static const double BOUND = 1e-13;

/* Equal; whether a start is exactly on an invariant direction is decided by rounding, but where
 * symmetry says so. */
static int same_sequence(const Impact *impact, const Answer *answer, const Answer *truth) {
    char a[CAROM_SEQUENCE_SIZE], b[CAROM_SEQUENCE_SIZE];
    if (strcmp(impact->tag, impact_class_name(IMPACT_ON_INVARIANT)) == 0) {
        return strcmp(answer->sequence, truth->sequence) == 0;
    }
    sequence_without_l(answer->sequence, a);
    sequence_without_l(truth->sequence, b);
    return strcmp(a, b) == 0;
}

/* The truth to compare an answer with: see NEAR_MISS. */
static Answer truth_for(const Impact *impact, const Answer *answer, int *missed) {
    Answer truth = truth_solve(impact);
    if (answer->ok && truth.closest <= NEAR_MISS && !same_sequence(impact, answer, &truth)) {
        ++*missed;
        truth = truth_solve_stopping(impact);
    }
    return truth;
}

static void report(uint64_t index, const Impact *impact, const Answer *answer, const Answer *truth,
                   const Distance *sensitivity) {
    Distance distance = answer_distance(impact, answer, truth);
    const double *I = answer->impulse, *J = truth->impulse;
    print_error("impact %llu: error %.3g (input's last digit: %.3g), losses %.3g (%.3g), sequence "
                "%s, truth %s, closest %.1g\n",
                (unsigned long long)index, answer_error(impact, answer, truth),
                fmax(sensitivity->impulse, sensitivity->velocity), distance.energy,
                sensitivity->energy, answer->sequence, truth->sequence, truth->closest);
    print_error("  I %.17g %.17g %.17g, truth %.17g %.17g %.17g\n", I[0], I[1], I[2], J[0], J[1],
                J[2]);
    impact_print(impact);
}

static void compare(uint64_t index, Tally *tally) {
    Impact impact = random_impact(SEED, index);
    Answer answer = answer_of_library(&impact);
    Answer truth = truth_for(&impact, &answer, &tally->missed);
    double error = answer_error(&impact, &answer, &truth);
    Distance distance = answer_distance(&impact, &answer, &truth);
    int differ = 0, same = same_sequence(&impact, &answer, &truth);
    tally->without_truth += !truth.ok;
    tally->restarts += truth.restarts;
    if (error <= BOUND && distance.energy <= ENERGY_BOUND && same) {
        tally->worst = larger(tally->worst, error);
        tally->energy = larger(tally->energy, distance.energy);
        tally->tangential = larger(tally->tangential, distance.tangential);
        return;
    }
    Distance sensitivity = truth_sensitivity(&impact, &truth, 12, SEED, &differ);
    double room = SENSITIVITY_FACTOR * fmax(sensitivity.impulse, sensitivity.velocity);
    if (error <= fmax(room, BOUND) && (same || differ) &&
        distance.energy <= fmax(SENSITIVITY_FACTOR * sensitivity.energy, ENERGY_BOUND)) {
        tally->explained++;
        return;
    }
    tally->wrong++;
#pragma omp critical
    report(index, &impact, &answer, &truth, &sensitivity);
}

static void library_against_series(void **state) {
    (void)state;
    static Tally tallies[IMPACT_CLASS_COUNT];
    int wrong = 0, without_truth = 0, restarts = 0;
    print_message("seed %llu, %d impacts of each class\n", (unsigned long long)SEED, per_class);
#pragma omp parallel for schedule(dynamic)
    for (int k = 0; k < IMPACT_CLASS_COUNT; k++) {
        for (uint64_t i = 0; i < (uint64_t)per_class; i++) {
            compare(i * IMPACT_CLASS_COUNT + (uint64_t)k, &tallies[k]);
        }
    }
    print_message("%-15s %9s %9s %9s %9s %6s %6s %9s\n", "class", "error", "I_t", "losses",
                  "explained", "missed", "wrong", "restarts");
    for (int k = 0; k < IMPACT_CLASS_COUNT; k++) {
        const Tally *t = &tallies[k];
        print_message("%-15s %9.1e %9.1e %9.1e %9d %6d %6d %9d\n",
                      impact_class_name((ImpactClass)k), t->worst, t->tangential, t->energy,
                      t->explained, t->missed, t->wrong, t->restarts);
        wrong += t->wrong;
        without_truth += t->without_truth;
        restarts += t->restarts;
    }
    assert_int_equal(wrong, 0);
    /* the measure has an answer everywhere, and the rare branch was taken */
    assert_int_equal(without_truth, 0);
    assert_true(restarts > per_class / 15);
}

/* The two oracles share no code: their agreement validates both. Measured, at
 * 1e-13 and 1e-12: 3.2e-12 and 3.5e-11; badly conditioned 8.5e-12 and 3.6e-11 (1.5e-9 has been
 * seen with other seeds, where the input's last digit does 2e-9). */
static void oracles_agree(void **state) {
    (void)state;
    static const double tolerances[] = {1e-13, 1e-12};
    for (int t = 0; t < 2; t++) {
        Oracle *oracle = oracle_create(tolerances[t]);
        double worst = 0, worst_hard = 0;
        int failed = 0, missed = 0;
        assert_non_null(oracle);
        for (uint64_t i = 0; i < (uint64_t)cvode_per_class * IMPACT_CLASS_COUNT; i++) {
            Impact impact = random_impact(SEED + 1, i);
            Answer answer = oracle_solve(oracle, &impact);
            Answer truth = truth_for(&impact, &answer, &missed);
            ImpactClass which = (ImpactClass)(i % IMPACT_CLASS_COUNT);
            int hard = which == IMPACT_CONDITIONED || which == IMPACT_JAM;
            double *largest = hard ? &worst_hard : &worst;
            if (!answer.ok) {
                failed++;
                continue;
            }
            *largest = larger(*largest, answer_error(&impact, &answer, &truth));
            assert_true(same_sequence(&impact, &answer, &truth));
        }
        print_message("CVODE at %.0e against long double: %.1e, badly conditioned %.1e, no "
                      "answer %d\n",
                      tolerances[t], worst, worst_hard, failed);
        assert_true(worst <= 1e3 * tolerances[t] && worst_hard <= 1e5 * tolerances[t]);
        assert_true(failed <= cvode_per_class / 10);
        oracle_destroy(oracle);
    }
}

/* Fast slip that at first does not push the bodies apart, or hardly: v_n turns late and then
 * quickly. Expanded as far as it could go, the slip would have its events so near its start that
 * few digits were left there (errors up to 3.7e-10). Measured: 2.5e-13, what the input's last digit
 * does 8e-13. */
static void late_turns(void **state) {
    (void)state;
    static const uint64_t cases[][2] = {{991, 857543}, {991, 2006177}, {993, 5014067}};
    for (int i = 0; i < 3; i++) {
        Impact impact = random_impact(cases[i][0], cases[i][1]);
        Answer answer, truth = truth_solve(&impact);
        CaromResult result = {.impulse = answer.impulse, .velocity = answer.velocity};
        assert_true(carom_rigid_solve(impact.W, impact.v, &impact.contact, impact.law, &result) >=
                    0);
        answer.ok = 1;
        check_close(answer_error(&impact, &answer, &truth), 0, 3e-12);
    }
}

int main(void) {
    per_class = scaled(1500);
    cvode_per_class = scaled(40);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oracles_agree),
        cmocka_unit_test(library_against_series),
        cmocka_unit_test(late_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
