/* The library's own elementary functions (src/math/functions.h) against MPFR with 160 digits: the
 * largest errors in units of the last place, and special values against <math.h>. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <mpfr.h>

#include "math/exponential.h"
#include "math/trigonometric.h"
#include "support/math/larger.h"
#include "support/math/random.h"
#include "support/scale.h"

static const uint64_t SEED = 20261117;
enum { DIGITS = 160, CASES = 20000 };

/* |got - truth| in units of the last place of the truth */
static double ulps(double got, mpfr_t truth) {
    int exponent;
    frexp(mpfr_get_d(truth, MPFR_RNDN), &exponent);
    mpfr_sub_d(truth, truth, got, MPFR_RNDN);
    double unit = ldexp(1, (exponent < -1021 ? -1021 : exponent) - 53);
    return fabs(mpfr_get_d(truth, MPFR_RNDN)) / unit;
}

typedef struct Range {
    const char *name;
    double (*own)(double);
    int (*truth)(mpfr_t, const mpfr_t, mpfr_rnd_t);
    double low, high;
    int logarithmic; /* x = +-e^(low to high) */
    double most;     /* allowed; measured is some 10 % less */
} Range;

/* asinh and acos are built from two functions, tan is a quotient. */
static const Range ranges[] = {
    {"exp", crm_exp, mpfr_exp, -745, 709, 0, 1.1}, /* 1.0, denormal results; else 0.80 */
    {"exp", crm_exp, mpfr_exp, -1, 1, 0, 0.9},
    {"expm1", crm_expm1, mpfr_expm1, -2, 2, 0, 1.1},
    {"expm1", crm_expm1, mpfr_expm1, -45, 45, 0, 1.2},
    {"expm1", crm_expm1, mpfr_expm1, -40, 0, 1, 1.0},
    {"log", crm_log, mpfr_log, 1e-300, 1e300, 0, 0.9},
    {"log", crm_log, mpfr_log, 0.5, 2, 0, 1.0},
    {"log1p", crm_log1p, mpfr_log1p, -0.999, 3, 0, 1.0},
    {"log1p", crm_log1p, mpfr_log1p, -0.45, 0.5, 0, 1.0},
    {"asinh", crm_asinh, mpfr_asinh, -40, 40, 1, 1.6},
    {"cbrt", crm_cbrt, mpfr_cbrt, -700, 700, 1, 0.51},
    {"sin", crm_sin, mpfr_sin, -10, 10, 0, 0.9},
    {"sin", crm_sin, mpfr_sin, -40, 700, 1, 0.9},
    {"cos", crm_cos, mpfr_cos, -10, 10, 0, 0.9},
    {"cos", crm_cos, mpfr_cos, -40, 700, 1, 0.9},
    {"tan", crm_tan, mpfr_tan, -10, 10, 0, 2.5},
    {"atan", crm_atan, mpfr_atan, -3, 3, 0, 1.5},
    {"atan", crm_atan, mpfr_atan, -40, 40, 1, 1.5},
    {"acos", crm_acos, mpfr_acos, -1, 1, 0, 2.3},
};

static double draw(const Range *range, Random *random) {
    double x = random_between(random, range->low, range->high);
    if (range->logarithmic) {
        x = exp(x) * (random_between(random, -1, 1) < 0 ? -1 : 1);
    }
    return x;
}

static void one_argument(void **state) {
    (void)state;
    mpfr_t x, y;
    mpfr_init2(x, 53);
    mpfr_init2(y, DIGITS);
    int wrong = 0;
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        const Range *range = &ranges[i];
        Random random = random_start(SEED, i);
        double worst = 0;
        for (int c = 0; c < scaled(CASES); c++) {
            double at = draw(range, &random);
            mpfr_set_d(x, at, MPFR_RNDN);
            range->truth(y, x, MPFR_RNDN);
            worst = larger(worst, ulps(range->own(at), y));
        }
        print_message("%-6s %9.3g to %-9.3g%s: %.2f ulp\n", range->name, range->low, range->high,
                      range->logarithmic ? " (exponent)" : "", worst);
        wrong += !(worst <= range->most);
    }
    mpfr_clear(x);
    mpfr_clear(y);
    assert_int_equal(wrong, 0);
}

static void two_arguments(void **state) {
    (void)state;
    mpfr_t x, y, z;
    mpfr_init2(x, 53);
    mpfr_init2(y, 53);
    mpfr_init2(z, DIGITS);
    Random random = random_start(SEED, 100);
    double power = 0, angle = 0, length = 0;
    for (int c = 0; c < scaled(CASES); c++) {
        double a = exp(random_between(&random, -10, 10)), b = random_between(&random, -30, 30);
        mpfr_set_d(x, a, MPFR_RNDN);
        mpfr_set_d(y, b, MPFR_RNDN);
        mpfr_pow(z, x, y, MPFR_RNDN);
        power = larger(power, ulps(crm_pow(a, b), z));
        a = c % 2 ? exp(random_between(&random, -40, 40)) : random_between(&random, -1, 1);
        b = c % 3 ? b : random_between(&random, -1, 1);
        mpfr_set_d(x, a, MPFR_RNDN);
        mpfr_set_d(y, b, MPFR_RNDN);
        mpfr_atan2(z, x, y, MPFR_RNDN);
        angle = larger(angle, ulps(crm_atan2(a, b), z));
        mpfr_hypot(z, x, y, MPFR_RNDN);
        length = larger(length, ulps(crm_hypot(a, b), z));
    }
    print_message("pow %.2f, atan2 %.2f, hypot %.2f ulp\n", power, angle, length);
    mpfr_clear(x);
    mpfr_clear(y);
    mpfr_clear(z);
    assert_true(power <= 1.6);    /* 1.4 */
    assert_true(angle <= 1.5);    /* 1.3 */
    assert_true(length <= 0.501); /* 0.500 */
}

/* Both NaN, or equal to two roundings with the same sign. */
static int agree(double own, double other) {
    if (isnan(own) || isnan(other)) {
        return isnan(own) && isnan(other);
    }
    return signbit(own) == signbit(other) &&
           (own == other || fabs(own - other) <= 5e-16 * fabs(other));
}

static void special_values(void **state) {
    (void)state;
    static const double special[] = {0,       -0.0,  INFINITY, -INFINITY, NAN, 1, -1, 5e-324,
                                     -5e-324, 1e308, -1e308,   2.3e-308,  0.5, 2, 3e5};
    static const struct {
        double (*own)(double), (*other)(double);
    } pairs[] = {{crm_exp, exp},     {crm_expm1, expm1}, {crm_log, log},  {crm_log1p, log1p},
                 {crm_asinh, asinh}, {crm_cbrt, cbrt},   {crm_sin, sin},  {crm_cos, cos},
                 {crm_tan, tan},     {crm_acos, acos},   {crm_atan, atan}};
    int count = sizeof special / sizeof *special;
    for (int i = 0; i < count; i++) {
        for (size_t f = 0; f < sizeof pairs / sizeof *pairs; f++) {
            assert_true(agree(pairs[f].own(special[i]), pairs[f].other(special[i])));
        }
        for (int j = 0; j < count; j++) {
            double a = special[i], b = special[j];
            assert_true(agree(crm_atan2(a, b), atan2(a, b)));
            assert_true(agree(crm_hypot(a, b), hypot(a, b)));
            assert_true(signbit(a) || agree(crm_pow(a, b), pow(a, b)));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_argument),
        cmocka_unit_test(two_arguments),
        cmocka_unit_test(special_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
