/* Several contacts, library against oracle, on random problems of every class.
 *
 * The oracle (support/multiple/oracle.h) is the measure; its own checks come first: it
 * does not depend on its settings, and its latched contacts are the limit of bounces that are
 * followed through. The problems have few contacts: the oracle is slow.
 *
 * Where the answer is ill-conditioned, an error beyond its bound is accepted if it is at most a few
 * times the effect of rounding the input.
 *
 * Where bounces with friction accumulate the oracle has no limit but follows them through, with a
 * stiffness that stops growing after the factor G: it is off by something like G^-1/2. If e is very
 * small the first growth is already too much for it, and if two contacts do so at once each shakes
 * the other: then there is no truth here. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <omp.h>

#include "support/check.h"
#include "support/multiple/oracle.h"
#include "support/multiple/random.h"
#include "support/scale.h"

static const uint64_t SEED = 5005;
static int per_class; /* 6, scaled */
enum { MOST_CONTACTS = 4 };

/* with the largest value measured */
static const double SMOOTH_BOUND = 1e-12; /* without friction: 2.3e-14 */
static const double ROUGH_BOUND = 3e-10;  /* with it: 6.2e-11 */
static const double EVENT_BOUND = 1e-10;  /* of an impulse at an event: 1.1e-11 */
static const double CAPPED_BOUND = 3e-2;  /* 1.0e-2 */
static const double CAPPED_SMALLEST_E = 0.05;
static const double SENSITIVITY_FACTOR = 8;

typedef struct Tally {
    int compared, explained, wrong, without_truth, crowded, latched, capped, ambiguous, restarts;
    double error, event, capped_error; /* largest of those not explained */
} Tally;

/* All that one comparison needs; too large for a stack. */
typedef struct Desk {
    MultipleProblem problem, moved;
    MultipleAnswer answer, truth, other;
} Desk;

static double error_of(const MultipleProblem *problem, const MultipleAnswer *answer,
                       const MultipleAnswer *truth) {
    return (truth->ambiguous ? multiple_velocity_error : multiple_error)(problem, answer, truth);
}

/* How far the oracle's answer moves if the input is changed in its last place. */
static double sensitivity(Desk *desk, int count, int *events_differ) {
    double largest = 0;
    for (int k = 0; k < count; k++) {
        Random random = random_start(SEED, (uint64_t)k);
        desk->moved = desk->problem;
        multiple_disturb(&random, &desk->moved);
        multiple_oracle_solve(&desk->moved, &desk->other);
        double off = error_of(&desk->problem, &desk->other, &desk->truth);
        largest = larger(largest, isfinite(off) ? off : 0);
        *events_differ |= !multiple_same_events(&desk->problem, &desk->other, &desk->truth, NULL);
    }
    return largest;
}

static void report(uint64_t index, const Desk *desk, double error, double last_digit) {
    print_error("problem %llu: error %.3g (last digit %.3g)%s%s\n", (unsigned long long)index,
                error, last_digit, desk->truth.latched ? ", latched" : "",
                desk->truth.capped ? ", capped" : "");
    multiple_print(&desk->problem);
    multiple_print_events("library", &desk->problem, &desk->answer);
    multiple_print_events("oracle", &desk->problem, &desk->truth);
}

static void count_truth(const MultipleAnswer *truth, Tally *tally) {
    tally->compared++;
    tally->without_truth += !truth->ok;
    tally->latched += truth->latched > 0;
    tally->capped += truth->capped > 0;
    tally->ambiguous += truth->ambiguous;
    for (int i = 0; i < truth->event_count && i < MULTIPLE_EVENTS; i++) {
        tally->restarts += truth->events[i].kind == CAROM_EVENT_COMPRESSION_RESTART;
    }
}

/* Bounces with friction that the oracle cannot follow. */
static int is_crowded(const MultipleProblem *problem, const MultipleAnswer *truth) {
    int plastic = 0;
    for (int i = 0; i < problem->count; i++) {
        const CaromContact *contact = &problem->contacts[i];
        plastic |= contact->mu > 0 && contact->e < CAPPED_SMALLEST_E;
    }
    return truth->capped > 1 || (truth->capped > 0 && plastic);
}

