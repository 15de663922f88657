/* The published scheme for several contacts on random problems: it tends to the exact answer, and
 * creates no energy beyond its step error; its laws; input that it refuses.
 *
 * Oracle: the exact solver (test/multiple tests it). Problems in which bounces accumulate have no
 * answer by the scheme. Seed 7. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <carom/carom.h>

#include "support/check.h"
#include "support/multiple/random.h"
#include "support/refusal.h"
#include "support/scale.h"

enum { SEED = 7, COUNT = 20, MOST = 4 };

static MultipleProblem problem;
static MultipleAnswer exact, scheme;

static CaromOptions euler(double step) {
    CaromOptions options = carom_options_default();
    options.method = CAROM_METHOD_EULER;
    options.scheme.step = step;
    return options;
}

/* At least as many that medians and counts mean something. */
static int problems(int count) {
    return scaled(count) < 40 ? 40 : scaled(count);
}

/* The scheme's answer; its account must close, relative to the energy that went through. */
static CaromStatus solve(const CaromOptions *options, double account) {
    CaromProblem as_problem = multiple_as_problem(&problem);
    CaromResult result = {.impulse = scheme.impulse, .velocity = scheme.velocity};
    CaromStatus status = carom_solve(&as_problem, options, &result);
    scheme.ok = status >= 0;
    scheme.message = result.message;
    if (scheme.ok) {
        const CaromEnergy *energy = &result.energy;
        assert_true(energy->residual <= account * (energy->stored - energy->change));
        assert_true(energy->friction_loss >= -account * energy->stored);
    }
    return status;
}

