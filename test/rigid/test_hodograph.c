/* The closed-form hodograph, the stick test and the bounds.
 *
 * Oracle of the closed form: the equation of motion gamma' = d - mu B s itself, by Runge-Kutta in p
 * and long double, sharing no code with the library. */
#include <carom/carom.h>

#include "support/check.h"
#include "support/math/random.h"

static const uint64_t SEED = 20240611;

typedef struct {
    long double b11, b12, b22, d1, d2;
} Motion;

static void slip_rate(const Motion *m, const long double gamma[2], long double rate[2]) {
    long double r = sqrtl(gamma[0] * gamma[0] + gamma[1] * gamma[1]);
    long double x = gamma[0] / r, y = gamma[1] / r;
    rate[0] = m->d1 - m->b11 * x - m->b12 * y;
    rate[1] = m->d2 - m->b12 * x - m->b22 * y;
}

/* The classical Runge-Kutta step. */
static void rk4_step(const Motion *m, long double h, long double gamma[2]) {
    static const long double node[4] = {0, 0.5L, 0.5L, 1}, weight[4] = {1, 2, 2, 1};
    long double k[2] = {0, 0}, sum[2] = {0, 0}, at[2];
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 2; j++) {
            at[j] = gamma[j] + h * node[i] * k[j];
        }
        slip_rate(m, at, k);
        for (int j = 0; j < 2; j++) {
            sum[j] += weight[i] * k[j];
        }
    }
    for (int j = 0; j < 2; j++) {
        gamma[j] += h / 6 * sum[j];
    }
}

/* |f/g|: how far log r moves with the direction, and so with its rounding. */
static double sensitivity(const Motion *m, const long double gamma[2]) {
    long double rate[2];
    slip_rate(m, gamma, rate);
    long double f = gamma[0] * rate[0] + gamma[1] * rate[1];
    long double g = gamma[0] * rate[1] - gamma[1] * rate[0];
    return (double)fabsl(f / g);
}

/* Follow the slip, forwards or backwards in p, in steps of |gamma|/1500 over the largest
 * |gamma'|, and compare
 * the speed on the way, up to where rounding of the angle alone would move it by 1e-9. Returns the
 * largest relative error over 1 + |f/g| at both ends; adds the angle turned through to *turned. */
static double follow(const double W[9], double mu, const double start[2], int direction,
                     double *turned) {
    Motion m = {(long double)mu * W[0], (long double)mu * W[1], (long double)mu * W[4], W[2], W[5]};
    long double gamma[2] = {start[0], start[1]};
    long double fastest = fabsl(m.b11) + fabsl(m.b12) + fabsl(m.b22) + hypotl(m.d1, m.d2);
    double worst = 0, last = atan2(start[1], start[0]), first = sensitivity(&m, gamma);
    for (int n = 1; n <= 20000; n++) {
        rk4_step(&m, direction * hypotl(gamma[0], gamma[1]) / (1500 * fastest), gamma);
        if (n % 500 == 0) {
            double theta = (double)atan2l(gamma[1], gamma[0]), r;
            double condition = 1 + first + sensitivity(&m, gamma);
            if (condition > 1e7) {
                break;
            }
            assert_int_equal(carom_hodograph_speed(W, mu, start, theta, &r, NULL), CAROM_OK);
            worst = larger(worst, fabs(r / (double)hypotl(gamma[0], gamma[1]) - 1) / condition);
            *turned += remainder(theta - last, 2 * acos(-1));
            last = theta;
        }
    }
    return worst;
}

static void speed_follows_the_motion(void **state) {
    (void)state;
    double worst = 0, widest = 0;
    for (uint64_t i = 0; i < 400; i++) {
        Random random = random_start(SEED + 6, i);
        double W[9], mu = random_log(&random, 0.05, 5), turned = 0;
        double angle = 7 * random_uniform(&random), gamma[2] = {cos(angle), sin(angle)};
        random_matrix(&random, W);
        if (i % 5 == 0) {
            W[4] = W[0]; /* isotropic */
            W[1] = W[3] = 0;
        }
        worst = larger(worst, follow(W, mu, gamma, 1, &turned));
        turned = -turned;
        worst = larger(worst, follow(W, mu, gamma, -1, &turned));
        widest = larger(widest, fabs(turned));
    }
    assert_true(widest > 3.5);  /* a sector wider than half a turn was crossed */
    assert_true(worst < 2e-14); /* measured 1.6e-15 */
}

