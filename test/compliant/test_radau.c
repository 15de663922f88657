/* The tables of Radau's collocation: every row integrates and interpolates polynomials exactly. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "compliant/radau.h"
#include "support/check.h"

/* Measured: 5e-16 for integrals and values, 8e-12 for coefficients, which are of size 5e4. */
static const double ROUNDING = 2e-15, COEFFICIENTS = 5e-11;

static void integrals_are_exact(void **state) {
    (void)state;
    for (int degree = 0; degree < STAGES; degree++) {
        for (int i = 0; i < STAGES; i++) {
            double sum = 0;
            for (int j = 0; j < STAGES; j++) {
                sum += INTEGRAL[i][j] * pow(NODE[j], degree);
            }
            check_close(sum, pow(NODE[i], degree + 1) / (degree + 1), ROUNDING);
        }
    }
}

/* Measured: 7e-14; the rates are up to 57. */
static void rates_are_exact(void **state) {
    (void)state;
    for (int degree = 0; degree <= STAGES; degree++) {
        for (int i = 0; i < STAGES; i++) {
            double sum = degree == 0 ? RATE_0[i] : 0;
            for (int j = 0; j < STAGES; j++) {
                sum += RATE[i][j] * pow(NODE[j], degree);
            }
            check_close(sum, degree > 0 ? degree * pow(NODE[i], degree - 1) : 0, 1e-12);
        }
    }
}

/* The last row is a quadrature of order 2 STAGES - 1. */
static void last_row_has_full_order(void **state) {
    (void)state;
    for (int degree = 0; degree < 2 * STAGES; degree++) {
        double sum = 0;
        for (int j = 0; j < STAGES; j++) {
            sum += INTEGRAL[STAGES - 1][j] * pow(NODE[j], degree);
        }
        double off = fabs(sum - 1.0 / (degree + 1));
        assert_true(degree < 2 * STAGES - 1 ? off < ROUNDING : off > 1e-12);
    }
    assert_true(NODE[STAGES - 1] == 1);
}

static void basis_interpolates(void **state) {
    (void)state;
    for (int j = 0; j < STAGES; j++) {
        for (int i = 0; i < STAGES; i++) {
            double value = 0;
            for (int n = STAGES - 1; n >= 0; n--) {
                value = value * NODE[i] + BASIS[j][n];
            }
            check_close(value, i == j, COEFFICIENTS);
        }
    }
}

static void checks_lie_between_nodes(void **state) {
    (void)state;
    for (int c = 0; c < CHECKS; c++) {
        for (int degree = 0; degree < STAGES; degree++) {
            double value = 0, integral = 0;
            for (int j = 0; j < STAGES; j++) {
                value += CHECK_VALUE[c][j] * pow(NODE[j], degree);
                integral += CHECK_INTEGRAL[c][j] * pow(NODE[j], degree);
            }
            check_close(value, pow(CHECK_AT[c], degree), ROUNDING);
            check_close(integral, pow(CHECK_AT[c], degree + 1) / (degree + 1), ROUNDING);
        }
        for (int j = 0; j < STAGES; j++) {
            assert_true(fabs(CHECK_AT[c] - NODE[j]) > 0.05);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integrals_are_exact),      cmocka_unit_test(rates_are_exact),
        cmocka_unit_test(last_row_has_full_order),  cmocka_unit_test(basis_interpolates),
        cmocka_unit_test(checks_lie_between_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
