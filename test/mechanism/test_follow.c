/* Mechanisms over time against closed forms, and what a user's slip of the pen gets.
 *
 * The double pendulum (random mechanisms, surfaces and starts) has no closed form: energy may only
 * fall, and only at impacts and in friction. */
#include <math.h>
#include <string.h>

#include <carom/mechanism.h>

#include "mechanism/double_pendulum.h"
#include "support/check.h"
#include "support/math/random.h"
#include "support/scale.h"

#define GRAVITY 9.81

/* A block on an incline: q = (s down the incline, h above it). */

typedef struct Block {
    double angle;
    int mistake; /* which function is wrong */
} Block;

static void block_mass(void *data, const double *q, double *M) {
    const Block *block = data;
    (void)q;
    M[0] = M[3] = 2;
    M[1] = M[2] = 0;
    M[3] = block->mistake == 1 ? -2 : M[3];
}

static void block_bias(void *data, const double *q, const double *u, double *b) {
    const Block *block = data;
    (void)q;
    (void)u;
    b[0] = -2 * GRAVITY * sin(block->angle);
    b[1] = block->mistake == 2 ? NAN : 2 * GRAVITY * cos(block->angle);
}

static double block_gap(void *data, const double *q) {
    const Block *block = data;
    return block->mistake == 3 ? NAN : q[1];
}

static void block_jacobian(void *data, const double *q, double *J) {
    const Block *block = data;
    (void)q;
    J[0] = J[3] = 1;
    J[1] = J[2] = 0;
    J[3] = block->mistake == 4 ? -1 : J[3];
}

static void block_drift(void *data, const double *q, const double *u, double a[2]) {
    const Block *block = data;
    (void)q;
    (void)u;
    a[0] = 0;
    a[1] = block->mistake == 5 ? 1 : 0;
}

static double block_potential(void *data, const double *q) {
    const Block *block = data;
    return 2 * GRAVITY * (q[1] * cos(block->angle) - q[0] * sin(block->angle));
}

static CaromMechanism block_mechanism(Block *block) {
    return (CaromMechanism){2,         block,          block_mass,  block_bias,
                            block_gap, block_jacobian, block_drift, block_potential};
}

static CaromMechanismOptions options_of(double mu, double e, double duration) {
    CaromMechanismOptions options = carom_mechanism_options_default();
    options.contact.mu = mu;
    options.contact.e = e;
    options.duration = duration;
    return options;
}

static void a_sliding_block_stops_where_it_should(void **state) {
    (void)state;
    Block block = {0.2, 0};
    CaromMechanism mechanism = block_mechanism(&block);
    CaromMechanismOptions options = options_of(0.5, 0.3, 10);
    CaromMechanismSummary summary;
    double q[2] = {0, 0}, u[2] = {3, 0};
    double slowing = GRAVITY * (0.5 * cos(0.2) - sin(0.2));
    assert_int_equal(carom_mechanism_follow(&mechanism, &options, q, u, &summary), CAROM_OK);
    assert_int_equal(summary.end, CAROM_MECHANISM_END_REST);
    check_close(q[0], 9 / (2 * slowing), 1e-9); /* measured 3e-12 */
    check_close(summary.time, 3 / slowing, 1e-9);
    assert_true(u[0] == 0 && u[1] == 0 && fabs(q[1]) < 1e-9);
}

static void a_block_on_a_steep_incline_goes_on(void **state) {
    (void)state;
    Block block = {0.6, 0}; /* tan = 0.684 */
    CaromMechanism mechanism = block_mechanism(&block);
    CaromMechanismOptions options = options_of(0.5, 0.3, 2);
    CaromMechanismSummary summary;
    double q[2] = {0, 0}, u[2] = {-1, 0}; /* up, then back */
    double up = GRAVITY * (sin(0.6) + 0.5 * cos(0.6)), down = GRAVITY * (sin(0.6) - 0.5 * cos(0.6));
    assert_int_equal(carom_mechanism_follow(&mechanism, &options, q, u, &summary), CAROM_OK);
    assert_int_equal(summary.end, CAROM_MECHANISM_END_TIME);
    double left = 2 - 1 / up;
    check_close(u[0], down * left, 1e-8);
    check_close(q[0], -1 / (2 * up) + down * left * left / 2, 1e-8);
}