/* The pair of zeros about to appear, or just apart: large exponents that nearly cancel. */
static void speed_near_the_astroid(void **state) {
    (void)state;
    double worst = 0;
    for (uint64_t i = 0; i < 200; i++) {
        Random random = random_start(SEED + 7, i);
        double turn = 0.3 + 0.9 * random_uniform(&random), off = random_log(&random, 1e-12, 1e-2);
        double scale = i % 2 ? 1 + off : 1 - off, turned = 0;
        double angle = 7 * random_uniform(&random), gamma[2] = {cos(angle), sin(angle)};
        double W[9] = {2, 0, scale * pow(cos(turn), 3), 0, 1, scale * pow(sin(turn), 3), 0, 0, 9};
        worst = larger(worst, follow(W, 1, gamma, 1, &turned));
        worst = larger(worst, follow(W, 1, gamma, -1, &turned));
    }
    assert_true(worst < 1e-12); /* measured 4.2e-14 */
}

static void speed_refuses_what_it_is_not_defined_for(void **state) {
    (void)state;
    const double W[9] = {2, 0, 0.6, 0, 1, 0, 0.6, 0, 9}; /* invariant at 0, pi, +-acos(0.6) */
    const double start[2] = {3 * cos(0.5), 3 * sin(0.5)}, on[2] = {2, 0}, none[2] = {0, 0};
    const double bad[2] = {NAN, 1}, sphere[9] = {2, 0, 0, 0, 2, 0, 0, 0, 1};
    double r, pi = acos(-1);
    assert_int_equal(carom_hodograph_speed(W, 1, start, 0.5, &r, NULL), CAROM_OK);
    check_close(r, 3, 1e-15);
    double there;
    assert_int_equal(carom_hodograph_speed(W, 1, start, 0.8, &there, NULL), CAROM_OK);
    assert_int_equal(carom_hodograph_speed(W, 1, start, 0.8 - 4 * pi, &r, NULL), CAROM_OK);
    check_close(r / there, 1, 1e-13); /* another name of the same direction: measured 1.0e-14 */
    const struct {
        const double *W, *gamma;
        double mu, theta;
    } refused[] = {{W, start, 1, -0.1},     {W, start, 1, 1},       {W, start, 1, 3},
                   {W, on, 1, 0.5},         {W, none, 1, 0.5},      {W, bad, 1, 0.5},
                   {W, start, NAN, 0.5},    {W, start, -1, 0.5},    {W, start, 1, INFINITY},
                   {sphere, start, 1, 0.5}, {W, start, 1e308, 0.5}, {W, start, INFINITY, 0.5}};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        r = 0;
        assert_int_equal(carom_hodograph_speed(refused[i].W, refused[i].mu, refused[i].gamma,
                                               refused[i].theta, &r, NULL),
                         CAROM_INVALID_INPUT);
        assert_true(isnan(r));
    }
}

/* Without friction the sliding velocity moves on a straight line along d. */
static void speed_without_friction(void **state) {
    (void)state;
    const double W[9] = {2, 0.3, 0.6, 0.3, 1, -0.8, 0.6, -0.8, 9}, start[2] = {-1, 0.5};
    for (int i = 1; i < 20; i++) {
        double p = 0.3 * i, x = start[0] + 0.6 * p, y = start[1] - 0.8 * p, r;
        assert_int_equal(carom_hodograph_speed(W, 0, start, atan2(y, x), &r, NULL), CAROM_OK);
        check_close(r / hypot(x, y), 1, 1e-13); /* measured 4e-15 */
    }
}

static void ratio_and_margin(void **state) {
    (void)state;
    const double W[9] = {11.5984,  -0.910367, 2.442355, -0.910367, 9.90134,
                         1.957465, 2.442355,  1.957465, 2.59042};
    const double singular[9] = {4, 2, 1, 2, 1, 0.5, 1, 0.5, 3};
    check_close(carom_stick_ratio(W), 0.3156996, 5e-8); /* printed 0.3157 */
    /* B = [4 2; 2 2], d = B (0.3, -0.4) */
    const double made[9] = {4, 2, 0.4, 2, 2, -0.2, 0.4, -0.2, 3};
    check_close(carom_stick_ratio(made), 0.5, 2e-16);
    assert_true(isnan(carom_stick_ratio(singular)));
    check_close(carom_solvability_margin(made, 2), 3 - 2 * hypot(0.4, 0.2), 1e-15);
    assert_true(isnan(carom_solvability_margin(made, -1)));
}

