/* Sine and versed sine against libm. */
#include "math/versine.h"
#include "support/check.h"
#include "support/math/random.h"

enum { SEED = 20250117, CASES = 20000 };

static void sine_and_versine_against_libm(void **state) {
    (void)state;
    double sine_off = 0, versine_off = 0;
    Random random = random_start(SEED, 0);
    for (int c = 0; c < CASES; c++) {
        double x = (c % 4 ? 3.2 : 40) * random_between(&random, -1, 1) *
                   pow(10, c % 7 ? 0 : -8 * fabs(random_between(&random, -1, 1)));
        Pair sine, versine;
        sine_versine_pair((Pair){x, -x / 3}, &sine, &versine);
        for (int j = 0; j < 2; j++) {
            long double angle = j ? (long double)(-x / 3) : x, half = sinl(angle / 2);
            sine_off = larger(sine_off, (double)fabsl(sine[j] - sinl(angle)));
            versine_off =
                fmax(versine_off, (double)(fabsl(versine[j] - 2 * half * half) / (half * half)));
        }
    }
    print_message("sine off by %.1e, versed sine by %.1e of itself\n", sine_off, versine_off);
    assert_true(sine_off <= 3e-15);    /* 9.5e-16 */
    assert_true(versine_off <= 4e-15); /* 1.4e-15 */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sine_and_versine_against_libm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
