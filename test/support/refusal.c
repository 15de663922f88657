#include "support/refusal.h"

#include <float.h>
#include <string.h>

#include "support/check.h"

static const double UNTOUCHED = 12345;

Impact impact_ordinary(void) {
    Impact impact = {.W = {3, 0.2, 0.5, 0.2, 2, -0.3, 0.5, -0.3, 1.5},
                     .v = {0.7, -0.4, -1},
                     .contact = carom_contact_default(),
                     .law = CAROM_LAW_ENERGETIC,
                     .tag = "ordinary"};
    impact.contact.mu = 0.4;
    impact.contact.e = 0.6;
    return impact;
}

void outputs_begin(Outputs *out) {
    for (int i = 0; i < OUTPUTS_ENTRIES; i++) {
        out->impulse[i] = out->velocity[i] = UNTOUCHED;
    }
    memset(&out->result, 0x55, sizeof out->result);
    out->result.impulse = out->impulse;
    out->result.velocity = out->velocity;
    out->result.events = out->events;
    out->result.event_capacity = OUTPUTS_EVENTS;
    out->result.snapshots = NULL;
}

void check_failed(const Outputs *out, int entries, CaromStatus status, CaromStatus expected) {
    const CaromResult *result = &out->result;
    const CaromEnergy *energy = &result->energy;
    const double numbers[] = {energy->change,      energy->stored,        energy->released,
                              energy->normal_loss, energy->friction_loss, energy->residual,
                              energy->tangential,  result->error};
    assert_int_equal(status, expected);
    assert_int_equal(result->status, expected);
    assert_non_null(result->message);
    assert_true(strlen(result->message) > 0);
    assert_string_equal(result->sequence, "");
    assert_int_equal(result->event_count, 0);
    assert_int_equal(result->work, 0);
    for (int i = 0; i < OUTPUTS_ENTRIES; i++) {
        const double both[] = {out->impulse[i], out->velocity[i]};
        for (int k = 0; k < 2; k++) {
            assert_true(i < entries ? isnan(both[k]) : both[k] == UNTOUCHED);
        }
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        assert_true(isnan(numbers[i]));
    }
}

void check_refused_outputs(const char *what, const Outputs *out, int entries, CaromStatus status,
                           CaromStatus expected, const char *word) {
    if (status != expected || strstr(out->result.message, word) == NULL) {
        print_error("%s: %s (%s), expected %s naming \"%s\"\n", what, carom_status_string(status),
                    out->result.message, carom_status_string(expected), word);
        fail();
    }
    check_failed(out, entries, status, expected);
}

void check_problem_refused(const char *what, const CaromProblem *problem, CaromStatus expected,
                           const char *word) {
    Outputs out;
    outputs_begin(&out);
    CaromStatus status = carom_solve(problem, NULL, &out.result);
    check_refused_outputs(what, &out, (problem->planar ? 2 : 3) * problem->contact_count, status,
                          expected, word);
}

void check_impact_refused(CaromModel model, const char *what, const Impact *impact,
                          CaromStatus expected, const char *word) {
    Outputs out;
    CaromProblem problem = {.model = model,
                            .law = impact->law,
                            .contact_count = 1,
                            .inverse_inertia = impact->W,
                            .velocity = impact->v,
                            .contacts = &impact->contact};
    check_problem_refused(what, &problem, expected, word);
    if (model == CAROM_MODEL_COMPLIANT && impact->law != CAROM_LAW_ENERGETIC) {
        return; /* the direct way has no law to refuse */
    }
    outputs_begin(&out);
    CaromStatus status =
        model == CAROM_MODEL_COMPLIANT
            ? carom_compliant_solve(impact->W, impact->v, &impact->contact, &out.result)
            : carom_rigid_solve(impact->W, impact->v, &impact->contact, impact->law, &out.result);
    check_refused_outputs(what, &out, 3, status, expected, word);
}

/* ---- refused by both models ---- */

void check_numbers_refused(CaromModel model) {
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 9; i++) {
            Impact impact = impact_ordinary();
            impact.W[i] = bad[k];
            check_impact_refused(model, "W", &impact, CAROM_INVALID_INPUT, "inverse_inertia");
            impact.W[3 * (i % 3) + i / 3] = bad[k];
            check_impact_refused(model, "W, both halves", &impact, CAROM_INVALID_INPUT,
                                 "inverse_inertia");
        }
        for (int i = 0; i < 3; i++) {
            Impact impact = impact_ordinary();
            impact.v[i] = bad[k];
            check_impact_refused(model, "v", &impact, CAROM_INVALID_INPUT, "contact_velocity");
        }
        Impact impact = impact_ordinary();
        impact.contact.mu = bad[k];
        check_impact_refused(model, "mu", &impact, CAROM_INVALID_INPUT, "mu");
        impact = impact_ordinary();
        impact.contact.e = bad[k];
        check_impact_refused(model, "e", &impact, CAROM_INVALID_INPUT, "e ");
    }
}

void check_ranges_refused(CaromModel model) {
    static const double bad_e[] = {-1e-300, -DBL_MIN, -1, 1 + DBL_EPSILON, 2};
    static const double speeds[] = {0, -0.0, DBL_TRUE_MIN, 1, 1e300};
    for (int i = 0; i < 5; i++) {
        Impact impact = impact_ordinary();
        impact.contact.e = bad_e[i];
        check_impact_refused(model, "e", &impact, CAROM_INVALID_INPUT, "e ");
        impact = impact_ordinary();
        impact.v[2] = speeds[i];
        check_impact_refused(model, "not approaching", &impact, CAROM_NOT_APPROACHING, "approach");
    }
    Impact impact = impact_ordinary();
    impact.contact.mu = -DBL_MIN;
    check_impact_refused(model, "mu", &impact, CAROM_INVALID_INPUT, "mu");
}

void check_matrices_refused(CaromModel model) {
    static const int lower[] = {3, 6, 7};
    for (int i = 0; i < 3; i++) {
        Impact impact = impact_ordinary();
        impact.W[lower[i]] += 1e-8; /* allowed: 1e-9, relative */
        check_impact_refused(model, "asymmetric", &impact, CAROM_INVALID_INPUT, "symmetric");
        static const double diagonal[] = {0, -1}; /* 0 with other entries in its row */
        for (int k = 0; k < 2; k++) {
            impact = impact_ordinary();
            impact.W[4 * i] = diagonal[k];
            check_impact_refused(model, "diagonal", &impact, CAROM_INVALID_INPUT, "positive");
        }
    }
    static const double bad[][9] = {
        {0, 0, 0, 0, 0, 0, 0, 0, 0},
        {1, 0, 0, 0, 1, 0, 0, 0, 0}, /* W_nn = 0 */
        {-1, 0, 0, 0, 1, 0, 0, 0, 1},
        {1, 2, 0, 2, 1, 0, 0, 0, 1},               /* B indefinite */
        {1, 0, 2, 0, 1, 0, 2, 0, 1},               /* t1, n indefinite */
        {1, 0.9, 0.9, 0.9, 1, -0.9, 0.9, -0.9, 1}, /* every 2x2 is fine, the determinant is not */
        {1, 1, 1, 1, 1, 1 - 1e-9, 1, 1 - 1e-9, 1}, /* d is not in the range of B */
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        Impact impact = impact_ordinary();
        memcpy(impact.W, bad[i], sizeof bad[i]);
        check_impact_refused(model, "not definite", &impact, CAROM_INVALID_INPUT, "positive");
    }
}