static void compare(uint64_t index, Desk *desk, Tally *tally) {
    multiple_random_small(SEED, index, MOST_CONTACTS, &desk->problem);
    multiple_library(&desk->problem, &desk->answer);
    multiple_oracle_solve(&desk->problem, &desk->truth);
    count_truth(&desk->truth, tally);
    if (!desk->truth.ok || is_crowded(&desk->problem, &desk->truth)) {
        tally->crowded += desk->truth.ok;
        return;
    }
    double bound = multiple_class_is_rough((MultipleClass)(index % MULTIPLE_CLASS_COUNT))
                       ? ROUGH_BOUND
                       : SMOOTH_BOUND;
    double event = 0, error = error_of(&desk->problem, &desk->answer, &desk->truth), digit = 0;
    /* bounces that accumulate are cut off at different places */
    int chatter = desk->truth.latched || desk->truth.capped;
    int same = chatter || multiple_same_events(&desk->problem, &desk->answer, &desk->truth, &event);
    if (desk->truth.capped && error <= CAPPED_BOUND) {
        tally->capped_error = larger(tally->capped_error, error);
        return;
    }
    if (error <= bound && same && event <= EVENT_BOUND) {
        tally->error = larger(tally->error, error);
        tally->event = larger(tally->event, event);
        return;
    }
    if (desk->answer.ok) {
        int differ = 0;
        digit = sensitivity(desk, 8, &differ);
        if (error <= fmax(bound, SENSITIVITY_FACTOR * digit) && (same || differ)) {
            tally->explained++;
            return;
        }
    }
    tally->wrong++;
#pragma omp critical
    report(index, desk, error, digit);
}

static Tally sum_of(const Tally *tallies) {
    Tally sum = {0};
    print_message("%-14s %8s %8s %8s %8s %9s %8s %7s %6s %9s %5s\n", "class", "compared", "error",
                  "events", "capped", "explained", "restarts", "latched", "capped", "ambiguous",
                  "wrong");
    for (int k = 0; k < MULTIPLE_CLASS_COUNT; k++) {
        const Tally *t = &tallies[k];
        print_message("%-14s %8d %8.1e %8.1e %8.1e %9d %8d %7d %6d %9d %5d\n",
                      multiple_class_name((MultipleClass)k), t->compared, t->error, t->event,
                      t->capped_error, t->explained, t->restarts, t->latched, t->capped,
                      t->ambiguous, t->wrong);
        sum.compared += t->compared;
        sum.wrong += t->wrong;
        sum.explained += t->explained;
        sum.without_truth += t->without_truth;
        sum.crowded += t->crowded;
        sum.latched += t->latched;
        sum.capped += t->capped;
        sum.restarts += t->restarts;
    }
    print_message("without truth: %d of %d, and %d with bounces that cannot be followed\n",
                  sum.without_truth, sum.compared, sum.crowded);
    return sum;
}

static void library_against_oracle(void **state) {
    (void)state;
    static Tally tallies[MULTIPLE_CLASS_COUNT];
    int count = per_class * MULTIPLE_CLASS_COUNT;
    print_message("seed %llu, %d problems of each class\n", (unsigned long long)SEED, per_class);
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < count; i++) {
        Desk *desk = malloc(sizeof *desk);
        Tally mine = {0}, *all = &tallies[i % MULTIPLE_CLASS_COUNT];
        if (desk != NULL) {
            compare((uint64_t)i, desk, &mine);
        }
        free(desk);
#pragma omp critical
        {
            all->compared += mine.compared;
            all->explained += mine.explained;
            all->wrong += mine.wrong;
            all->without_truth += mine.without_truth;
            all->crowded += mine.crowded;
            all->latched += mine.latched;
            all->capped += mine.capped;
            all->ambiguous += mine.ambiguous;
            all->restarts += mine.restarts;
            all->error = larger(all->error, mine.error);
            all->event = larger(all->event, mine.event);
            all->capped_error = larger(all->capped_error, mine.capped_error);
        }
    }
    Tally sum = sum_of(tallies);
    assert_int_equal(sum.compared, count);
    assert_int_equal(sum.wrong, 0);
    assert_true(sum.without_truth <= sum.compared / 50);
    assert_true(sum.crowded <= sum.compared / 10 + 1); /* 6 of 108 */
    assert_true(sum.explained <= sum.compared / 20);
    /* the rare branches were taken */
    assert_true(per_class < 6 || (sum.latched > 0 && sum.capped > 0 && sum.restarts > 0));
}

/* ---- the oracle itself ---- */