/* W with known eigenvalues, and the bound against where compression does end. */
static void compression_ends_within_its_bound(void **state) {
    (void)state;
    double tightest = 0;
    for (uint64_t i = 0; i < 2000; i++) {
        Random random = random_start(SEED + 8, i);
        double W[9], v[3], p_end = NAN;
        CaromContact contact = carom_contact_default();
        CaromEvent events[CAROM_RIGID_EVENTS];
        CaromResult result = {.events = events, .event_capacity = CAROM_RIGID_EVENTS};
        random_matrix(&random, W);
        contact.mu = i % 4 ? random_log(&random, 0.01, 10) : 0;
        for (int k = 0; k < 3; k++) {
            v[k] = k == 2 ? -random_log(&random, 0.1, 10) : 4 * random_uniform(&random) - 2;
        }
        CaromStatus status = carom_rigid_solve(W, v, &contact, CAROM_LAW_ENERGETIC, &result);
        assert_true(status >= 0);
        for (int k = result.event_count - 1; k >= 0; k--) {
            if (events[k].kind == CAROM_EVENT_COMPRESSION_END) {
                p_end = events[k].normal_impulse;
            }
        }
        double bound = carom_compression_bound(W, v, contact.mu);
        assert_true(p_end <= bound);
        tightest = larger(tightest, p_end / bound);
    }
    assert_true(tightest > 0.9); /* measured 0.97 */
    const double diagonal[9] = {3, 0, 0, 0, 5, 0, 0, 0, 2}, down[3] = {0, 0, -4};
    check_close(carom_compression_bound(diagonal, down, 1), 2, 1e-13); /* it is attained */
    const double singular[9] = {1, 1, 0, 1, 1, 0, 0, 0, 1};
    assert_true(isinf(carom_compression_bound(singular, down, 1)));
    const double bad[3] = {0, INFINITY, -4};
    assert_true(isnan(carom_compression_bound(diagonal, bad, 1)));
}

/* Eigenvalues that are known: W = R diag R^T, by way of the bound. */
static void least_eigenvalue_is_right(void **state) {
    (void)state;
    const double down[3] = {0, 0, -1};
    for (uint64_t i = 0; i < 10000; i++) {
        Random random = random_start(SEED + 9, i);
        double q[4], n = 0, l[3], W[9];
        for (int k = 0; k < 4; k++) {
            q[k] = 2 * random_uniform(&random) - 1;
            n += q[k] * q[k];
        }
        double w = q[0], x = q[1], y = q[2], z = q[3];
        double R[9] = {w * w + x * x - y * y - z * z, 2 * (x * y - w * z),
                       2 * (x * z + w * y),           2 * (x * y + w * z),
                       w * w - x * x + y * y - z * z, 2 * (y * z - w * x),
                       2 * (x * z - w * y),           2 * (y * z + w * x),
                       w * w - x * x - y * y + z * z};
        for (int k = 0; k < 3; k++) {
            l[k] = i % 3 == 0 ? 1 + 1e-9 * k : random_log(&random, 1e-6, 1);
        }
        for (int r = 0; r < 3; r++) {
            for (int c = 0; c < 3; c++) {
                W[3 * r + c] = (l[0] * R[3 * r] * R[3 * c] + l[1] * R[3 * r + 1] * R[3 * c + 1] +
                                l[2] * R[3 * r + 2] * R[3 * c + 2]) /
                               (n * n);
            }
        }
        double least = fmin(l[0], fmin(l[1], l[2])),
               found = 1 / carom_compression_bound(W, down, 0);
        check_close(found, least, 2e-14); /* measured 1.2e-14, the margin for rounding */
        assert_true(found <= least);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(speed_follows_the_motion),
        cmocka_unit_test(speed_near_the_astroid),
        cmocka_unit_test(speed_refuses_what_it_is_not_defined_for),
        cmocka_unit_test(speed_without_friction),
        cmocka_unit_test(ratio_and_margin),
        cmocka_unit_test(compression_ends_within_its_bound),
        cmocka_unit_test(least_eigenvalue_is_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
