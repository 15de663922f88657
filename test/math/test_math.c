/* The small mathematics of the library, from inside: eigenvalues, swings, and searches that must
 * not skip a root. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "math/eigen.c"
#include "math/jet.c"
#include "math/lanes.h"
#include "math/quintic.h"
#include "math/swing.h"
#include "support/check.h"

enum { CASES = 20000 };

static uint64_t state_;

/* In [-1, 1). */
static double any(void) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return (double)(state_ >> 11) * 0x1p-52 - 1;
}

static void reseed(void) {
    state_ = 20250117;
}

/* ---- eigen.h ---- */

/* A v = lambda v and Q^T Q = 1, relative to the largest entry; also for graded matrices, where the
 * small eigenvalues must be as good as the large ones. */
static void eigenvectors_are_what_they_say(void **state) {
    (void)state;
    double worst = 0, skew = 0;
    reseed();
    for (int c = 0; c < CASES; c++) {
        int n = 2 + c % 2;
        double A[9], copy[9], Q[9], value[3], grade[3], size = 0;
        for (int i = 0; i < n; i++) {
            grade[i] = c % 5 == 0 ? pow(10, 6 * any()) : 1;
            for (int j = 0; j <= i; j++) {
                A[n * i + j] = A[n * j + i] =
                    grade[i] * grade[j] * (i == j ? 1 + fabs(any()) : 0.5 * any());
            }
            size = larger(size, fabs(A[n * i + i]));
        }
        memcpy(copy, A, sizeof A);
        eigen_symmetric(n, A, Q, value);
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

/* ---- swing.h ---- */

static void swings_against_libm(void **state) {
    (void)state;
    double sine_off = 0, versine_off = 0;
    reseed();
    for (int c = 0; c < CASES; c++) {
        double x = (c % 4 ? 3.2 : 40) * any() * pow(10, c % 7 ? 0 : -8 * fabs(any()));
        Pair sine, versine;
        swing_pair((Pair){x, -x / 3}, &sine, &versine);
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

/* ---- jet.h ---- */

/* The first root by looking everywhere; NaN if two are too close to tell. */
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
    reseed();
    for (int c = 0; c < CASES / 10; c++) {
        double a[13], h = 1 + any();
        int degree = 4 + c % 9;
        for (int i = 0; i <= degree; i++) {
            a[i] = any() * pow(1.3, (c % 3 - 1) * i);
        }
        a[0] = fabs(a[0]);
        double expected = first_root(a, degree, h), got = jet_polynomial_zero(a, degree, h);
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
        double root = jet_polynomial_zero(a, 4, 3);
        check_close(root, i ? 0.5 : 2, 2e-6);
    }
}

/* It rises from 0, or from what rounding has left of it, and falls again. */
static void start_is_no_root(void **state) {
    (void)state;
    for (int i = -1; i <= 1; i++) {
        double a[5] = {i * 1e-18, 1, -2, 0, 0};
        check_close(jet_polynomial_zero(a, 4, 3), 0.5, 1e-15);
    }
}

/* (x - first)(second - x)(x^2 + c): what is found after the first zero. */
static void next_root_is_found(void **state) {
    (void)state;
    double worst = 0;
    int found = 0;
    reseed();
    for (int k = 0; k < CASES / 10; k++) {
        double first = 0.01 + fabs(any()), second = first + 0.01 + fabs(any()),
               c = 0.1 + fabs(any());
        double h = 0.01 + first + fabs(any()), product = first * second, sum = first + second;
        double a[5] = {-c * product, c * sum, -product - c, sum, -1};
        double got = jet_polynomial_zero_after(a, 4, first, h);
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

/* jet_clear() never passes a root, and comes close to one in a step or two. */
static void steps_are_safe(void **state) {
    (void)state;
    reseed();
    for (int c = 0; c < CASES; c++) {
        double w = 0.5 + 2 * fabs(any()), phase = 3 * any(), t = 3 * fabs(any());
        double shift = 1.5 * any();
        /* g = cos(w t + phase) + shift, |g''''| <= w^4 */
        double g[4] = {cos(w * t + phase) + shift, -w * sin(w * t + phase),
                       -w * w * cos(w * t + phase), w * w * w * sin(w * t + phase)};
        if (g[0] <= 0) {
            continue;
        }
        double step = jet_clear(g, w * w * w * w, 3);
        assert_true(step > 0 && step <= 3);
        for (int i = 0; i <= 50; i++) {
            assert_true(cos(w * (t + step * i / 50) + phase) + shift > -1e-12);
        }
    }
}

/* ---- quintic.h ---- */

/* From what a polynomial is at both ends of [0, 1] comes that polynomial. */
static void quintic_is_found(void **state) {
    (void)state;
    reseed();
    for (int c = 0; c < CASES; c++) {
        double a[6], end = 0, slope = 0, bend = 0;
        for (int i = 0; i < 6; i++) {
            a[i] = any();
            end += a[i];
            slope += i * a[i];
            bend += i * (i - 1) * a[i] / 2;
        }
        const Quintic q = quintic_between(a[0], a[1], a[2], end, slope, bend);
        double t = any(), at[4] = {0, 0, 0, 0};
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

/* ---- lanes.h ---- */

/* What picks and sums elements does so with the right ones. */
static void lanes_are_in_order(void **state) {
    (void)state;
    const double numbers[8] = {1, 20, 300, 4000, 50000, 600000, 7000000, 80000000};
    Quad a = quad_load(numbers), b = quad_load(numbers + 4), fourth;
    double out[4];
    Quad two = quad_two_back(a, b);
    quad_store(out, two);
    assert_memory_equal(out, numbers + 2, sizeof out);
    quad_store(out, quad_one_back(two, b));
    assert_memory_equal(out, numbers + 3, sizeof out);
    Pair sums = quad_sums(a, b), halves = quad_halves(a);
    assert_true(sums[0] == 4321 && sums[1] == 87650000);
    assert_true(halves[0] == 301 && halves[1] == 4020 && quad_sum(a) == 4321);
    assert_true(quad_low(a)[1] == 20 && quad_high(a)[0] == 300);
    quad_store(out, quad_powers(3, &fourth));
    assert_true(out[0] == 1 && out[1] == 3 && out[2] == 9 && out[3] == 27);
    quad_store(out, fourth);
    assert_true(out[0] == 81 && out[3] == 81);
    Pair some = pair_where((Pair){-1, 1} > both(0), (Pair){5, 6});
    assert_true(some[0] == 0 && some[1] == 6 && magnitude((Pair){-2, 2})[0] == 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eigenvectors_are_what_they_say),
        cmocka_unit_test(swings_against_libm),
        cmocka_unit_test(no_root_is_skipped),
        cmocka_unit_test(close_roots_are_seen),
        cmocka_unit_test(start_is_no_root),
        cmocka_unit_test(next_root_is_found),
        cmocka_unit_test(steps_are_safe),
        cmocka_unit_test(quintic_is_found),
        cmocka_unit_test(lanes_are_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
