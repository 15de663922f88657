/* Samples and events of several contacts. */
#include <stdio.h>

#include "support/check.h"
#include "support/multiple/problems.h"
#include "support/refusal.h"

static MultipleProblem problem;

enum { SAMPLES = 41 };

typedef struct Samples {
    double clock[SAMPLES], impulse[SAMPLES * 6], velocity[SAMPLES * 6];
    double stored[SAMPLES * 2], tangential[SAMPLES * 2];
    CaromMode mode[SAMPLES * 2];
} Samples;

static CaromTrace trace_into(Samples *samples) {
    return (CaromTrace){.capacity = SAMPLES,
                        .clock = samples->clock,
                        .impulse = samples->impulse,
                        .velocity = samples->velocity,
                        .stored = samples->stored,
                        .mode = samples->mode,
                        .tangential = samples->tangential};
}

/* From nothing to the result, in equal steps of the sum of the normal impulses. */
static void trace_ends_at_the_result(void **state) {
    (void)state;
    Samples samples;
    double end[6], end_velocity[6], *I = samples.impulse, *v = samples.velocity;
    CaromTrace trace = trace_into(&samples);
    CaromResult result = {.impulse = end, .velocity = end_velocity};
    multiple_ordinary(&problem);
    CaromProblem as_problem = multiple_as_problem(&problem);
    assert_int_equal(carom_trace(&as_problem, NULL, &trace, &result), CAROM_OK);
    assert_int_equal(trace.count, SAMPLES);
    for (int k = 0; k < SAMPLES; k++) {
        double all = end[2] + end[5];
        check_close(samples.clock[k], all * k / (SAMPLES - 1), 1e-14 * all);
        check_close(I[6 * k + 2] + I[6 * k + 5], samples.clock[k], 1e-13 * all);
    }
    for (int i = 0; i < 6; i++) {
        check_close(I[i], 0, 1e-30);
        check_close(v[i], problem.v[i], 1e-30);
        check_close(I[6 * (SAMPLES - 1) + i], end[i], 1e-14);
        check_close(v[6 * (SAMPLES - 1) + i], end_velocity[i], 1e-14);
    }
}

/* The energy of the bodies and of all springs together falls from sample to sample, in the end to
 * what was lost, and that of the bodies alone is never above the start: the bounding ellipsoid. A
 * contact that does not act has nothing stored, and one that does pushes. */
static void check_samples(const Samples *samples, double lost) {
    double before = 0;
    for (int k = 0; k < SAMPLES; k++) {
        const double *stored = samples->stored + 2 * k, *tangential = samples->tangential + 2 * k;
        const double *I = samples->impulse + 6 * k, *v = samples->velocity + 6 * k;
        double total = 0;
        for (int i = 0; i < 6; i++) {
            total += I[i] * (problem.v[i] + v[i]) / 2;
        }
        assert_true(total <= 1e-15);
        for (int i = 0; i < 2; i++) {
            assert_true(stored[i] >= 0 && tangential[i] >= 0);
            total += stored[i] + tangential[i];
            int is_open = samples->mode[2 * k + i] == CAROM_MODE_OPEN;
            assert_true(!is_open || (stored[i] == 0 && tangential[i] == 0));
            assert_true(is_open || k == 0 || I[3 * i + 2] > I[3 * i + 2 - 6]);
        }
        assert_true(total <= before + 1e-14); /* 1.1e-16 */
        before = total;
    }
    check_close(before, -lost, 1e-12); /* 8.6e-14 */
}

static void trace_keeps_the_account(void **state) {
    (void)state;
    for (int k = 0; k < 3; k++) {
        Samples samples;
        CaromTrace trace = trace_into(&samples);
        CaromResult result = {0};
        int seen[3] = {0};
        multiple_ordinary(&problem);
        for (int i = 0; i < 2; i++) {
            /* as it is; elastic, it sticks until the force along the surface is let go; elastic */
            problem.contacts[i].mu = k == 1 ? 1e6 : 0.4;
            problem.contacts[i].e = k > 0 ? 1 : 0.6;
        }
        CaromProblem as_problem = multiple_as_problem(&problem);
        assert_int_equal(carom_trace(&as_problem, NULL, &trace, &result), CAROM_OK);
        check_samples(&samples, result.energy.normal_loss + result.energy.friction_loss);
        for (int i = 0; i < 2 * SAMPLES; i++) {
            seen[samples.mode[i]]++;
        }
        print_message("%d samples slip, %d stick, %d open; lost %.2g\n", seen[CAROM_MODE_SLIP],
                      seen[CAROM_MODE_STICK], seen[CAROM_MODE_OPEN],
                      result.energy.normal_loss + result.energy.friction_loss);
    }
}

/* One elastic contact by way of the solver for several, and by its own: the same events and the
 * same account, along the surface too. */
static void one_contact_is_told_the_same(void **state) {
    (void)state;
    Impact impact = impact_ordinary();
    Outputs several, one;
    impact.contact.e = 1;
    CaromProblem as_problem = {.model = CAROM_MODEL_COMPLIANT,
                               .law = CAROM_LAW_MONO_STIFFNESS,
                               .contact_count = 1,
                               .inverse_inertia = impact.W,
                               .velocity = impact.v,
                               .contacts = &impact.contact};
    outputs_begin(&several);
    outputs_begin(&one);
    assert_int_equal(carom_solve(&as_problem, NULL, &several.result), CAROM_OK);
    assert_int_equal(carom_compliant_solve(impact.W, impact.v, &impact.contact, &one.result),
                     CAROM_OK);
    assert_int_equal(several.events[0].kind, CAROM_EVENT_ACTIVATION);
    assert_int_equal(several.result.event_count, one.result.event_count + 1);
    for (int i = 0; i < one.result.event_count; i++) {
        const CaromEvent *a = &several.events[i + 1], *b = &one.events[i];
        assert_int_equal(a->kind, b->kind);
        check_close(a->stored, b->stored, 1e-10);
        check_close(a->tangential, b->tangential, 1e-10);
        for (int k = 0; k < 3; k++) {
            check_close(a->impulse[k], b->impulse[k], 1e-10);
            check_close(a->velocity[k], b->velocity[k], 1e-10);
        }
    }
    const CaromEnergy *a = &several.result.energy, *b = &one.result.energy;
    assert_true(b->tangential > 1e-3);
    check_close(a->tangential, b->tangential, 1e-10);
    check_close(a->stored, b->stored, 1e-10);
    check_close(a->released, b->released, 1e-10);
    check_close(a->friction_loss, b->friction_loss, 1e-10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trace_ends_at_the_result),
        cmocka_unit_test(trace_keeps_the_account),
        cmocka_unit_test(one_contact_is_told_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
