/* Several contacts: input that is wrong, and memory that is given. */
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/multiple/problems.h"
#include "support/refusal.h"

static MultipleProblem problem;

static void check_refused(const char *what, CaromStatus expected, const char *word) {
    CaromProblem as_problem = multiple_as_problem(&problem);
    check_problem_refused(what, &as_problem, expected, word);
}

static void numbers_are_refused(void **state) {
    (void)state;
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    multiple_ordinary(&problem);
    static MultipleAnswer answer;
    multiple_library(&problem, &answer);
    assert_true(answer.ok);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 36; i++) {
            multiple_ordinary(&problem);
            problem.W[i] = bad[k];
            check_refused("W", CAROM_INVALID_INPUT, "inverse_inertia");
        }
        for (int i = 0; i < 6; i++) {
            multiple_ordinary(&problem);
            problem.v[i] = bad[k];
            check_refused("v", CAROM_INVALID_INPUT, "contact_velocity");
        }
        for (int i = 0; i < 2; i++) {
            multiple_ordinary(&problem);
            problem.contacts[i].mu = bad[k];
            check_refused("mu", CAROM_INVALID_INPUT, "mu");
            multiple_ordinary(&problem);
            problem.contacts[i].e = bad[k];
            check_refused("e", CAROM_INVALID_INPUT, "e ");
            multiple_ordinary(&problem);
            problem.contacts[i].stiffness_ratio = bad[k];
            check_refused("eta^2", CAROM_INVALID_INPUT, "stiffness_ratio");
        }
    }
}

static void ranges_are_refused(void **state) {
    (void)state;
    static const double bad_e[] = {-DBL_MIN, -1, 1 + DBL_EPSILON, 2};
    static const double bad_stiffness[] = {-2, NAN, -INFINITY};
    for (int i = 0; i < 4; i++) {
        multiple_ordinary(&problem);
        problem.contacts[1].e = bad_e[i];
        check_refused("e", CAROM_INVALID_INPUT, "e ");
    }
    for (int i = 0; i < 3; i++) {
        multiple_ordinary(&problem);
        problem.contacts[1].stiffness = bad_stiffness[i];
        check_refused("stiffness", CAROM_INVALID_INPUT, "stiffness");
    }
    multiple_ordinary(&problem);
    problem.contacts[1].mu = -1e-300;
    check_refused("mu", CAROM_INVALID_INPUT, "mu");
    multiple_ordinary(&problem);
    problem.contacts[1].mu_static = 0.5;
    check_refused("mu_static", CAROM_INVALID_INPUT, "mu_static");
    multiple_ordinary(&problem);
    problem.contacts[1].stiffness_ratio = -DBL_MIN;
    check_refused("eta^2", CAROM_INVALID_INPUT, "stiffness_ratio");
    static const double leaving[] = {0, DBL_TRUE_MIN, 1};
    for (int i = 0; i < 3; i++) {
        multiple_ordinary(&problem);
        problem.v[2] = leaving[i];
        check_refused("not approaching", CAROM_NOT_APPROACHING, "approach");
    }
}

static void matrices_are_refused(void **state) {
    (void)state;
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < i; j++) {
            multiple_ordinary(&problem);
            problem.W[6 * i + j] += 1e-8; /* allowed: 1e-9, relative */
            check_refused("asymmetric", CAROM_INVALID_INPUT, "symmetric");
        }
        multiple_ordinary(&problem);
        problem.W[7 * i] = -1;
        check_refused("diagonal", CAROM_INVALID_INPUT, "positive");
    }
    /* between the contacts */
    multiple_ordinary(&problem);
    problem.W[2 * 6 + 5] = problem.W[5 * 6 + 2] = 3;
    check_refused("indefinite", CAROM_INVALID_INPUT, "positive");
    multiple_ordinary(&problem);
    problem.W[6 * 0 + 3] = problem.W[6 * 3 + 0] = -4;
    check_refused("indefinite along the surface", CAROM_INVALID_INPUT, "positive");
}

static void friction_and_no_finite_stiffness(void **state) {
    (void)state;
    multiple_ordinary(&problem);
    problem.contacts[0].stiffness = INFINITY;
    check_refused("mu and an infinite stiffness", CAROM_INVALID_INPUT, "mu");
    problem.contacts[0].mu = 0;
    problem.contacts[1].mu = 0;
    static MultipleAnswer answer;
    multiple_library(&problem, &answer);
    assert_true(answer.ok);
    static const CaromLaw laws[] = {CAROM_LAW_POISSON, CAROM_LAW_NEWTON};
    for (int k = 0; k < 2; k++) {
        multiple_ordinary(&problem);
        problem.law = laws[k];
        check_refused("law", CAROM_INVALID_INPUT, "restitution");
    }
}

/* Twelve contacts: more than fit on the stack. */
static void workspace_changes_nothing(void **state) {
    (void)state;
    enum { COUNT = 12 };
    double A[COUNT * COUNT] = {0}, v[COUNT] = {-1}, I[2][3 * COUNT], velocity[2][3 * COUNT];
    for (int i = 0; i < COUNT; i++) {
        A[i * (COUNT + 1)] = 2 + 0.1 * i;
        if (i > 0) {
            A[i * COUNT + i - 1] = A[(i - 1) * COUNT + i] = -1 - 0.05 * i;
        }
    }
    multiple_frictionless(&problem, COUNT, A, v);
    for (int rough = 0; rough < 2; rough++) {
        for (int i = 0; i < COUNT; i++) {
            problem.contacts[i].e = 0.6 + 0.03 * i;
            problem.contacts[i].mu = rough ? 0.1 + 0.02 * i : 0;
        }
        for (int i = 0; i < COUNT && rough; i++) {
            problem.v[3 * i] = 0.3 - 0.05 * i;
        }
        CaromProblem as_problem = multiple_as_problem(&problem);
        CaromOptions options = carom_options_default();
        void *workspace = malloc(carom_workspace_size(COUNT));
        assert_non_null(workspace);
        memset(workspace, 0xff, carom_workspace_size(COUNT));
        for (int k = 0; k < 2; k++) {
            CaromResult result = {.impulse = I[k], .velocity = velocity[k]};
            options.workspace = k == 0 ? NULL : workspace;
            assert_int_equal(carom_solve(&as_problem, &options, &result), CAROM_OK);
        }
        free(workspace);
        assert_memory_equal(I[0], I[1], sizeof I[0]);
        assert_memory_equal(velocity[0], velocity[1], sizeof velocity[0]);
        assert_true(I[0][3 * COUNT - 1] > 0);
    }
    assert_true(carom_workspace_size(0) == 0 && carom_workspace_size(-3) == 0);
    assert_true(carom_workspace_size(12) > carom_workspace_size(8));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_refused),
        cmocka_unit_test(ranges_are_refused),
        cmocka_unit_test(matrices_are_refused),
        cmocka_unit_test(friction_and_no_finite_stiffness),
        cmocka_unit_test(workspace_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
