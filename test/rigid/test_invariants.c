/* Invariant directions of slip.
 *
 * Oracles, in long double and sharing no code with the library: a scan of g for changes of sign
 * with bisection, and all zeros of g, complex ones too, by Durand-Kerner. The scan cannot separate
 * a double zero from none or two within 1e-9 of tangency; no random case comes that close. */
#include <carom/carom.h>
#include <complex.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/check.h"
#include "support/math/random.h"
#include "support/scale.h"

typedef struct {
    double b11, b12, b22, d1, d2;
} Data;

static const uint64_t SEED = 20240611;

static long double turn_rate(const Data *a, long double x, long double y) {
    long double r = sqrtl(x * x + y * y);
    return r * (a->d2 * x - a->d1 * y) + ((long double)a->b11 - a->b22) * x * y -
           a->b12 * (x * x - y * y);
}

static long double data_size(const Data *a) {
    return fabsl(((long double)a->b11 - a->b22) / 2) + fabsl(a->b12) + fabsl(a->d1) + fabsl(a->d2);
}

/* From the eigenframe: eigenvalues low + gap and low, first axis at angle tilt, d = (x, y) there.
 */
static Data make_data(double low, double gap, double tilt, double x, double y) {
    double c = cos(tilt), s = sin(tilt);
    return (Data){low + gap * c * c, gap * c * s, low + gap * s * s, c * x - s * y, s * x + c * y};
}

/* The library's directions, 0 if all. */
static int find(const Data *a, double s[4][2]) {
    double W[9] = {a->b11, a->b12, a->d1, a->b12, a->b22, a->d2, a->d1, a->d2, 0};
    CaromInvariant found[4];
    int count;
    assert_int_equal(carom_invariant_directions(W, 1, found, &count, NULL), CAROM_OK);
    for (int i = 0; i < count; i++) {
        s[i][0] = found[i].direction[0];
        s[i][1] = found[i].direction[1];
    }
    return count == CAROM_ALL_DIRECTIONS ? 0 : count;
}

enum { CELLS = 256 };

typedef struct {
    long double x[CELLS], y[CELLS];
} Grid;

static void grid_fill(Grid *grid) {
    for (int i = 0; i < CELLS; i++) {
        /* an offset, so that no grid direction is an axis */
        long double angle = 2 * acosl(-1) * (i + 0.3712L) / CELLS;
        grid->x[i] = cosl(angle);
        grid->y[i] = sinl(angle);
    }
}

/* The zero between two directions with different signs of g, u from the first to the second. */
static void bisect(const Data *a, const long double from[2], const long double to[2],
                   double zero[2]) {
    long double low = 0, high = 1, x = 0, y = 0;
    int sign = turn_rate(a, from[0], from[1]) > 0;
    for (int i = 0; i < 70; i++) {
        long double u = (low + high) / 2;
        x = from[0] + u * (to[0] - from[0]);
        y = from[1] + u * (to[1] - from[1]);
        if ((turn_rate(a, x, y) > 0) == sign) {
            low = u;
        } else {
            high = u;
        }
    }
    zero[0] = (double)(x / sqrtl(x * x + y * y));
    zero[1] = (double)(y / sqrtl(x * x + y * y));
}

/* Does g touch zero between cells i and i + 2, around a minimum of |g|? Then a direction there with
 * the other sign. */
static int dips(const Data *a, const Grid *grid, int i, long double dip[2]) {
    int k = (i + 2) % CELLS, sign = turn_rate(a, grid->x[i], grid->y[i]) > 0;
    long double low = 0, high = 1;
    for (int n = 0; n < 100; n++) {
        long double value[2], u[2] = {low + 0.4L * (high - low), low + 0.6L * (high - low)};
        for (int j = 0; j < 2; j++) {
            dip[0] = grid->x[i] + u[j] * (grid->x[k] - grid->x[i]);
            dip[1] = grid->y[i] + u[j] * (grid->y[k] - grid->y[i]);
            value[j] = turn_rate(a, dip[0], dip[1]);
            if ((value[j] > 0) != sign) {
                return 1;
            }
        }
        if (fabsl(value[0]) < fabsl(value[1])) {
            high = u[1];
        } else {
            low = u[0];
        }
    }
    return 0;
}

