/* The sampled process: laws of every sample, and agreement with the result.
 * The bounds are about ten times the measured values. */
#include <carom/carom.h>

#include <string.h>

#include "support/check.h"

#define SAMPLES 401

typedef struct Run {
    CaromProblem problem;
    CaromTrace trace;
    CaromResult result;
    double clock[SAMPLES], impulse[3 * SAMPLES], velocity[3 * SAMPLES], stored[SAMPLES];
    CaromMode mode[SAMPLES];
    CaromEvent events[CAROM_RIGID_EVENTS];
    double I[3], v[3];
} Run;

/* [JW] Fig. 3, symmetrised: slips, compression ends, sticks, parts. */
static const double W[9] = {11.5984,  -0.910367, 2.442355, -0.910367, 9.90134,
                            1.957465, 2.442355,  1.957465, 2.59042};
static const double V[3] = {-0.26197583, 0.38632923, -0.07685529};

static void run(Run *run, double mu, double e, CaromLaw law) {
    CaromContact contact = carom_contact_default();
    contact.mu = mu;
    contact.e = e;
    memset(run, 0, sizeof *run);
    run->problem = (CaromProblem){
        .law = law, .contact_count = 1, .inverse_inertia = W, .velocity = V, .contacts = &contact};
    run->trace = (CaromTrace){.capacity = SAMPLES,
                              .clock = run->clock,
                              .impulse = run->impulse,
                              .velocity = run->velocity,
                              .stored = run->stored,
                              .mode = run->mode};
    run->result = (CaromResult){.impulse = run->I,
                                .velocity = run->v,
                                .events = run->events,
                                .event_capacity = CAROM_RIGID_EVENTS};
    assert_true(carom_trace(&run->problem, NULL, &run->trace, &run->result) >= 0);
    assert_int_equal(run->trace.count, SAMPLES);
}

/* Equal steps of p from 0 to the end, and the end is the result's. */
static void clock_is_even(void **state) {
    (void)state;
    Run r;
    run(&r, 0.8, 0.95, CAROM_LAW_ENERGETIC);
    for (int i = 0; i < SAMPLES; i++) {
        check_close(r.clock[i], r.I[2] * i / (SAMPLES - 1), 1e-15); /* 3e-17 */
        assert_true(r.clock[i] == r.impulse[3 * i + 2]);
    }
    assert_memory_equal(r.impulse + 3 * (SAMPLES - 1), r.I, sizeof r.I);
    assert_memory_equal(r.velocity + 3 * (SAMPLES - 1), r.v, sizeof r.v);
    for (int k = 0; k < 3; k++) {
        assert_true(r.impulse[k] == 0);
        check_close(r.velocity[k], V[k], 1e-16);
    }
}

/* v = v- + W I, friction opposes slip within the cone, E' = -v_n, stick means no slip. */
static void samples_obey_the_laws(void **state) {
    (void)state;
    static const double mus[] = {0, 0.1, 0.25, 0.4, 0.8, 3};
    static const CaromLaw laws[] = {CAROM_LAW_ENERGETIC, CAROM_LAW_POISSON, CAROM_LAW_NEWTON};
    for (size_t k = 0; k < 18; k++) {
        Run r;
        double mu = mus[k % 6];
        run(&r, mu, 0.7, laws[k / 6]);
        for (int i = 0; i < SAMPLES; i++) {
            const double *I = r.impulse + 3 * i, *v = r.velocity + 3 * i;
            for (int a = 0; a < 3; a++) {
                double expected = V[a];
                for (int b = 0; b < 3; b++) {
                    expected += W[3 * a + b] * I[b];
                }
                check_close(v[a], expected, 1e-14); /* 6e-16 */
            }
            assert_true(hypot(I[0], I[1]) <= mu * I[2] * (1 + 1e-14));
            assert_true((r.mode[i] == CAROM_MODE_STICK) == (v[0] == 0 && v[1] == 0));
            if (laws[k / 6] == CAROM_LAW_ENERGETIC) {
                assert_true(r.stored[i] >= -1e-16);
            }
        }
    }
}

/* Between two samples without an event E changes by -int v_n dp, Simpson's rule on three. */
static void energy_follows_the_velocity(void **state) {
    (void)state;
    Run r;
    run(&r, 0.25, 0.9, CAROM_LAW_ENERGETIC);
    int checked = 0;
    for (int i = 0; i + 2 < SAMPLES; i += 2) {
        int quiet = 1;
        for (int j = 0; j < r.result.event_count; j++) {
            double p = r.events[j].normal_impulse;
            quiet = quiet && !(p >= r.clock[i] && p <= r.clock[i + 2]);
        }
        if (quiet) {
            const double *v = r.velocity + 3 * i;
            double work = (r.clock[i + 2] - r.clock[i]) * (v[2] + 4 * v[5] + v[8]) / 6;
            check_close(r.stored[i + 2], r.stored[i] - work, 1e-14); /* 5e-17 */
            checked++;
        }
    }
    assert_true(checked > SAMPLES / 2 - 5);
}

/* The result beside a trace is that of a solve, bit for bit. */
static void result_is_that_of_a_solve(void **state) {
    (void)state;
    Run r;
    double I[3], v[3];
    CaromContact contact = carom_contact_default();
    CaromResult result = {.impulse = I, .velocity = v};
    run(&r, 0.4, 0.5, CAROM_LAW_POISSON);
    contact.mu = 0.4;
    contact.e = 0.5;
    r.problem.contacts = &contact;
    assert_int_equal(carom_solve(&r.problem, NULL, &result), r.result.status);
    assert_memory_equal(I, r.I, sizeof I);
    assert_memory_equal(v, r.v, sizeof v);
    assert_string_equal(result.sequence, r.result.sequence);
}

static void bad_traces_are_refused(void **state) {
    (void)state;
    double clock[2];
    CaromContact contact = carom_contact_default();
    CaromProblem problem = {
        .contact_count = 1, .inverse_inertia = W, .velocity = V, .contacts = &contact};
    CaromTrace trace = {.capacity = 1, .clock = clock};
    assert_int_equal(carom_trace(&problem, NULL, &trace, NULL), CAROM_INVALID_INPUT);
    assert_int_equal(trace.count, 0);
    trace.capacity = 2;
    assert_int_equal(carom_trace(&problem, NULL, &trace, NULL), CAROM_OK);
    assert_int_equal(trace.count, 2);
    contact.e = 2;
    assert_int_equal(carom_trace(&problem, NULL, &trace, NULL), CAROM_INVALID_INPUT);
    assert_int_equal(trace.count, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clock_is_even),
        cmocka_unit_test(samples_obey_the_laws),
        cmocka_unit_test(energy_follows_the_velocity),
        cmocka_unit_test(result_is_that_of_a_solve),
        cmocka_unit_test(bad_traces_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
