/* From two materials to the coefficients of their contact. */
#include <carom/carom.h>

#include <string.h>

#include "support/check.h"
#include "support/math/random.h"

enum { SEED = 5150 };

static void rules(void **state) {
    (void)state;
    static const double expected[] = {0.2, 0.8, 0.16, 0.5, 0.4};
    for (int rule = 0; rule < 5; rule++) {
        check_close(carom_combine((CaromCombine)rule, 0.2, 0.8), expected[rule], 1e-16);
        assert_true(carom_combine((CaromCombine)rule, 0.8, 0.2) ==
                    carom_combine((CaromCombine)rule, 0.2, 0.8));
        assert_true(carom_combine((CaromCombine)rule, 0, 0) == 0);
        assert_true(carom_combine((CaromCombine)rule, 1, 1) == 1);
        assert_true(isnan(carom_combine((CaromCombine)rule, -0.1, 0.5)));
        assert_true(isnan(carom_combine((CaromCombine)rule, 0.5, NAN)));
    }
    assert_true(isnan(carom_combine((CaromCombine)5, 0.5, 0.5)));
    /* equal materials: a mean of equals is the same number; and no overflow */
    for (int i = 0; i < 1000; i++) {
        Random random = random_start(SEED, (uint64_t)i);
        double a = random_log(&random, 1e-300, 1e300);
        assert_true(carom_combine(CAROM_COMBINE_AVERAGE, a, a) == a);
        assert_true(carom_combine(CAROM_COMBINE_GEOMETRIC, a, a) == a);
    }
    assert_true(carom_combine(CAROM_COMBINE_AVERAGE, 1.5e308, 1.7e308) < INFINITY);
}

static void materials(void **state) {
    (void)state;
    CaromMaterial ice = {.mu = 0.05, .mu_static = 0.1, .e = 0.3};
    CaromMaterial rubber = {.mu = 0.8, .mu_static = 0, .e = 0.9};
    CaromContact contact =
        carom_material_combine(&ice, &rubber, CAROM_COMBINE_GEOMETRIC, CAROM_COMBINE_MAX);
    check_close(contact.mu, 0.2, 1e-16);
    check_close(contact.mu_static, sqrt(0.08), 1e-16);
    assert_true(contact.e == 0.9);
    assert_true(contact.stiffness == 1 && contact.stiffness_ratio == 17.0 / 14);
    /* mu_static >= mu whatever rounding does, so that every solver takes it */
    for (uint64_t i = 0; i < 20000; i++) {
        Random random = random_start(SEED + 1, i);
        CaromMaterial a = {.mu = random_uniform(&random), .e = 0.5}, b = a;
        b.mu = i % 2 ? a.mu : random_uniform(&random);
        a.mu_static = a.mu;
        b.mu_static = i % 3 ? b.mu * (1 + 2.3e-16) : b.mu;
        contact = carom_material_combine(&a, &b, (CaromCombine)(i % 5), CAROM_COMBINE_MIN);
        assert_true(contact.mu_static >= contact.mu);
    }
    /* wrong values are refused by name */
    const double W[4] = {1, 0, 0, 1}, v[2] = {1, -1};
    CaromResult result = {0};
    rubber.e = NAN;
    contact = carom_material_combine(&ice, &rubber, CAROM_COMBINE_MIN, CAROM_COMBINE_MIN);
    assert_int_equal(carom_planar_solve(W, v, &contact, CAROM_LAW_ENERGETIC, &result),
                     CAROM_INVALID_INPUT);
    assert_non_null(strstr(result.message, "e must"));
    rubber.e = 0.5;
    rubber.mu = -1;
    contact = carom_material_combine(&ice, &rubber, CAROM_COMBINE_MIN, CAROM_COMBINE_MIN);
    assert_int_equal(carom_planar_solve(W, v, &contact, CAROM_LAW_ENERGETIC, &result),
                     CAROM_INVALID_INPUT);
    assert_non_null(strstr(result.message, "mu"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules),
        cmocka_unit_test(materials),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