static int scan(const Data *a, const Grid *grid, double zero[8][2]) {
    long double g[CELLS];
    int count = 0;
    for (int i = 0; i < CELLS; i++) {
        g[i] = turn_rate(a, grid->x[i], grid->y[i]);
    }
    for (int i = 0; i < CELLS && count < 7; i++) {
        int j = (i + 1) % CELLS, k = (i + 2) % CELLS;
        long double from[2] = {grid->x[i], grid->y[i]}, to[2] = {grid->x[j], grid->y[j]}, dip[2];
        if ((g[i] > 0) != (g[j] > 0)) {
            bisect(a, from, to, zero[count++]);
        } else if ((g[j] > 0) == (g[k] > 0) && fabsl(g[j]) < fabsl(g[i]) &&
                   fabsl(g[j]) <= fabsl(g[k]) && dips(a, grid, i, dip)) {
            long double end[2] = {grid->x[k], grid->y[k]};
            bisect(a, from, dip, zero[count++]);
            bisect(a, dip, end, zero[count++]);
        }
    }
    return count;
}

static double angle_of(const double s[2]) {
    return atan2(s[1], s[0]);
}

static int by_angle(const void *a, const void *b) {
    double x = angle_of(a), y = angle_of(b);
    return (x > y) - (x < y);
}

/* Largest |g|, and largest error of a zero times |g'|, both in roundings of the data. */
typedef struct {
    double residual, location;
} Worst;

static void check_zeros(const Data *a, int count, double s[4][2], Worst *worst) {
    for (int i = 0; i < count; i++) {
        double norm = s[i][0] * s[i][0] + s[i][1] * s[i][1];
        check_close(norm, 1, 4 * DBL_EPSILON); /* measured 2 */
        long double g = fabsl(turn_rate(a, s[i][0], s[i][1])) / data_size(a);
        worst->residual = larger(worst->residual, (double)g / DBL_EPSILON);
        if (i > 0) {
            assert_true(angle_of(s[i]) > angle_of(s[i - 1]));
        }
    }
}

static void check_against_scan(const Data *a, const Grid *grid, Worst *worst) {
    double s[4][2], zero[8][2];
    int count = find(a, s), expected = scan(a, grid, zero);
    if (count != expected) {
        fprintf(stderr, "b %.17g %.17g %.17g d %.17g %.17g: %d, scan %d\n", a->b11, a->b12, a->b22,
                a->d1, a->d2, count, expected);
    }
    assert_int_equal(count, expected);
    check_zeros(a, count, s, worst);
    qsort(zero, (size_t)count, sizeof zero[0], by_angle);
    for (int i = 0; i < count; i++) {
        double sine = s[i][0] * zero[i][1] - s[i][1] * zero[i][0];
        double x = s[i][0], y = s[i][1];
        double slope =
            -a->d2 * y - a->d1 * x + (a->b11 - a->b22) * (x * x - y * y) + 4 * a->b12 * x * y;
        double error = fabs(sine * slope) / (double)data_size(a) / DBL_EPSILON;
        worst->location = larger(worst->location, error);
    }
}

static Data random_data(Random *random, double ratio_low, double ratio_high) {
    double tilt = 7 * random_uniform(random), turn = 7 * random_uniform(random);
    double size = random_log(random, ratio_low, ratio_high);
    double low = random_log(random, 0.01, 100);
    return make_data(low, 1, tilt, size * cos(turn), size * sin(turn));
}

static void invariants_agree_with_a_scan(void **state) {
    (void)state;
    static Grid grid;
    Worst worst = {0, 0};
    int seen[5] = {0}, cases = scaled(100000);
    grid_fill(&grid);
    for (uint64_t i = 0; i < (uint64_t)cases; i++) {
        Random random = random_start(SEED, i);
        Data a = random_data(&random, 0.03, 8);
        double s[4][2];
        check_against_scan(&a, &grid, &worst);
        seen[find(&a, s)]++;
    }
    assert_true(seen[2] > cases / 5 && seen[4] > cases / 5);
    assert_true(worst.residual < 4); /* measured 1.3 */
    assert_true(worst.location < 4); /* measured 1.7 */
}

static void invariants_agree_with_a_scan_at_extreme_ratios(void **state) {
    (void)state;
    static Grid grid;
    Worst worst = {0, 0};
    grid_fill(&grid);
    for (uint64_t i = 0; i < (uint64_t)scaled(10000); i++) {
        Random random = random_start(SEED + 1, i);
        Data a = random_data(&random, 1e-12, 1e12);
        check_against_scan(&a, &grid, &worst);
    }
    assert_true(worst.residual < 4); /* measured 1.2 */
    assert_true(worst.location < 4); /* measured 1.5 */
}

/* Within 1e-16 to 1 of the astroid's edge and of its cusps: the number is any of those that
 * rounding allows, every direction is a zero to rounding, and they are distinct and sorted. */
