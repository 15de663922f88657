/* The table of Radau's collocation with eight nodes integrates polynomials exactly. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "derivative/eight_nodes.h"
#include "support/check.h"

/* Measured: 3e-16. */
static const double ROUNDING = 2e-15;

static void integrals_are_exact(void **state) {
    (void)state;
    for (int degree = 0; degree < NODES; degree++) {
        for (int i = 0; i < NODES; i++) {
            double sum = 0;
            for (int j = 0; j < NODES; j++) {
                sum += EIGHT_INTEGRAL[j][i] * pow(EIGHT_NODE[j], degree);
            }
            check_close(sum, pow(EIGHT_NODE[i], degree + 1) / (degree + 1), ROUNDING);
        }
    }
}

/* Over the whole step of order 2 NODES - 1. */
static void weights_have_full_order(void **state) {
    (void)state;
    for (int degree = 0; degree < 2 * NODES; degree++) {
        double sum = 0;
        for (int j = 0; j < NODES; j++) {
            sum += eight_weight(j) * pow(EIGHT_NODE[j], degree);
        }
        double off = fabs(sum - 1.0 / (degree + 1));
        assert_true(degree < 2 * NODES - 1 ? off < ROUNDING : off > 1e-12);
    }
    assert_true(EIGHT_NODE[NODES - 1] == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integrals_are_exact),
        cmocka_unit_test(weights_have_full_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
