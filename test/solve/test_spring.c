/* The tangential spring in a trace: its extension and its rate of change, against the energy, the
 * integral of the rate, and the numbers that Jia prints for a ball (section 8.1.1, Fig. 12). */
#include <carom/carom.h>

#include <stdbool.h>

#include "support/check.h"
#include "support/math/random.h"

enum { SEED = 1212, SAMPLES = 20001 };

typedef struct Process {
    double p[SAMPLES], velocity[3 * SAMPLES], stored[SAMPLES], tangential[SAMPLES];
    double spring[2 * SAMPLES], rate[2 * SAMPLES];
    CaromMode mode[SAMPLES];
    double compression_end; /* normal impulse */
} Process;

static Process process;

static CaromStatus take(const double *W, const double *v, const CaromContact *contact, int planar) {
    CaromProblem problem = {.model = CAROM_MODEL_COMPLIANT,
                            .contact_count = 1,
                            .inverse_inertia = W,
                            .velocity = v,
                            .contacts = contact,
                            .planar = planar};
    CaromTrace trace = {.capacity = SAMPLES,
                        .clock = process.p,
                        .velocity = process.velocity,
                        .stored = process.stored,
                        .tangential = process.tangential,
                        .mode = process.mode,
                        .spring = process.spring,
                        .spring_rate = process.rate};
    CaromEvent events[16];
    CaromResult result = {.events = events, .event_capacity = 16};
    CaromStatus status = carom_trace(&problem, NULL, &trace, &result);
    process.compression_end = NAN;
    for (int i = 0; i < result.event_count && i < 16; i++) {
        if (events[i].kind == CAROM_EVENT_COMPRESSION_END) {
            process.compression_end = events[i].normal_impulse;
        }
    }
    return status;
}

/* Jia's ball: m = r = 1, mu = 0.4, e = 0.5, V = (-1, 0, -5), omega = (0, 2, 0). */
static void test_ball_of_jia(void **state) {
    (void)state;
    const double W[9] = {3.5, 0, 0, 0, 3.5, 0, 0, 0, 1}, v[3] = {-3, 0, -5};
    const CaromContact contact = {.mu = 0.4, .e = 0.5, .stiffness_ratio = 17.0 / 14};
    assert_true(take(W, v, &contact, 0) >= 0);
    int stick = 0, slip = SAMPLES - 1;
    while (process.mode[stick] != CAROM_MODE_STICK) {
        stick++;
    }
    while (process.mode[slip - 1] != CAROM_MODE_STICK) {
        slip--;
    }
    /* printed, from steps of 1e-4 or so: -2.42852 at the start, -2.12528 where slip ends */
    check_close(process.rate[0], -2.42852, 1e-4);
    check_close(process.rate[2 * stick], -2.12528, 1e-3);
    check_close(process.rate[2 * stick], process.velocity[3 * stick], 1e-14);
    check_close(process.p[stick], 0.625, 1e-3);
    /* the reversal: 2.59255 before, then a jump to the opposite sign while x is positive */
    check_close(process.p[slip], 7.36558, 1e-3);
    check_close(process.rate[2 * slip - 2], 2.59255, 1e-3);
    double vn = process.velocity[3 * slip + 2];
    check_close(process.rate[2 * slip], -0.4 * 17 / 14 / 0.25 * vn, 1e-12);
    assert_true(process.spring[2 * slip] > 0 && process.rate[2 * slip] < 0);
    for (int i = 0; i < SAMPLES; i++) {
        assert_true(process.spring[2 * i + 1] == 0);
        assert_true(process.rate[2 * i + 1] == 0);
    }
}

/* A contact in three dimensions whose slip turns, or that starts from rest. */
static void make_contact(uint64_t index, double W[9], double v[3], CaromContact *contact) {
    Random random = random_start(SEED, index);
    double A[9];
    for (int i = 0; i < 9; i++) {
        A[i] = random_uniform(&random) - 0.5;
    }
    for (int i = 0; i < 9; i++) {
        W[i] = i % 4 == 0 ? 0.3 : 0;
        for (int k = 0; k < 3; k++) {
            W[i] += A[3 * (i / 3) + k] * A[3 * (i % 3) + k];
        }
    }
    v[0] = 2 * random_uniform(&random) - 1;
    v[1] = 2 * random_uniform(&random) - 1;
    v[2] = -0.5 - random_uniform(&random);
    *contact = (CaromContact){.mu = 0.1 + random_uniform(&random),
                              .e = 0.3 + 0.7 * random_uniform(&random),
                              .stiffness_ratio = 0.5 + 2 * random_uniform(&random)};
}

/* dx/dp = x'/N with N = sqrt(2 k E), k 1/e^2 times larger in restitution: the spring is the
 * integral of its rate, by the trapezoidal rule between samples of one mode away from N = 0. */
