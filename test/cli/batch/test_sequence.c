/* Points of sweeps: how even they are, and the inverse of the normal distribution.
 *
 * Oracle: the definitions. A Latin hypercube has one point in each part of each axis; so have 2^k
 * of Sobol's points in 2^k parts, whatever block of 2^k they are. */
#include "batch/sequence.h"

#include <math.h>
#include <string.h>

#include "support/check.h"

/* Each of count parts of [0, 1) has one of the points. */
static void check_even(const double *points, int count) {
    enum { MOST = 4096 };
    unsigned char seen[MOST] = {0};
    for (int i = 0; i < count; i++) {
        assert_true(points[i] >= 0 && points[i] < 1);
        int part = (int)(points[i] * count);
        assert_int_equal(seen[part]++, 0);
    }
}

static void test_latin(void **state) {
    (void)state;
    static const int counts[] = {1, 2, 3, 17, 1000, 4096};
    double points[4096];
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        for (int dimension = 0; dimension < 3; dimension++) {
            for (int i = 0; i < counts[k]; i++) {
                points[i] = sequence_latin(7, dimension, (uint64_t)i, (uint64_t)counts[k]);
            }
            check_even(points, counts[k]);
        }
    }
}

static void test_sobol(void **state) {
    (void)state;
    double points[4096];
    for (int dimension = 0; dimension < SEQUENCE_DIMENSIONS; dimension++) {
        for (int count = 1; count <= 4096; count *= 4) {
            for (uint64_t block = 0; block < 3; block++) {
                for (int i = 0; i < count; i++) {
                    points[i] = sequence_sobol(3, dimension, block * (uint64_t)count + (uint64_t)i);
                }
                check_even(points, count);
            }
        }
    }
}

/* The first two dimensions are even in every rectangle of equal area, too. */
static void test_sobol_plane(void **state) {
    (void)state;
    enum { COUNT = 1024 };
    for (int across = 1; across <= COUNT; across *= 2) {
        unsigned char seen[COUNT] = {0};
        for (int i = 0; i < COUNT; i++) {
            int x = (int)(sequence_sobol(5, 0, (uint64_t)i) * across);
            int y = (int)(sequence_sobol(5, 1, (uint64_t)i) * (COUNT / across));
            assert_int_equal(seen[x * (COUNT / across) + y]++, 0);
        }
    }
}

/* Means of products of different coordinates are those of independent ones. */
static void test_independent(void **state) {
    (void)state;
    enum { COUNT = 65536 };
    for (int a = 0; a < SEQUENCE_DIMENSIONS; a++) {
        for (int b = 0; b < a; b++) {
            double random = 0, sobol = 0;
            for (uint64_t i = 0; i < COUNT; i++) {
                random += (sequence_random(1, a, i) - 0.5) * (sequence_random(1, b, i) - 0.5);
                if (i < 4096) {
                    sobol += (sequence_sobol(1, a, i) - 0.5) * (sequence_sobol(1, b, i) - 0.5);
                }
            }
            assert_true(fabs(random / COUNT) < 5 / 12.0 / 256); /* five standard deviations */
            assert_true(fabs(sobol / 4096) < 2e-3);
        }
    }
}

static void test_normal(void **state) {
    (void)state;
    assert_true(fabs(sequence_normal(0.5)) < 1e-16);
    for (double x = -8; x <= 8; x += 0.03125) {
        double p = 0.5 * erfc(-x / sqrt(2));
        double back = sequence_normal(p);
        /* above 0 the digits of p near 1 are what limits */
        double digits = x > 0 ? 0x1p-53 / exp(-0.5 * x * x) * 5 : 0;
        assert_true(fabs(back - x) < 1e-14 * (1 + fabs(x)) + digits);
    }
    assert_true(isfinite(sequence_normal(0x1p-54)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_latin),       cmocka_unit_test(test_sobol),
        cmocka_unit_test(test_sobol_plane), cmocka_unit_test(test_independent),
        cmocka_unit_test(test_normal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