/* Bounces of a block on a level floor end at a finite time, (1 + e)/(1 - e) of the first fall. */
static void bounces_die_out(void **state) {
    (void)state;
    Block block = {0, 0};
    CaromMechanism mechanism = block_mechanism(&block);
    CaromMechanismOptions options = options_of(0, 0.5, 3);
    CaromMechanismSummary summary;
    double q[2] = {0, 1}, u[2] = {0, 0}, fall = sqrt(2 / GRAVITY);
    assert_int_equal(carom_mechanism_follow(&mechanism, &options, q, u, &summary), CAROM_OK);
    assert_int_equal(summary.end, CAROM_MECHANISM_END_REST);
    /* what is cut off lasts rest times as long */
    check_close(summary.time, 3 * fall, 3 * options.rest * fall);
    assert_int_equal(summary.died_out, 1);
    assert_int_equal(summary.impacts, 14); /* 2^-14 is the first below rest = 1e-4 */
    assert_true(summary.gain <= 1e-14 * summary.energy_first);
    check_close(summary.energy_last, 0, 1e-6);
}

static void random_pendulums_lose_energy(void **state) {
    (void)state;
    Random random = random_start(seeded(1), 0);
    int count = scaled(200), ends[CAROM_MECHANISM_END_FAILED + 1] = {0};
    for (int i = 0; i < count; i++) {
        DoublePendulum pendulum = {1, 1, GRAVITY, random_between(&random, 1.05, 1.95)};
        CaromMechanism mechanism = double_pendulum_mechanism(&pendulum);
        double kind = random_uniform(&random);
        double mu = kind < 0.1 ? 0 : random_between(&random, 0, kind < 0.2 ? 3 : 1);
        CaromMechanismOptions options = options_of(mu, random_uniform(&random), 5);
        options.contact.mu_static = mu * random_between(&random, 1, 2);
        double q[2], u[2];
        do {
            for (int k = 0; k < 2; k++) {
                q[k] = random_between(&random, -3.14, 3.14);
                u[k] = random_between(&random, -3, 3);
            }
        } while (mechanism.gap(mechanism.data, q) < 0.01);
        CaromMechanismSummary summary;
        CaromStatus status = carom_mechanism_follow(&mechanism, &options, q, u, &summary);
        assert_int_equal(status, CAROM_OK);
        ends[summary.end]++;
        /* largest of 3000: 1.1e-15, 3e-10, 1e-8 */
        assert_true(summary.gain <= 1e-14 * summary.energy_first);
        assert_true(summary.drift <= 1e-8 * summary.energy_first);
        assert_true(summary.lowest >= -1e-7);
        assert_true(summary.energy_last <= summary.energy_first * (1 + 1e-8));
    }
    assert_int_equal(ends[CAROM_MECHANISM_END_PHASES] + ends[CAROM_MECHANISM_END_FAILED], 0);
}

static void expect_refusal(Block block, CaromMechanismOptions options, double height,
                           const char *words) {
    CaromMechanism mechanism = block_mechanism(&block);
    CaromMechanismSummary summary;
    double q[2] = {0, height}, u[2] = {0, 0};
    assert_int_equal(carom_mechanism_follow(&mechanism, &options, q, u, &summary),
                     CAROM_INVALID_INPUT);
    if (!strstr(summary.message, words)) {
        fail_msg("\"%s\" does not say \"%s\"", summary.message, words);
    }
    assert_true(summary.end == CAROM_MECHANISM_END_FAILED && (q[1] == height || isnan(height)));
}

static void mistakes_are_named(void **state) {
    (void)state;
    static const char *const words[] = {"mass_matrix", "mass_matrix", "gap", "jacobian", "drift"};
    CaromMechanismOptions good = options_of(0.3, 0.5, 1), bad = good;
    for (int i = 0; i < 5; i++) {
        expect_refusal((Block){0.1, i + 1}, good, 1, words[i]);
    }
    expect_refusal((Block){0.1, 0}, good, -1, "below");
    expect_refusal((Block){0.1, 0}, good, NAN, "finite");
    bad.duration = INFINITY;
    expect_refusal((Block){0.1, 0}, bad, 1, "duration");
    bad = good;
    bad.rest = 0;
    expect_refusal((Block){0.1, 0}, bad, 1, "rest");
    bad = good;
    bad.contact.mu = -1;
    expect_refusal((Block){0.1, 0}, bad, 1, "mu");
    bad = good;
    bad.tolerance = 1;
    expect_refusal((Block){0.1, 0}, bad, 1, "tolerance");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sliding_block_stops_where_it_should),
        cmocka_unit_test(a_block_on_a_steep_incline_goes_on),
        cmocka_unit_test(bounces_die_out),
        cmocka_unit_test(random_pendulums_lose_energy),
        cmocka_unit_test(mistakes_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
