/* Input that is wrong gets a status and a message, and every output is written. */
#include <carom/carom.h>
#include <float.h>
#include <string.h>

#include "support/check.h"
#include "support/refusal.h"

static void numbers_that_are_not(void **state) {
    (void)state;
    static const double bad[] = {NAN, INFINITY};
    check_numbers_refused(CAROM_MODEL_RIGID);
    for (int k = 0; k < 2; k++) {
        Impact impact = impact_ordinary();
        impact.contact.mu_static = bad[k];
        check_impact_refused(CAROM_MODEL_RIGID, "mu_static", &impact, CAROM_INVALID_INPUT,
                             "mu_static");
    }
}

static void values_out_of_range(void **state) {
    (void)state;
    check_ranges_refused(CAROM_MODEL_RIGID);
    Impact impact = impact_ordinary();
    impact.contact.mu_static = impact.contact.mu * (1 - DBL_EPSILON);
    check_impact_refused(CAROM_MODEL_RIGID, "mu_static < mu", &impact, CAROM_INVALID_INPUT,
                         "mu_static");
    impact = impact_ordinary();
    impact.law = (CaromLaw)17;
    check_impact_refused(CAROM_MODEL_RIGID, "law", &impact, CAROM_INVALID_INPUT, "");
}

/* Indefinite by much, and by little. A singular W is solved: test/rigid/test_singular.c. */
static void inverse_inertia_wrong(void **state) {
    (void)state;
    static const double little[][9] = {{1, 1 + 1e-12, 0, 1 + 1e-12, 1, 0, 0, 0, 1},
                                       {1, 0, 0, 0, 1, 1 + 1e-12, 0, 1 + 1e-12, 1}};
    check_matrices_refused(CAROM_MODEL_RIGID);
    for (int i = 0; i < 2; i++) {
        Impact impact = impact_ordinary();
        memcpy(impact.W, little[i], sizeof little[i]);
        check_impact_refused(CAROM_MODEL_RIGID, "by little", &impact, CAROM_INVALID_INPUT,
                             "positive");
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
    CaromProblem good = {.model = CAROM_MODEL_RIGID,
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
    options.scheme.step = -1;
    assert_int_equal(carom_solve(&good, &options, &result), CAROM_INVALID_INPUT);
    options = carom_options_default();
    options.method = (CaromMethod)99;
    assert_int_equal(carom_solve(&good, &options, &result), CAROM_INVALID_INPUT);
}

/* A contact by its initialiser: fields left 0 have their defaults, in every model. */
static void fields_left_out(void **state) {
    (void)state;
    Impact impact = impact_ordinary();
    CaromContact brief = {.mu = 0.5, .e = 0.5};
    CaromContact full = {
        .mu = 0.5, .mu_static = 0.5, .e = 0.5, .stiffness = 1, .stiffness_ratio = 17.0 / 14};
    for (int model = CAROM_MODEL_RIGID; model <= CAROM_MODEL_COMPLIANT; model++) {
        double I[2][3];
        for (int i = 0; i < 2; i++) {
            CaromProblem problem = {.model = (CaromModel)model,
                                    .contact_count = 1,
                                    .inverse_inertia = impact.W,
                                    .velocity = impact.v,
                                    .contacts = i ? &full : &brief};
            CaromResult result = {.impulse = I[i]};
            assert_int_equal(carom_solve(&problem, NULL, &result), CAROM_OK);
        }
        assert_memory_equal(I[0], I[1], sizeof I[0]);
    }
}

/* Calls without a CaromResult give the reason in their last argument, "" if there is none. */
static void messages(void **state) {
    (void)state;
    const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, gamma[2] = {1, 0}, zero[2] = {0, 0};
    CaromSite site = {.normal = {0, 0, 1}}, flat = {.normal = {0, 0, 0}};
    CaromInvariant invariants[4];
    CaromMassProperties properties;
    CaromRollingState at;
    CaromRollingPath path = {.begin = {NAN, NAN, NAN}};
    double frame[9], r;
    int count;
    const char *message = NULL;
    assert_int_equal(carom_site_frame(&site, frame, &message), CAROM_OK);
    assert_string_equal(message, "");
    assert_int_equal(carom_site_frame(&flat, frame, &message), CAROM_INVALID_INPUT);
    assert_non_null(strstr(message, "normal"));
    assert_int_equal(carom_invariant_directions(W, -1, invariants, &count, &message),
                     CAROM_INVALID_INPUT);
    assert_non_null(strstr(message, "mu"));
    assert_int_equal(carom_hodograph_speed(W, 0.5, zero, 0, &r, &message), CAROM_INVALID_INPUT);
    assert_non_null(strstr(message, "gamma"));
    assert_int_equal(carom_hodograph_speed(W, 0.5, gamma, 1, &r, &message), CAROM_INVALID_INPUT);
    assert_non_null(strstr(message, "theta"));
    assert_int_equal(carom_mesh_properties(frame, 3, NULL, 4, 1, &properties, &message),
                     CAROM_INVALID_INPUT);
    assert_non_null(strstr(message, "faces"));
    assert_int_equal(carom_rolling_at(&path, -1, &at, NULL, &message), CAROM_INVALID_INPUT);
    assert_non_null(strstr(message, "time"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_that_are_not),
        cmocka_unit_test(values_out_of_range),
        cmocka_unit_test(inverse_inertia_wrong),
        cmocka_unit_test(absurd_scales),
        cmocka_unit_test(general_call_refuses),
        cmocka_unit_test(fields_left_out),
        cmocka_unit_test(messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