/* A hundredfold tolerance, a tenfold start of slip and a thousandth of the stiffness at which
 * contacts latch change nothing beyond 1e-10, or the effect of rounding the input. Measured: 2.3e-6
 * of that; account 1.3e-16. */
static void oracle_does_not_depend_on_its_settings(void **state) {
    (void)state;
    MultipleSettings loose = multiple_oracle_default();
    int count = (per_class + 5) / 6 * MULTIPLE_CLASS_COUNT;
    double worst = 0, worst_account = 0;
    loose.tolerance *= 100;
    loose.start *= 10;
    loose.latch_growth /= 1000;
#pragma omp parallel for schedule(dynamic) reduction(max : worst, worst_account)
    for (int i = 0; i < count; i++) {
        Desk *desk = malloc(sizeof *desk);
        if (desk == NULL) {
            continue;
        }
        multiple_random_small(SEED + 1, (uint64_t)i, MOST_CONTACTS, &desk->problem);
        multiple_oracle_solve(&desk->problem, &desk->truth);
        multiple_oracle_solve_with(&desk->problem, loose, &desk->answer);
        double off = error_of(&desk->problem, &desk->answer, &desk->truth), scale = 0;
        for (int j = 0; j < multiple_rows(&desk->problem); j++) {
            scale += fabs(desk->truth.impulse[j]) *
                     (fabs(desk->problem.v[j]) + fabs(desk->truth.velocity[j]));
        }
        if (desk->truth.ok && desk->answer.ok && desk->truth.capped == 0) {
            int differ = 0;
            off = off > 1e-10 ? off / fmax(1e-10, sensitivity(desk, 2, &differ)) : off / 1e-10;
            worst = larger(worst, off);
            worst_account = larger(worst_account, fabs(desk->truth.energy.residual) / scale);
        }
        free(desk);
    }
    print_message("settings: %.1e of the tolerance, account %.1e\n", worst, worst_account);
    assert_true(worst <= 1);
    assert_true(worst_account <= 5e-15);
}

/* A row of balls in which bounces accumulate. */
static void chain_that_latches(MultipleProblem *problem) {
    static const double inverse[] = {1.0317, 2.9279, 0.3784, 0}, es[] = {0.85, 0.5, 0.47},
                        ks[] = {0.386, 1.858, 0.303};
    memset(problem, 0, sizeof *problem);
    problem->tag = "latches";
    problem->count = 3;
    for (int i = 0; i < 3; i++) {
        int n = 3 * i + 2;
        problem->contacts[i] = carom_contact_default();
        problem->contacts[i].e = es[i];
        problem->contacts[i].stiffness = ks[i];
        problem->W[n * 10] = inverse[i] + inverse[i + 1];
        if (i > 0) {
            problem->W[n * 9 + n - 3] = problem->W[(n - 3) * 9 + n] = -inverse[i];
        }
    }
    problem->v[2] = -1;
}

/* Bounces followed through, with stiffnesses that stop growing after the factor G, tend to the
 * latched contact. Measured: 2.3e-4 with G = 100, 8.8e-8 with 1e5. */
static void bounces_have_a_limit(void **state) {
    (void)state;
    Desk *desk = malloc(sizeof *desk);
    MultipleSettings settings = multiple_oracle_default();
    double first = 0, last = 0;
    assert_non_null(desk);
    chain_that_latches(&desk->problem);
    multiple_oracle_solve(&desk->problem, &desk->truth);
    assert_true(desk->truth.ok && desk->truth.latched > 0);
    settings.latch_growth = INFINITY;
    for (settings.largest_growth = 1e2; settings.largest_growth < 2e5;
         settings.largest_growth *= 10) {
        multiple_oracle_solve_with(&desk->problem, settings, &desk->answer);
        assert_true(desk->answer.ok && desk->answer.latched == 0);
        last = multiple_error(&desk->problem, &desk->answer, &desk->truth);
        first = settings.largest_growth == 1e2 ? last : first;
        print_message("growth %.0e: %d events, off by %.1e\n", settings.largest_growth,
                      desk->answer.event_count, last);
    }
    free(desk);
    assert_true(last <= 1e-6 && last <= first / 100);
}

int main(void) {
    per_class = scaled(6);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oracle_does_not_depend_on_its_settings),
        cmocka_unit_test(bounces_have_a_limit),
        cmocka_unit_test(library_against_oracle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