static double integral_error(const CaromContact *contact, int at, int k) {
    double sum = 0;
    for (int i = at; i <= at + 1; i++) {
        double hard = process.p[i] > process.compression_end ? 1 / contact->e : 1;
        sum += process.rate[2 * i + k] / (hard * sqrt(process.stored[i])) / 2;
    }
    double step = process.p[at + 1] - process.p[at];
    return process.spring[2 * at + 2 + k] - process.spring[2 * at + k] - step * sum;
}

static void test_energy_and_rate(void **state) {
    (void)state;
    double worst = 0, worst_energy = 0;
    int compared = 0;
    for (uint64_t n = 0; n < 30; n++) {
        double W[9], v[3];
        CaromContact contact;
        make_contact(n, W, v, &contact);
        assert_true(take(W, v, &contact, 0) >= 0);
        for (int i = 0; i < SAMPLES; i++) {
            const double *x = &process.spring[2 * i];
            double energy = (x[0] * x[0] + x[1] * x[1]) / (4 * contact.stiffness_ratio);
            worst_energy = fmax(worst_energy, fabs(energy - process.tangential[i]));
        }
        for (int i = SAMPLES / 20; i < SAMPLES * 19 / 20; i++) {
            bool across = (process.p[i] > process.compression_end) !=
                          (process.p[i + 1] > process.compression_end);
            if (process.mode[i] == process.mode[i + 1] && !across) {
                worst = fmax(worst, fabs(integral_error(&contact, i, 0)));
                worst = fmax(worst, fabs(integral_error(&contact, i, 1)));
                compared++;
            }
        }
    }
    print_message("%d steps; rate %.2g, energy %.2g\n", compared, worst, worst_energy);
    assert_true(compared > 500000);
    assert_true(worst < 1e-9);         /* per step, measured 6.7e-11: the error of the rule */
    assert_true(worst_energy < 1e-14); /* measured 1.6e-15 */
}

/* The planar contact is the spatial one without its second direction, and a contact of several that
 * do not touch each other is that contact alone. */
static void test_planar_and_several(void **state) {
    (void)state;
    enum { FEW = 101 };
    const double W2[4] = {2, 0.3, 0.3, 1}, v2[2] = {0.8, -1};
    const double W[9] = {2, 0, 0.3, 0, 1, 0, 0.3, 0, 1}, v[3] = {0.8, 0, -1};
    const CaromContact contacts[2] = {{.mu = 0.4, .e = 0.8, .stiffness_ratio = 1.5},
                                      {.mu = 0.4, .e = 0.8, .stiffness_ratio = 1.5}};
    double W6[36] = {0}, v6[6], spring[3][4 * FEW], rate[3][4 * FEW];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            W6[6 * i + j] = W6[6 * (i + 3) + j + 3] = W[3 * i + j];
        }
        v6[i] = v6[i + 3] = v[i];
    }
    const double *matrices[3] = {W, W2, W6}, *velocities[3] = {v, v2, v6};
    for (int k = 0; k < 3; k++) {
        CaromProblem problem = {.model = CAROM_MODEL_COMPLIANT,
                                .contact_count = k == 2 ? 2 : 1,
                                .inverse_inertia = matrices[k],
                                .velocity = velocities[k],
                                .contacts = contacts,
                                .planar = k == 1};
        CaromTrace trace = {.capacity = FEW, .spring = spring[k], .spring_rate = rate[k]};
        assert_true(carom_trace(&problem, NULL, &trace, NULL) >= 0);
    }
    for (int i = 0; i < FEW - 1; i++) {
        check_close(spring[1][i], spring[0][2 * i], 1e-13);
        check_close(rate[1][i], rate[0][2 * i], 1e-13);
        for (int j = 0; j < 2; j++) {
            check_close(spring[2][4 * i + 2 * j], spring[0][2 * i], 1e-9);
            check_close(rate[2][4 * i + 2 * j], rate[0][2 * i], 1e-8);
            check_close(rate[2][4 * i + 2 * j + 1], 0, 1e-12);
        }
    }
    assert_true(spring[0][FEW - 1] != 0);
}

/* The rigid model has no spring. */
static void test_rigid(void **state) {
    (void)state;
    const double W[9] = {2, 0, 0.3, 0, 1, 0, 0.3, 0, 1}, v[3] = {0.8, 0.2, -1};
    const CaromContact contact = {.mu = 0.4, .e = 0.8};
    CaromProblem problem = {
        .contact_count = 1, .inverse_inertia = W, .velocity = v, .contacts = &contact};
    double spring[10] = {1}, rate[10] = {1};
    CaromTrace trace = {.capacity = 5, .spring = spring, .spring_rate = rate};
    assert_int_equal(carom_trace(&problem, NULL, &trace, NULL), CAROM_OK);
    for (int i = 0; i < 10; i++) {
        assert_true(spring[i] == 0 && rate[i] == 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ball_of_jia),
        cmocka_unit_test(test_energy_and_rate),
        cmocka_unit_test(test_planar_and_several),
        cmocka_unit_test(test_rigid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
