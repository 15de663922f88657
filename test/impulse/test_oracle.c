/* The impulse-level law against slow oracles in long double: planar problems by all sets of modes,
 * spatial ones by a fixed-point iteration from many starts; and how honest the error estimate is.
 */
#include <float.h>
#include <stdio.h>
#include <stdlib.h>

#include <omp.h>

#include "support/check.h"
#include "support/impulse/oracle.h"
#include "support/impulse/random.h"
#include "support/scale.h"

static const uint64_t SEED = 577215;
static int problems; /* of each kind: 1000, scaled */

typedef struct Outcome {
    double I[MULTIPLE_ROWS], v[MULTIPLE_ROWS];
    CaromResult result;
} Outcome;

static void solve(const MultipleProblem *problem, Outcome *answer) {
    CaromProblem as = multiple_as_problem(problem);
    as.model = CAROM_MODEL_RIGID;
    answer->result = (CaromResult){.impulse = answer->I, .velocity = answer->v};
    carom_solve(&as, NULL, &answer->result);
}

/* Index of the oracle's solution nearest to the answer, and its distance in v. */
static int nearest(const MultipleProblem *problem, const Outcome *answer,
                   const ImpulseOracle *oracle, double *distance) {
    int best = -1;
    *distance = INFINITY;
    for (int k = 0; k < oracle->count; k++) {
        double gap = 0;
        for (int i = 0; i < multiple_rows(problem); i++) {
            gap = fmax(gap, fabs((double)(oracle->v[k][i] - answer->v[i])));
        }
        if (gap < *distance) {
            *distance = gap;
            best = k;
        }
    }
    return best;
}

static double relative_error(const MultipleProblem *problem, const Outcome *answer,
                             const long double *truth) {
    double most = 0, size = 0;
    for (int i = 0; i < multiple_rows(problem); i++) {
        most = fmax(most, fabs((double)(answer->I[i] - truth[i])));
        size = fmax(size, fabs((double)truth[i]));
    }
    return most / size;
}

/* Count of what went wrong, and of error estimates. */
typedef struct Score {
    int count, missing, extra, unknown, higher, fewer, false_claims, loose;
    double error, ratio;
} Score;

static void add(Score *sum, const Score *one) {
    sum->count += one->count;
    sum->missing += one->missing;
    sum->extra += one->extra;
    sum->unknown += one->unknown;
    sum->higher += one->higher;
    sum->fewer += one->fewer;
    sum->false_claims += one->false_claims;
    sum->loose += one->loose;
    sum->error = fmax(sum->error, one->error);
    sum->ratio = fmax(sum->ratio, one->ratio);
}

static void judge(const MultipleProblem *problem, const ImpulseOracle *oracle, int regular,
                  Score *score) {
    Outcome answer;
    double distance;
    solve(problem, &answer);
    score->count = 1;
    if (answer.result.status < 0) {
        score->missing = oracle->count > 0;
        return;
    }
    long double least = INFINITY;
    for (int k = 0; k < oracle->count; k++) {
        least = oracle->energy[k] < least ? oracle->energy[k] : least;
    }
    if (answer.result.solutions == CAROM_SOLUTIONS_CONTINUUM) {
        return; /* by definition another point of the same continuum */
    }
    double scale = fabs(answer.result.energy.change) + 1e-3;
    score->higher = answer.result.energy.change > (double)least + 1e-9 * scale;
    if (!regular) {
        return;
    }
    score->extra = oracle->count == 0;
    score->fewer = answer.result.solutions < oracle->count;
    int k = nearest(problem, &answer, oracle, &distance);
    score->unknown = k < 0 || distance > 1e-9;
    if (k >= 0 && distance < 1e-9) {
        double true_error = relative_error(problem, &answer, oracle->I[k]);
        score->error = true_error;
        score->ratio = true_error / answer.result.error;
        score->false_claims = true_error > 10 * answer.result.error;
        score->loose = answer.result.error > 1000 * fmax(true_error, 8 * DBL_EPSILON);
    }
}

static Score run(ImpulseFamily family, int planar, int regular) {
    Score sum = {0};
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < problems; i++) {
        MultipleProblem problem;
        static _Thread_local ImpulseOracle oracle;
        Score one = {0};
        Random random = random_start(SEED + 7, (uint64_t)i);
        impulse_random(SEED, (uint64_t)i, family, &problem);
        if (planar) {
            impulse_oracle_planar(&problem, &oracle);
        } else {
            impulse_oracle_spatial(&problem, &random, 6, &oracle);
        }
        judge(&problem, &oracle, regular && (planar || oracle.count > 0), &one);
#pragma omp critical
        add(&sum, &one);
    }
    printf("%-13s %d: unsolved %d, unknown %d, higher energy %d, fewer %d; error %.1e, %.2f of the "
           "estimate, too small %d, loose %d\n",
           impulse_family_name(family), sum.count, sum.missing, sum.unknown, sum.higher, sum.fewer,
           sum.error, sum.ratio, sum.false_claims, sum.loose);
    return sum;
}

static void check_regular(const Score *sum) {
    assert_int_equal(sum->missing + sum->extra + sum->unknown + sum->higher, 0);
    assert_int_equal(sum->false_claims, 0);
    assert_true(sum->loose <= sum->count / 10);
    assert_true(sum->error < 1e-14); /* measured 4e-16 */
}

static void test_planar_matrix(void **state) {
    (void)state;
    Score sum = run(IMPULSE_PLANAR_MATRIX, 1, 1);
    check_regular(&sum);
    assert_int_equal(sum.fewer, 0);
}

/* Semidefinite W: the oracle leaves singular sets out, so it may know fewer solutions than there
 * are. */
static void test_planar_bodies(void **state) {
    (void)state;
    for (int family = IMPULSE_PLANAR_BODY; family <= IMPULSE_PLANAR_ROUGH; family++) {
        Score sum = run((ImpulseFamily)family, 1, 0);
        assert_int_equal(sum.missing, 0);
        assert_true(sum.higher <= 1 + sum.count / 100); /* points of another continuum */
    }
}

static void test_spatial_matrix(void **state) {
    (void)state;
    Score sum = run(IMPULSE_MATRIX, 0, 1);
    check_regular(&sum);
}

static void test_balls(void **state) {
    (void)state;
    Score sum = run(IMPULSE_BALLS, 0, 1);
    check_regular(&sum);
}

int main(void) {
    problems = scaled(600);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_planar_matrix), cmocka_unit_test(test_planar_bodies),
        cmocka_unit_test(test_spatial_matrix), cmocka_unit_test(test_balls)};
    return cmocka_run_group_tests_name("impulse: oracles", tests, NULL, NULL);
}