static int in_order(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Median and largest error over the random problems of a class; returns how many were solved. */
static int measure(MultipleClass which, double step, double account, double *median, double *most) {
    static double errors[20000];
    int solved = 0, count = problems(COUNT);
    CaromOptions options = euler(step);
    for (int i = 0; i < count; i++) {
        multiple_random_small(SEED, (uint64_t)which + MULTIPLE_CLASS_COUNT * (uint64_t)i, MOST,
                              &problem);
        multiple_library(&problem, &exact);
        if (exact.ok && !exact.latched && solve(&options, account) >= 0) {
            assert_true(solved < 20000);
            errors[solved++] = multiple_velocity_error(&problem, &scheme, &exact);
        } else if (exact.ok && !exact.latched && !strstr(scheme.message, "accumulate")) {
            fail_msg("problem %d: %s", i, scheme.message);
        }
    }
    qsort(errors, (size_t)solved, sizeof *errors, in_order);
    *median = solved ? errors[solved / 2] : 0;
    *most = solved ? errors[solved - 1] : 0;
    return solved;
}

/* Without friction the error falls like the step. */
static void smooth_order(void **state) {
    (void)state;
    static const MultipleClass classes[] = {MULTIPLE_ELASTIC, MULTIPLE_CHAIN,  MULTIPLE_BREAK,
                                            MULTIPLE_BODY,    MULTIPLE_MATRIX, MULTIPLE_STACK,
                                            MULTIPLE_MONO};
    for (size_t c = 0; c < sizeof classes / sizeof *classes; c++) {
        double median[2], most[2];
        for (int k = 0; k < 2; k++) {
            int solved =
                measure(classes[c], k ? 1e-4 : 1e-3, k ? 1e-4 : 1e-3, &median[k], &most[k]);
            assert_true(solved >= problems(COUNT) / 4);
        }
        print_message("%s: %.1e %.1e\n", multiple_class_name(classes[c]), most[0], most[1]);
        assert_true(median[1] < 0.2 * median[0]); /* measured 0.03 to 0.11 */
        assert_true(most[0] < 1e-3);              /* 5.0e-4 */
        assert_true(most[1] < 1e-4);              /* 5.7e-5 */
    }
}

/* With friction like the step in the median, and like its root where a contact begins in stick. */
static void rough_order(void **state) {
    (void)state;
    static const MultipleClass classes[] = {MULTIPLE_SHOT, MULTIPLE_ROUGH_BODY,
                                            MULTIPLE_ROUGH_BREAK, MULTIPLE_ROUGH_MATRIX,
                                            MULTIPLE_ROUGH_MONO};
    for (size_t c = 0; c < sizeof classes / sizeof *classes; c++) {
        double median[2], most[2];
        for (int k = 0; k < 2; k++) {
            int solved =
                measure(classes[c], k ? 1e-4 : 1e-3, k ? 1e-3 : 1e-2, &median[k], &most[k]);
            assert_true(solved >= problems(COUNT) / 2);
        }
        print_message("%s: %.1e %.1e\n", multiple_class_name(classes[c]), most[0], most[1]);
        assert_true(median[1] < 0.35 * median[0]); /* 0.09 to 0.2 */
        assert_true(most[0] < 1e-2);               /* 3.7e-3 */
        assert_true(most[1] < 3e-3);               /* 1.2e-3 */
    }
}

/* A row of 13 balls: more contacts than fit on the stack. */
static void row_of_balls(void **state) {
    (void)state;
    enum { ROW = 12 };
    static double A[ROW * ROW], v[ROW];
    memset(A, 0, sizeof A);
    for (int i = 0; i < ROW; i++) {
        A[i * ROW + i] = 2;
        if (i > 0) {
            A[i * ROW + i - 1] = A[(i - 1) * ROW + i] = -1;
        }
    }
    v[0] = -1;
    multiple_frictionless(&problem, ROW, A, v);
    multiple_library(&problem, &exact);
    CaromOptions options = euler(1e-4);
    assert_int_equal(solve(&options, 1e-6), CAROM_OK);
    check_close(multiple_error(&problem, &scheme, &exact), 0, 3e-4);
}

/* ---- the law of note 10 ---- */

static void balls(double m2, double e1, double e2) {
    const double A[4] = {1 + 1 / m2, -1 / m2, -1 / m2, 1 / m2}, v[2] = {-1, 0};
    multiple_frictionless(&problem, 2, A, v);
    problem.contacts[0].e = e1;
    problem.contacts[1].e = e2;
}

/* Does no contact restart or act twice in the exact answer? */
static int is_plain(void) {
    int acted[MULTIPLE_CONTACTS] = {0}, plain = 1;
    for (int i = 0; i < exact.event_count; i++) {
        const MultipleEvent *event = &exact.events[i];
        plain &= event->kind != CAROM_EVENT_COMPRESSION_RESTART &&
                 !(event->kind == CAROM_EVENT_ACTIVATION && acted[event->contact]++);
    }
    return plain;
}

/* Without a restart or a second touch it is bi-stiffness. */
static void plastic_is_bi_stiffness(void **state) {
    (void)state;
    CaromOptions options = euler(1e-4);
    int plain = 0, count = problems(4 * COUNT);
    for (int i = 0; i < count; i++) {
        multiple_random_small(SEED, MULTIPLE_MATRIX + MULTIPLE_CLASS_COUNT * (uint64_t)i, MOST,
                              &problem);
        multiple_library(&problem, &exact);
        if (exact.ok && is_plain()) {
            problem.law = CAROM_LAW_PLASTIC_DEFORMATION;
            assert_int_equal(solve(&options, 1e-4), CAROM_OK);
            check_close(multiple_velocity_error(&problem, &scheme, &exact), 0, 1e-4);
            plain++;
        }
    }
    print_message("%d problems\n", plain);
    assert_true(plain > count / 8);
}

/* With a restart it is not: the balls of figure 9. Here it loses less, because the second end of
 * compression takes its part of the new work only. */
static void plastic_restart(void **state) {
    (void)state;
    CaromOptions coarse = euler(1e-4), fine = euler(1e-5);
    balls(0.5, 0.9, 0.7);
    multiple_library(&problem, &exact);
    problem.law = CAROM_LAW_PLASTIC_DEFORMATION;
    assert_int_equal(solve(&fine, 1e-6), CAROM_OK);
    double v[2] = {scheme.velocity[2], scheme.velocity[5]};
    assert_int_equal(solve(&coarse, 1e-5), CAROM_OK);
    check_close(scheme.velocity[2], v[0], 3e-4); /* 1.4e-4 */
    check_close(scheme.velocity[5], v[1], 3e-4);
    assert_true(fabs(v[0] - exact.velocity[2]) > 1e-2);
    double v1 = v[0] + v[1], exact_v1 = exact.velocity[2] + exact.velocity[5];
    assert_true(v1 * v1 + 0.5 * v[1] * v[1] >
                exact_v1 * exact_v1 + 0.5 * exact.velocity[5] * exact.velocity[5]);
}

/* One contact: v_n+ = -e v_n-. */
static void plastic_single(void **state) {
    (void)state;
    const double W[9] = {3.5, 0, 0, 0, 3.5, 0, 0, 0, 1}, v[3] = {0, 0, -2};
    CaromContact contact = {.e = 0.6};
    double after[3];
    CaromProblem single = {.model = CAROM_MODEL_COMPLIANT,
                           .law = CAROM_LAW_PLASTIC_DEFORMATION,
                           .contact_count = 1,
                           .inverse_inertia = W,
                           .velocity = v,
                           .contacts = &contact};
    CaromOptions options = euler(1e-4);
    CaromResult result = {.velocity = after};
    assert_int_equal(carom_solve(&single, &options, &result), CAROM_OK);
    check_close(after[2], 1.2, 1e-14);
}

/* ---- refusals ---- */

static void check_refused(const CaromOptions *options, CaromStatus expected, const char *word) {
    CaromProblem as_problem = multiple_as_problem(&problem);
    Outputs out;
    outputs_begin(&out);
    CaromStatus status = carom_solve(&as_problem, options, &out.result);
    check_refused_outputs("euler", &out, 3 * problem.count, status, expected, word);
}

static void refusals(void **state) {
    (void)state;
    CaromOptions options = euler(1e-4), defaults = carom_options_default();
    multiple_ordinary(&problem);
    assert_int_equal(solve(&options, 1), CAROM_OK);
    problem.contacts[1].e = 0;
    check_refused(&options, CAROM_INVALID_INPUT, "e: method euler");
    multiple_ordinary(&problem);
    problem.contacts[0].stiffness = INFINITY;
    check_refused(&options, CAROM_INVALID_INPUT, "stiffness");
    problem.contacts[0].stiffness = CAROM_STIFFNESS_ZERO;
    check_refused(&options, CAROM_INVALID_INPUT, "stiffness");
    multiple_ordinary(&problem);
    problem.contacts[0].mu_static = 2 * problem.contacts[0].mu + 1;
    check_refused(&options, CAROM_INVALID_INPUT, "mu_static");
    multiple_ordinary(&problem);
    problem.W[0] = NAN;
    check_refused(&options, CAROM_INVALID_INPUT, "inverse_inertia");
    multiple_ordinary(&problem);
    problem.v[2] = problem.v[5] = 1;
    check_refused(&options, CAROM_NOT_APPROACHING, "approaching");
    multiple_ordinary(&problem);
    problem.law = CAROM_LAW_PLASTIC_DEFORMATION;
    check_refused(&defaults, CAROM_INVALID_INPUT, "euler only");
    problem.law = CAROM_LAW_NEWTON;
    check_refused(&options, CAROM_INVALID_INPUT, "restitution");
}

/* Steps that are too long, too short, or that bounces outrun. */
static void limits(void **state) {
    (void)state;
    multiple_ordinary(&problem);
    CaromOptions options = euler(1);
    check_refused(&options, CAROM_NOT_CONVERGED, "step");
    options = euler(1e-12);
    check_refused(&options, CAROM_NOT_CONVERGED, "bounded number of steps");
    balls(0.05, 0.1, 0.1);
    options = euler(1e-5);
    check_refused(&options, CAROM_NOT_CONVERGED, "bounces accumulate");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(smooth_order),    cmocka_unit_test(rough_order),
        cmocka_unit_test(row_of_balls),    cmocka_unit_test(plastic_is_bi_stiffness),
        cmocka_unit_test(plastic_restart), cmocka_unit_test(plastic_single),
        cmocka_unit_test(refusals),        cmocka_unit_test(limits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
