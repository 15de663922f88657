/* Input that is wrong gets a status and a message, and every output is written. */
#include <float.h>
#include <string.h>

#include "support/check.h"
#include "support/refusal.h"

static void numbers_that_are_not(void **state) {
    (void)state;
    static const double bad[] = {NAN, INFINITY};
    check_numbers_refused(CAROM_RIGID);
    for (int k = 0; k < 2; k++) {
        Impact impact = impact_ordinary();
        impact.contact.mu_static = bad[k];
        check_impact_refused(CAROM_RIGID, "mu_static", &impact, CAROM_INVALID_INPUT, "mu_static");
    }
}

static void values_out_of_range(void **state) {
    (void)state;
    check_ranges_refused(CAROM_RIGID);
    Impact impact = impact_ordinary();
    impact.contact.mu_static = impact.contact.mu * (1 - DBL_EPSILON);
    check_impact_refused(CAROM_RIGID, "mu_static < mu", &impact, CAROM_INVALID_INPUT, "mu_static");
    impact = impact_ordinary();
    impact.law = (CaromLaw)17;
    check_impact_refused(CAROM_RIGID, "law", &impact, CAROM_INVALID_INPUT, "");
}

/* Indefinite by much, and by little. A singular W is solved: test/rigid/test_singular.c. */
static void inverse_inertia_wrong(void **state) {
    (void)state;
    static const double little[][9] = {{1, 1 + 1e-12, 0, 1 + 1e-12, 1, 0, 0, 0, 1},
                                       {1, 0, 0, 0, 1, 1 + 1e-12, 0, 1 + 1e-12, 1}};
    check_matrices_refused(CAROM_RIGID);
    for (int i = 0; i < 2; i++) {
        Impact impact = impact_ordinary();
        memcpy(impact.W, little[i], sizeof little[i]);
        check_impact_refused(CAROM_RIGID, "by little", &impact, CAROM_INVALID_INPUT, "positive");
    }
}

/* Scales whose squares leave the range of a double are refused or solved, never answered by
 * something that is not finite. */
static void absurd_scales(void **state) {
    (void)state;
    static const double scales[] = {1e-300, 1e-200, 1e-150, 1e150, 1e200, 1e300};
    for (int i = 0; i < 36; i++) {
        Impact impact = impact_ordinary();
        Outputs out;
        for (int k = 0; k < 9; k++) {
            impact.W[k] *= scales[i / 6];
        }
        for (int k = 0; k < 3; k++) {
            impact.v[k] *= scales[i % 6];
        }
        outputs_begin(&out);
        CaromStatus status =
            carom_rigid_solve(impact.W, impact.v, &impact.contact, impact.law, &out.result);
        if (status < 0) {
            check_failed(&out, 3, status, CAROM_INVALID_INPUT);
            continue;
        }
        for (int k = 0; k < 3; k++) {
            assert_true(isfinite(out.impulse[k]) && isfinite(out.velocity[k]));
        }
        assert_true(isfinite(out.result.energy.change));
        assert_string_equal(out.result.sequence, "cr");
    }
}

/* Input that only the general call takes. */
static void general_call_refuses(void **state) {
    (void)state;
    Impact impact = impact_ordinary();
    CaromProblem good = {.model = CAROM_RIGID,
                         .contact_count = 1,
                         .inverse_inertia = impact.W,
                         .velocity = impact.v,
                         .contacts = &impact.contact};
    static const int counts[] = {0, -1};
    CaromResult result = {0};
    for (int i = 0; i < 2; i++) {
        CaromProblem problem = good;
        problem.contact_count = counts[i];
        assert_int_equal(carom_solve(&problem, NULL, &result), CAROM_INVALID_INPUT);
        assert_true(strlen(result.message) > 0);
    }
    CaromProblem two = good;
    double W[36] = {0}, v[6] = {0, 0, -1, 0, 0, -1};
    CaromContact contacts[2] = {impact.contact, impact.contact};
    for (int i = 0; i < 6; i++) {
        W[7 * i] = 1;
    }
    two.contact_count = 2;
    two.inverse_inertia = W;
    two.velocity = v;
    two.contacts = contacts;
    assert_int_equal(carom_solve(&two, NULL, &result), CAROM_INVALID_INPUT);
    CaromOptions options = carom_options_default();
    options.tolerance = NAN;
    assert_int_equal(carom_solve(&good, &options, &result), CAROM_INVALID_INPUT);
    options = carom_options_default();
    options.step = -1;
    assert_int_equal(carom_solve(&good, &options, &result), CAROM_INVALID_INPUT);
    options = carom_options_default();
    options.method = (CaromMethod)99;
    assert_int_equal(carom_solve(&good, &options, &result), CAROM_INVALID_INPUT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_that_are_not),  cmocka_unit_test(values_out_of_range),
        cmocka_unit_test(inverse_inertia_wrong), cmocka_unit_test(absurd_scales),
        cmocka_unit_test(general_call_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
