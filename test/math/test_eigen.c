/* Eigenvectors of symmetric matrices of two and three rows. */
#include <string.h>

#include "math/eigen.h"
#include "support/check.h"
#include "support/math/random.h"

enum { SEED = 20250117, CASES = 20000 };

/* A v = lambda v and Q^T Q = 1, relative to the largest entry; also for graded matrices, where the
 * small eigenvalues must be as good as the large ones. */
static void eigenvectors_are_what_they_say(void **state) {
    (void)state;
    double worst = 0, skew = 0;
    Random random = random_start(SEED, 0);
    for (int c = 0; c < CASES; c++) {
        int n = 2 + c % 2;
        double A[9], copy[9], Q[9], value[3], grade[3], size = 0;
        for (int i = 0; i < n; i++) {
            grade[i] = c % 5 == 0 ? pow(10, 6 * random_between(&random, -1, 1)) : 1;
            for (int j = 0; j <= i; j++) {
                A[n * i + j] = A[n * j + i] = grade[i] * grade[j] *
                                              (i == j ? 1 + fabs(random_between(&random, -1, 1))
                                                      : 0.5 * random_between(&random, -1, 1));
            }
            size = larger(size, fabs(A[n * i + i]));
        }
        memcpy(copy, A, sizeof A);
        crm_eigen_symmetric(n, A, Q, value);
        for (int k = 0; k < n; k++) {
            for (int i = 0; i < n; i++) {
                double left = 0, product = 0;
                for (int j = 0; j < n; j++) {
                    left += copy[n * i + j] * Q[n * j + k];
                    product += Q[n * j + i] * Q[n * j + k];
                }
                worst = larger(worst, fabs(left - value[k] * Q[n * i + k]) / size);
                skew = larger(skew, fabs(product - (i == k)));
            }
            assert_true(value[k] > 0);
        }
    }
    print_message("eigenvectors off by %.1e, not orthonormal by %.1e\n", worst, skew);
    assert_true(worst <= 2e-15); /* 5.0e-16 */
    assert_true(skew <= 4e-15);  /* 1.6e-15 */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eigenvectors_are_what_they_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
