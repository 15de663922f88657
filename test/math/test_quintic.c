/* Quintic polynomials from values at both ends of an interval. */
#include "math/quintic.h"
#include "support/check.h"
#include "support/math/random.h"

enum { SEED = 20250117, CASES = 20000 };

/* Values and derivatives at both ends of [0, 1] give back the polynomial. */
static void quintic_is_found(void **state) {
    (void)state;
    Random random = random_start(SEED, 0);
    for (int c = 0; c < CASES; c++) {
        double a[6], end = 0, slope = 0, bend = 0;
        for (int i = 0; i < 6; i++) {
            a[i] = random_between(&random, -1, 1);
            end += a[i];
            slope += i * a[i];
            bend += i * (i - 1) * a[i] / 2;
        }
        const Quintic q = quintic_between(a[0], a[1], a[2], end, slope, bend);
        double t = random_between(&random, -1, 1), at[4] = {0, 0, 0, 0};
        for (int i = 0; i < 6; i++) {
            at[0] += a[i] * pow(t, i);
            at[1] += i > 0 ? i * a[i] * pow(t, i - 1) : 0;
            at[2] += i > 1 ? i * (i - 1) * a[i] * pow(t, i - 2) / 2 : 0;
            at[3] += a[i] * pow(t, i + 1) / (i + 1);
        }
        /* 4.2e-14, 1.7e-13, 2.7e-13, 8.4e-15 */
        check_close(quintic_value(&q, t), at[0], 5e-13);
        check_close(quintic_slope(&q, t), at[1], 2e-12);
        check_close(quintic_half_bend(&q, t), at[2], 3e-12);
        check_close(quintic_integral(&q, t), at[3], 1e-13);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quintic_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