static void invariants_near_the_astroid(void **state) {
    (void)state;
    Worst worst = {0, 0};
    for (uint64_t i = 0; i < (uint64_t)scaled(100000); i++) {
        Random random = random_start(SEED + 2, i);
        double turn = 7 * random_uniform(&random), tilt = 7 * random_uniform(&random);
        double off = random_log(&random, 1e-16, 1), side = random_uniform(&random) < 0.5 ? -1 : 1;
        double x = pow(cos(turn), 3), y = pow(sin(turn), 3), s[4][2];
        if (i % 2) {
            x = 1 + side * off;
            y = random_log(&random, 1e-20, 1);
        } else {
            x *= 1 + side * off;
            y *= 1 + side * off;
        }
        Data a = make_data(1, 1, i % 3 ? tilt : 0, x, y);
        int count = find(&a, s);
        assert_in_range(count, 2, 4);
        /* nearer to a cusp rounding of the tilt moves d further across the edge */
        if (i % 2 == 0 && off * fabs(cos(turn) * sin(turn)) > 1e-14) {
            assert_int_equal(count, side < 0 ? 4 : 2);
        }
        check_zeros(&a, count, s, &worst);
    }
    assert_true(worst.residual < 4); /* measured 1.2 */
}

static void check_exact(Data a, int count, const double expected[4][2]) {
    double s[4][2];
    assert_int_equal(find(&a, s), count);
    for (int i = 0; i < count; i++) {
        check_close(s[i][0], expected[i][0], 4e-16); /* measured 1.1e-16 */
        check_close(s[i][1], expected[i][1], 4e-16);
    }
}

static void invariants_of_degenerate_data(void **state) {
    (void)state;
    const double axes[4][2] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};
    const double x_only[4][2] = {{1, 0}, {-1, 0}};
    const double inside[4][2] = {{0.6, -0.8}, {1, 0}, {0.6, 0.8}, {-1, 0}};
    const double along[4][2] = {{-0.6, -0.8}, {0.6, 0.8}};
    double s[4][2];
    check_exact((Data){2, 0, 1, 0, 0}, 4, axes);     /* d = 0 */
    check_exact((Data){2, 0, 1, 0.6, 0}, 4, inside); /* d along an axis, inside */
    check_exact((Data){2, 0, 1, 3, 0}, 2, x_only);   /* and outside */
    check_exact((Data){2, 0, 1, 1, 0}, 2, x_only);   /* at the cusp */
    check_exact((Data){2, 0, 2, 3, 4}, 2, along);    /* isotropic */
    check_exact((Data){0, 0, 0, 3, 4}, 2, along);    /* no friction */
    check_exact((Data){1e-320, 0, 0, 0, 0}, 4, axes);
    check_exact((Data){1e-300, 0, 0, 3e300, 4e300}, 2, along);
    check_exact((Data){2e300, 0, 0, 1e-300, 0}, 4, axes);
    Data nothing = {2, 0, 2, 0, 0};
    assert_int_equal(find(&nothing, s), 0);
    /* on the edge exactly: 27^(2/3) + 64^(2/3) = 125^(2/3) */
    Data edge = {125, 0, 0, 27, 64};
    Worst worst = {0, 0};
    int count = find(&edge, s);
    assert_in_range(count, 3, 4);
    check_zeros(&edge, count, s, &worst);
    assert_true(worst.residual < 4);
}

static void invariants_do_not_depend_on_units(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 1000; i++) {
        Random random = random_start(SEED + 3, i);
        Data a = random_data(&random, 0.03, 8);
        double scale = ldexp(1, (int)(600 * random_uniform(&random)) - 300), s[4][2], z[4][2];
        Data b = {scale * a.b11, scale * a.b12, scale * a.b22, scale * a.d1, scale * a.d2};
        int count = find(&a, s);
        assert_int_equal(find(&b, z), count);
        for (int j = 0; j < count; j++) {
            check_close(z[j][0], s[j][0], 1e-10); /* within conditioning */
            check_close(z[j][1], s[j][1], 1e-10);
        }
    }
}

/* Theorem 5 of Jia and Wang: one centrifugal direction if |B^-1 d| > mu, else none; and what slip
 * directions do nearby. */
static void directions_obey_theorem_5(void **state) {
    (void)state;
    int centrifugal_cases = 0, cases = scaled(100000);
    for (uint64_t i = 0; i < (uint64_t)cases; i++) {
        Random random = random_start(SEED + 4, i);
        double W[9], mu = random_log(&random, 0.01, 10);
        CaromInvariant invariants[4];
        int count, centrifugal = 0, stable = 0;
        random_matrix(&random, W);
        assert_int_equal(carom_invariant_directions(W, mu, invariants, &count, NULL), CAROM_OK);
        assert_in_range(count, 2, 4);
        for (int k = 0; k < count; k++) {
            centrifugal += invariants[k].rate > 0;
            stable += invariants[k].stable;
            /* slip away from zero tends to its direction from both sides */
            assert_true(invariants[k].rate <= 0 || invariants[k].stable);
        }
        double ratio = carom_stick_ratio(W);
        if (fabs(ratio - mu) > 1e-9 * mu) {
            assert_int_equal(centrifugal, ratio > mu);
            assert_true(centrifugal < count);
        }
        assert_int_equal(stable, count == 4 ? 2 : 1);
        centrifugal_cases += centrifugal;
    }
    assert_true(centrifugal_cases > cases / 10 && centrifugal_cases < cases - cases / 10);
}

