/* Searches for the zeros of a function from its derivatives: no zero may be skipped. */
#include "math/jet.c" /* for its static functions */
#include "support/check.h"
#include "support/math/random.h"

enum { SEED = 20250117, CASES = 20000 };

/* The first root by a dense scan; NaN if two may be too close for it. */
static double first_root(const double *a, int degree, double h) {
    enum { POINTS = 4000 };
    double before = a[0];
    for (int i = 1; i <= POINTS; i++) {
        double x = h * i / POINTS, g[4];
        polynomial_jet(a, degree, x, g);
        if (before > 0 && g[0] <= 0) {
            double low = h * (i - 1) / POINTS, high = x;
            for (int k = 0; k < 60; k++) {
                double middle = (low + high) / 2;
                polynomial_jet(a, degree, middle, g);
                *(g[0] > 0 ? &low : &high) = middle;
            }
            return high;
        }
        /* it may dip below 0 and come back between two points */
        if (fabs(g[0]) < 1e-5 * fabs(a[0])) {
            return NAN;
        }
        before = g[0];
    }
    return INFINITY;
}

static void no_root_is_skipped(void **state) {
    (void)state;
    double worst = 0;
    int found = 0, none = 0, unclear = 0;
    Random random = random_start(SEED, 0);
    for (int c = 0; c < CASES / 10; c++) {
        double a[13], h = 1 + random_between(&random, -1, 1);
        int degree = 4 + c % 9;
        for (int i = 0; i <= degree; i++) {
            a[i] = random_between(&random, -1, 1) * pow(1.3, (c % 3 - 1) * i);
        }
        a[0] = fabs(a[0]);
        double expected = first_root(a, degree, h), got = crm_jet_polynomial_zero(a, degree, h);
        if (isnan(expected)) {
            unclear++;
            continue;
        }
        assert_true(isinf(got) == isinf(expected));
        if (isfinite(expected)) {
            double g[4];
            polynomial_jet(a, degree, got, g);
            double terms = 0;
            for (int i = degree; i >= 0; i--) {
                terms = terms * got + fabs(a[i]);
            }
            worst = larger(worst, fabs(g[0]) / terms);
            assert_true(fabs(got - expected) * fabs(g[1]) <= 1e-9);
            found++;
        } else {
            none++;
        }
    }
    print_message("%d roots, %d without, %d unclear; off by %.1e\n", found, none, unclear, worst);
    assert_true(found > 500 && none > 100 && unclear < 100);
    assert_true(worst <= 2e-15); /* 4.6e-16 */
}

/* A double root that is touched, and the same lifted by a hair. */
static void close_roots_are_seen(void **state) {
    (void)state;
    /* (x - 1/2)^2 + lift, then down again through 2 */
    for (int i = 0; i < 2; i++) {
        double lift = i ? -1e-12 : 1e-12;
        double a[5] = {2 * (0.25 + lift), -2 - 0.25 - lift, 3, -1, 0};
        double root = crm_jet_polynomial_zero(a, 4, 3);
        check_close(root, i ? 0.5 : 2, 2e-6);
    }
}

/* It rises from 0, or from a rounding error, and falls again. */
static void start_is_no_root(void **state) {
    (void)state;
    for (int i = -1; i <= 1; i++) {
        double a[5] = {i * 1e-18, 1, -2, 0, 0};
        check_close(crm_jet_polynomial_zero(a, 4, 3), 0.5, 1e-15);
    }
}

/* (x - first)(second - x)(x^2 + c): the next zero after the first. */
static void next_root_is_found(void **state) {
    (void)state;
    double worst = 0;
    int found = 0;
    Random random = random_start(SEED, 0);
    for (int k = 0; k < CASES / 10; k++) {
        double first = 0.01 + fabs(random_between(&random, -1, 1)),
               second = first + 0.01 + fabs(random_between(&random, -1, 1)),
               c = 0.1 + fabs(random_between(&random, -1, 1));
        double h = 0.01 + first + fabs(random_between(&random, -1, 1)), product = first * second,
               sum = first + second;
        double a[5] = {-c * product, c * sum, -product - c, sum, -1};
        double got = crm_jet_polynomial_zero_after(a, 4, first, h);
        assert_true(isinf(got) == (second >= h));
        if (second < h) {
            worst = fmax(worst, fabs(got - second) * (second - first));
            found++;
        }
    }
    print_message("%d roots after another; off by %.1e\n", found, worst);
    assert_true(found > 100 && found < CASES / 10 - 100);
    assert_true(worst <= 1e-14); /* 1.3e-15 */
}

/* crm_jet_clear() never passes a root, and comes close to one in a step or two. */
static void steps_are_safe(void **state) {
    (void)state;
    Random random = random_start(SEED, 0);
    for (int c = 0; c < CASES; c++) {
        double w = 0.5 + 2 * fabs(random_between(&random, -1, 1)),
               phase = 3 * random_between(&random, -1, 1),
               t = 3 * fabs(random_between(&random, -1, 1));
        double shift = 1.5 * random_between(&random, -1, 1);
        /* g = cos(w t + phase) + shift, |g''''| <= w^4 */
        double g[4] = {cos(w * t + phase) + shift, -w * sin(w * t + phase),
                       -w * w * cos(w * t + phase), w * w * w * sin(w * t + phase)};
        if (g[0] <= 0) {
            continue;
        }
        double step = crm_jet_clear(g, w * w * w * w, 3);
        assert_true(step > 0 && step <= 3);
        for (int i = 0; i <= 50; i++) {
            assert_true(cos(w * (t + step * i / 50) + phase) + shift > -1e-12);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_root_is_skipped), cmocka_unit_test(close_roots_are_seen),
        cmocka_unit_test(start_is_no_root),   cmocka_unit_test(next_root_is_found),
        cmocka_unit_test(steps_are_safe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
