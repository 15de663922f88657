/* Input that is right but extreme gets a finite answer that obeys the laws. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"
#include "support/refusal.h"
#include "support/rigid/truth.h"

/* Solved, finite, and as the series in long double say. */
static double check_solved(const char *what, const Impact *impact) {
    Outputs out;
    outputs_begin(&out);
    CaromStatus status =
        carom_rigid_solve(impact->W, impact->v, &impact->contact, impact->law, &out.result);
    if (status != CAROM_OK) {
        print_error("%s: %s (%s)\n", what, carom_status_string(status), out.result.message);
        impact_print(impact);
        fail();
    }
    assert_string_equal(out.result.message, "");
    const double *I = out.impulse, *v = out.velocity;
    double mu = impact_mu_static(impact);
    for (int i = 0; i < 3; i++) {
        assert_true(isfinite(I[i]) && isfinite(v[i]));
    }
    assert_true(I[2] > 0 && v[2] >= 0);
    assert_true(hypot(I[0], I[1]) <= mu * I[2] * (1 + 1e-12));
    assert_true(out.result.energy.change <= 1e-12 * impact_energy(impact));
    Answer truth = truth_solve(impact), answer = answer_of_library(impact);
    double error = answer_error(impact, &answer, &truth);
    if (!(error <= 1e-12) || strcmp(answer.sequence, truth.sequence) != 0) {
        print_error("%s: error %.3g, sequence %s, truth %s\n", what, error, answer.sequence,
                    truth.sequence);
        impact_print(impact);
        fail();
    }
    return error;
}

static void extreme_coefficients(void **state) {
    (void)state;
    static const double mus[] = {0, DBL_TRUE_MIN, 1e-300, 1e-15, 0.4, 10, 1e3, 1e6};
    static const double es[] = {0, DBL_TRUE_MIN, 1e-150, 1e-8, 0.6, 1 - DBL_EPSILON / 2, 1};
    double worst = 0;
    for (int i = 0; i < 8; i++) {
        for (int k = 0; k < 7; k++) {
            Impact impact = impact_ordinary();
            impact.contact.mu = mus[i];
            impact.contact.e = es[k];
            char what[64];
            snprintf(what, sizeof what, "mu %g, e %g", mus[i], es[k]);
            worst = larger(worst, check_solved(what, &impact));
        }
    }
    print_message("mu and e: largest error %.1e\n", worst);
}

/* |gamma|/|v_n| over two hundred orders of magnitude, with and without stick. */
static void extreme_slip(void **state) {
    (void)state;
    static const double ratios[] = {0,    1e-150, 1e-90, 1e-50, 1e-20, 1e-15, 1e-8,
                                    1e-4, 1e4,    1e8,   1e15,  1e20,  1e50};
    static const double mus[] = {0.05, 0.4};
    double worst = 0;
    for (int i = 0; i < 26; i++) {
        Impact impact = impact_ordinary();
        char what[64];
        impact.v[0] = 0.6 * ratios[i / 2];
        impact.v[1] = -0.8 * ratios[i / 2];
        impact.contact.mu = mus[i % 2];
        snprintf(what, sizeof what, "|gamma|/|v_n| %g, mu %g", ratios[i / 2], mus[i % 2]);
        worst = larger(worst, check_solved(what, &impact));
    }
    print_message("|gamma|/|v_n|: largest error %.1e\n", worst);
}

/* Beyond that it is solved or refused, but never wrong. */
static void absurd_slip(void **state) {
    (void)state;
    static const double ratios[] = {1e-300, 1e-200, 1e100, 1e150, 1e200, 1e300};
    for (int i = 0; i < 6; i++) {
        Impact impact = impact_ordinary();
        Outputs out;
        impact.v[0] *= ratios[i];
        impact.v[1] *= ratios[i];
        outputs_begin(&out);
        CaromStatus status =
            carom_rigid_solve(impact.W, impact.v, &impact.contact, impact.law, &out.result);
        if (status < 0) {
            check_failed(&out, 3, status, CAROM_INVALID_INPUT);
        } else {
            check_solved("absurd slip", &impact);
        }
    }
}

/* Slip so fast that friction, a subnormal number, cannot bend it, and a matrix that is next to
 * singular: straight, with the normal impulse of no friction. */
static void friction_that_does_nothing(void **state) {
    (void)state;
    const double b = 9.532824124368238e-130, d1 = 5.881175610328838e-308,
                 d2 = 6.4774831681809423e-315, w = 9.5328241204692356e-130;
    for (int law = CAROM_LAW_ENERGETIC; law <= CAROM_LAW_NEWTON; law++) {
        Impact impact = {.W = {b, b, d1, b, 9.5328929115205771e-130, d2, d1, d2, w},
                         .v = {2.1811400603344114e-106, b, -9.8475411879966689e-130},
                         .contact = carom_contact_default(),
                         .law = (CaromLaw)law};
        impact.contact.mu = 8.9473327774685869e-313;
        impact.contact.e = 0.5;
        Answer answer = answer_of_library(&impact);
        assert_true(answer.ok);
        check_close(answer.impulse[2] * w / -impact.v[2], 1.5, 1e-15);
        check_close(answer.velocity[2] / -impact.v[2], 0.5, 1e-15);
    }
}

/* Velocities so small that they have few digits, next to one that has all: the axes are still at
 * right angles, and the impulse inside the cone. */
static void velocities_with_few_digits(void **state) {
    (void)state;
    Impact impact = impact_ordinary();
    impact.v[0] = 3.2252605360516574e-319;
    impact.v[1] = 1.7707312746950276e-320;
    impact.v[2] = -2.4984938808260689e-127;
    impact.contact.mu = 0.03;
    Answer answer = answer_of_library(&impact);
    assert_true(answer.ok);
    double slip = hypot(answer.impulse[0], answer.impulse[1]) / answer.impulse[2];
    assert_true(slip <= 0.03 * (1 + 1e-15));
}

/* mu_static: equal to mu changes nothing; huge makes every contact stick that comes to rest. */
static void static_friction(void **state) {
    (void)state;
    Impact impact = impact_ordinary();
    impact.v[0] = impact.v[1] = 0;
    impact.contact.mu = 0.01;
    Answer slips = answer_of_library(&impact);
    impact.contact.mu_static = 0.01;
    Answer same = answer_of_library(&impact);
    impact.contact.mu_static = 1e6;
    Answer sticks = answer_of_library(&impact);
    assert_memory_equal(slips.impulse, same.impulse, sizeof slips.impulse);
    assert_true(hypot(slips.velocity[0], slips.velocity[1]) > 0.1);
    assert_true(hypot(sticks.velocity[0], sticks.velocity[1]) <= 1e-15);
    check_solved("mu_static", &impact);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(extreme_coefficients),
        cmocka_unit_test(extreme_slip),
        cmocka_unit_test(absurd_slip),
        cmocka_unit_test(friction_that_does_nothing),
        cmocka_unit_test(velocities_with_few_digits),
        cmocka_unit_test(static_friction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