/* The four zeros of g in z = exp(i theta), by Durand-Kerner on the quartic 2 i z^2 g. */
static int complex_zeros(const Data *a, long double complex z[4]) {
    long double complex d = a->d1 + (long double complex)I * a->d2;
    long double complex e = ((long double)a->b11 - a->b22) / 2 + (long double complex)I * a->b12;
    long double complex c[5] = {-e, d, 0, -conjl(d), conjl(e)}; /* lowest power first */
    for (int i = 0; i < 4; i++) {
        z[i] = cpowl(0.4L + 0.9L * (long double complex)I, i);
    }
    long double change = 1;
    for (int n = 0; n < 500 && change > 1e-17L; n++) {
        change = 0;
        for (int i = 0; i < 4; i++) {
            long double complex value = c[4];
            for (int k = 3; k >= 0; k--) {
                value = value * z[i] + c[k];
            }
            for (int j = 0; j < 4; j++) {
                value /= j == i ? c[4] : z[i] - z[j];
            }
            z[i] -= value;
            change = fmaxl(change, cabsl(value) / cabsl(z[i]));
        }
    }
    return change < 1e-16L;
}

/* sum of f/g' over all zeros, real and complex, is -2. */
static void exponents_sum_to_minus_two(void **state) {
    (void)state;
    double worst = 0;
    for (uint64_t i = 0; i < 2000; i++) {
        Random random = random_start(SEED + 5, i);
        Data a = random_data(&random, 0.1, 5);
        long double complex z[4], sum = 0;
        long double largest = 1;
        assert_true(complex_zeros(&a, z));
        for (int k = 0; k < 4; k++) {
            long double complex c = (z[k] + 1 / z[k]) / 2,
                                s = (z[k] - 1 / z[k]) / (2 * (long double complex)I);
            long double complex f =
                c * (a.d1 - a.b11 * c - a.b12 * s) + s * (a.d2 - a.b12 * c - a.b22 * s);
            long double complex slope = -a.d2 * s - a.d1 * c +
                                        ((long double)a.b11 - a.b22) * (c * c - s * s) +
                                        4 * a.b12 * c * s;
            sum += f / slope;
            largest = fmaxl(largest, cabsl(f / slope));
        }
        worst = larger(worst, (double)(cabsl(sum + 2) / largest));
    }
    assert_true(worst < 1e-15); /* measured 5e-17 */
}

static void directions_of_bad_and_special_input(void **state) {
    (void)state;
    CaromInvariant found[4];
    double W[9] = {2, 0, 0, 0, 2, 0, 0, 0, 1};
    int count;
    assert_int_equal(carom_invariant_directions(W, 0.5, found, &count, NULL), CAROM_OK);
    assert_int_equal(count, CAROM_ALL_DIRECTIONS);
    W[2] = W[6] = 0.25;
    assert_int_equal(carom_invariant_directions(W, 0.5, found, &count, NULL), CAROM_OK);
    assert_int_equal(count, 2);
    check_close(found[0].direction[0], 1, 0);
    check_close(found[0].rate, 0.25 - 1, 1e-16);
    assert_true(found[0].stable && !found[1].stable);
    check_close(found[1].direction[0], -1, 0);
    check_close(found[1].rate, -0.25 - 1, 1e-16);
    assert_true(isnan(found[2].rate));
    W[4] = NAN;
    assert_int_equal(carom_invariant_directions(W, 0.5, found, &count, NULL), CAROM_INVALID_INPUT);
    assert_true(count == 0 && isnan(found[0].direction[0]) && isnan(found[3].rate));
    assert_true(isnan(carom_stick_ratio(W)) && isnan(carom_solvability_margin(W, 0.5)));
    W[4] = 2;
    assert_int_equal(carom_invariant_directions(W, -0.5, found, &count, NULL), CAROM_INVALID_INPUT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(invariants_agree_with_a_scan),
        cmocka_unit_test(invariants_agree_with_a_scan_at_extreme_ratios),
        cmocka_unit_test(invariants_near_the_astroid),
        cmocka_unit_test(invariants_of_degenerate_data),
        cmocka_unit_test(invariants_do_not_depend_on_units),
        cmocka_unit_test(directions_obey_theorem_5),
        cmocka_unit_test(exponents_sum_to_minus_two),
        cmocka_unit_test(directions_of_bad_and_special_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
