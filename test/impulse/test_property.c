/* What every answer of the impulse-level law satisfies, whatever the way to it, in all families:
 * v+ = v- + W I, no contact penetrates or pulls, cone, direction of friction, energy account; e = 0
 * never gains energy; scenes that can open have an answer. Checked by formulas of this file. */
#include <float.h>
#include <stdio.h>

#include <omp.h>

#include "support/check.h"
#include "support/impulse/random.h"
#include "support/scale.h"

static const uint64_t SEED = 271828;
static int problems; /* of each family: 400, scaled; by hand 2e5 */

/* Largest violation, in units of the largest velocity that was summed up. Measured: 2.1e-13 (stacks
 * of three, where W has the rounding of redundant rows), elsewhere 2e-14. */
static const double RESIDUAL = 2e-12;

static double violation(const MultipleProblem *problem, const double *I, const double *v) {
    int rows = multiple_rows(problem), per = problem->planar ? 2 : 3;
    double scale = 0, most = 0;
    for (int i = 0; i < rows; i++) {
        long double sum = problem->v[i];
        double size = fabs(problem->v[i]);
        for (int j = 0; j < rows; j++) {
            sum += (long double)problem->W[i * rows + j] * I[j];
            size += fabs(problem->W[i * rows + j] * I[j]);
        }
        scale = fmax(scale, size);
        most = fmax(most, fabs((double)(sum - v[i])));
    }
    for (int i = 0; i < problem->count; i++) {
        int n = per * i + per - 1;
        double w = problem->W[n * (rows + 1)], before = problem->v[n];
        double mu = problem->contacts[i].mu, b = problem->contacts[i].e * fmax(-before, 0);
        double t = per == 2 ? fabs(I[n - 1]) : hypot(I[n - 1], I[n - 2]);
        double slip = per == 2 ? fabs(v[n - 1]) : hypot(v[n - 1], v[n - 2]), power = 0;
        for (int k = 0; k < per - 1; k++) {
            power += I[per * i + k] * v[per * i + k];
        }
        most = fmax(most, -I[n] * w);                /* pushes */
        most = fmax(most, b - v[n]);                 /* separates */
        most = fmax(most, fmin(I[n] * w, v[n] - b)); /* one of the two */
        most = fmax(most, (t - mu * I[n]) * w);      /* cone */
        most =
            fmax(most, fmin(slip, (mu * I[n] * slip + power) / (mu * I[n] + 1e-300))); /* against */
    }
    return most / scale;
}

typedef struct Tally {
    double violation, residual;
    int unsolved, wrong, gained;
} Tally;

static void tally(ImpulseFamily family, uint64_t index, Tally *sum) {
    MultipleProblem problem;
    impulse_random(SEED, index, family, &problem);
    CaromProblem as = multiple_as_problem(&problem);
    double I[MULTIPLE_ROWS], v[MULTIPLE_ROWS], e = 0, flow = 0;
    CaromResult result = {.impulse = I, .velocity = v};
    as.model = CAROM_MODEL_RIGID;
    CaromStatus status = carom_solve(&as, NULL, &result);
    for (int i = 0; i < problem.count; i++) {
        e = fmax(e, problem.contacts[i].e);
    }
    if (status < 0) {
        sum->unsolved += status != CAROM_NO_SOLUTION || e == 0;
        return;
    }
    sum->gained += status == CAROM_ENERGY_GAIN && e == 0;
    double found = violation(&problem, I, v);
    sum->violation = fmax(sum->violation, found);
    sum->wrong += !(found <= RESIDUAL);
    for (int i = 0; i < multiple_rows(&problem); i++) {
        flow += fabs(I[i]) * (fabs(problem.v[i]) + fabs(v[i]));
    }
    sum->residual = fmax(sum->residual, fabs(result.energy.residual) / flow);
    if (!(found <= RESIDUAL)) {
        fprintf(stderr, "%s %d: violation %.1e\n", impulse_family_name(family), (int)index, found);
    }
}

static void test_families(void **state) {
    (void)state;
    Tally all = {0};
    for (int family = 0; family < IMPULSE_FAMILIES; family++) {
        Tally sum = {0};
#pragma omp parallel for schedule(dynamic)
        for (int i = 0; i < problems; i++) {
            Tally one = {0};
            tally((ImpulseFamily)family, (uint64_t)i, &one);
#pragma omp critical
            {
                sum.violation = fmax(sum.violation, one.violation);
                sum.residual = fmax(sum.residual, one.residual);
                sum.unsolved += one.unsolved;
                sum.wrong += one.wrong;
                sum.gained += one.gained;
            }
        }
        printf("%-13s %d: unsolved %d, violation %.1e, account %.1e\n",
               impulse_family_name((ImpulseFamily)family), problems, sum.unsolved, sum.violation,
               sum.residual);
        all.unsolved += sum.unsolved;
        all.wrong += sum.wrong;
        all.gained += sum.gained;
        all.residual = fmax(all.residual, sum.residual);
    }
    assert_int_equal(all.wrong, 0);
    assert_int_equal(all.gained, 0);
    /* at most one in 1e5 of each family */
    assert_true(all.unsolved <= IMPULSE_FAMILIES * (problems / 100000));
    assert_true(all.residual <= 1e-14);
}

int main(void) {
    problems = scaled(400);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_families)};
    return cmocka_run_group_tests_name("impulse: properties", tests, NULL, NULL);
}
