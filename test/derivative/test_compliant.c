/* Derivatives of one compliant contact against differences: of an independent slow solver
 * (support/compliant/oracle.h), and of the library in long double on many more impacts. */
#include <stdio.h>
#include <string.h>

#include "support/check.h"
#include "support/compliant/impacts.h"
#include "support/derivative/difference.h"
#include "support/derivative/errors.h"
#include "support/scale.h"
#include "support/wide/wide.h"

static const uint64_t SEED = 19200, PLANAR_SEED = 19201;

static const double MEDIAN_BOUND = 1e-10; /* 3e-13 */
static const double WORST_BOUND = 1e-6;   /* 1.5e-7, where the difference is as doubtful */

enum { INPUTS = CAROM_INPUTS_ONE };

static Impact shifted(const Impact *impact, int input, double shift) {
    static const int at[6][2] = {{0, 0}, {1, 3}, {2, 6}, {4, 4}, {5, 7}, {8, 8}};
    Impact out = *impact;
    if (input < 6) {
        out.W[at[input][0]] += shift;
        out.W[at[input][1]] += at[input][0] == at[input][1] ? 0 : shift;
    } else if (input < 9) {
        out.v[input - 6] += shift;
    } else if (input == 9) {
        out.contact.mu += shift;
    } else if (input == 11) {
        out.contact.e += shift;
    } else if (input == 13) {
        out.contact.stiffness_ratio += shift;
    }
    return out;
}

static int write_outcome(const CompliantAnswer *solved, long double outcome[DIFFERENCE_ROWS],
                         char signature[DIFFERENCE_SIGNATURE]) {
    int length = 0;
    for (int i = 0; i < 3; i++) {
        outcome[i] = solved->answer.impulse[i];
        outcome[3 + i] = solved->answer.velocity[i];
    }
    for (int i = 0; i < solved->event_count && i < 40 && i < COMPLIANT_EVENTS; i++) {
        signature[length++] = (char)('0' + (int)solved->events[i].kind);
    }
    signature[length] = '\0';
    return solved->answer.ok;
}

/* The library in long double. In double it freezes a direction that no longer counts: the outcome
 * is right, but its differences are those of the frozen direction. */
static int wide_outcome(const void *problem, int input, long double shift,
                        long double outcome[DIFFERENCE_ROWS],
                        char signature[DIFFERENCE_SIGNATURE]) {
    Impact impact = shifted(problem, input, (double)shift);
    CompliantAnswer answer = compliant_library(&impact);
    const CaromContact *contact = &impact.contact;
    const WideContact coefficients = {contact->mu, contact->mu_static, contact->e, 1,
                                      contact->stiffness_ratio};
    const WideProblem wide = {CAROM_MODEL_COMPLIANT, CAROM_LAW_ENERGETIC, 1, 0, impact.W, impact.v,
                              &coefficients};
    if (!write_outcome(&answer, outcome, signature) || wide_solve(&wide, outcome) < 0) {
        return 0;
    }
    for (int i = 0; i < 3; i++) {
        outcome[3 + i] = impact.v[i];
        for (int j = 0; j < 3; j++) {
            outcome[3 + i] += (long double)impact.W[3 * i + j] * outcome[j];
        }
    }
    return 1;
}

static int oracle_outcome(const void *problem, int input, long double shift,
                          long double outcome[DIFFERENCE_ROWS],
                          char signature[DIFFERENCE_SIGNATURE]) {
    Impact impact = shifted(problem, input, (double)shift);
    CompliantAnswer answer = compliant_oracle_solve(&impact);
    return write_outcome(&answer, outcome, signature);
}

static double size_of(const Impact *impact, int input) {
    const double *W = impact->W, *v = impact->v;
    const double sizes[INPUTS] = {W[0],
                                  sqrt(W[0] * W[4]),
                                  sqrt(W[0] * W[8]),
                                  W[4],
                                  sqrt(W[4] * W[8]),
                                  W[8],
                                  0,
                                  0,
                                  0,
                                  impact->contact.mu,
                                  0,
                                  impact->contact.e,
                                  0,
                                  impact->contact.stiffness_ratio};
    return input >= 6 && input < 9 ? hypot(hypot(v[0], v[1]), v[2]) : sizes[input];
}

static double length_of(const double v[3]) {
    return hypot(hypot(v[0], v[1]), v[2]);
}

/* The size of W I for this impulse, which v+ is the sum of. */
static double reach_of(const Impact *impact, const double I[3]) {
    const double *W = impact->W;
    return fmax(W[0], fmax(W[4], W[8])) * length_of(I);
}

/* Returns the status of the derivative. */
static CaromStatus check_impact(const Impact *impact, Outcome solve, Errors *errors) {
    double I[3], v[3], by_I[3 * INPUTS], by_v[3 * INPUTS];
    CaromKink kink = {.distance = INFINITY};
    CaromResult result = {.impulse = I, .velocity = v};
    CaromDerivative derivative = {
        .impulse = by_I, .velocity = by_v, .kinks = &kink, .kink_capacity = 1};
    CaromProblem problem = {.model = CAROM_MODEL_COMPLIANT,
                            .contact_count = 1,
                            .inverse_inertia = impact->W,
                            .velocity = impact->v,
                            .contacts = &impact->contact};
    CaromStatus status = carom_differentiate(&problem, NULL, &result, &derivative);
    if (status < 0 || kink.distance < 1e-6) {
        return status;
    }
    Difference difference = {.solve = solve, .problem = impact, .rows = 6};
    for (int i = 0; i < 6; i++) {
        difference.units[i] = i < 3 ? length_of(I) : length_of(impact->v) + reach_of(impact, I);
    }
    for (int j = 0; j < INPUTS; j++) {
        double size = size_of(impact, j), truth[DIFFERENCE_ROWS], column[6];
        for (int i = 0; i < 3; i++) {
            column[i] = by_I[i * INPUTS + j];
            column[3 + i] = by_v[i * INPUTS + j];
        }
        int missing = derivative.smoothness == CAROM_NOT_SMOOTH && isnan(column[0]);
        if (!(size > 0) || missing) {
            continue;
        }
        double doubt = difference_column(&difference, j, size, truth);
        if (doubt < 1e-9) {
            double error = difference_error(&difference, size, column, truth);
            errors_add(errors, error);
            if (!(error < WORST_BOUND)) {
                print_error("%s, input %d: error %.2e, doubt %.2e\n", impact->tag, j, error, doubt);
                impact_print(impact);
            }
        }
    }
    return status;
}

static void run(int count, int stride, Outcome solve, const char *what) {
    Errors errors = {0};
    int refused = 0, done = 0;
    for (int i = 0; i < count; i++) {
        Impact impact = compliant_random(SEED, (uint64_t)(stride * i));
        if (solve == oracle_outcome && compliant_stiffness(&impact) > 10) {
            continue;
        }
        done++;
        refused += check_impact(&impact, solve, &errors) == CAROM_NOT_CONVERGED;
    }
    double median = errors_quantile(&errors, 0.5), worst = errors_quantile(&errors, 1);
    print_message("%s: %d derivatives of %d impacts: median %.1e, 99%% %.1e, worst %.1e; %d "
                  "refused\n",
                  what, errors.count, done, median, errors_quantile(&errors, 0.99), worst, refused);
    assert_true(errors.count > done);
    assert_true(median < MEDIAN_BOUND);
    assert_true(worst < WORST_BOUND);
    assert_true(refused <= 1 + done / 5);
    errors_free(&errors);
}

static void library_differences_agree(void **state) {
    (void)state;
    run(scaled(136), 1, wide_outcome, "library");
}

/* Slip of planar impacts keeps its direction, and may be on the way to another one: where V.s
 * changes its sign a change of the direction begins to grow, and goes on to N = 0. */
static void planar_differences_agree(void **state) {
    (void)state;
    Errors errors = {0};
    int count = scaled(60);
    for (int i = 0; i < count; i++) {
        Impact impact =
            compliant_random(PLANAR_SEED, COMPLIANT_PLANAR + (uint64_t)i * COMPLIANT_CLASS_COUNT);
        check_impact(&impact, wide_outcome, &errors);
    }
    print_message("planar: %d derivatives of %d impacts: worst %.1e\n", errors.count, count,
                  errors_quantile(&errors, 1));
    assert_true(errors.count > count);
    assert_true(errors_quantile(&errors, 1) < WORST_BOUND);
    errors_free(&errors);
}

static void oracle_differences_agree(void **state) {
    (void)state;
    run(scaled(4), 17, oracle_outcome, "oracle");
}

/* A ball is the same in all directions: a vertical drop, the derivatives by both tangential
 * velocities are equal, and a central impact returns -e. */
static void vertical_drop_of_a_ball(void **state) {
    (void)state;
    double by_I[3 * INPUTS], by_v[3 * INPUTS];
    Impact ball = {.W = {3.5, 0, 0, 0, 3.5, 0, 0, 0, 1},
                   .v = {0, 0, -1},
                   .contact = {.mu = 0.4, .e = 0.7, .stiffness_ratio = 1.2}};
    CaromDerivative derivative = {.impulse = by_I, .velocity = by_v};
    CaromProblem problem = {.model = CAROM_MODEL_COMPLIANT,
                            .contact_count = 1,
                            .inverse_inertia = ball.W,
                            .velocity = ball.v,
                            .contacts = &ball.contact};
    assert_int_equal(carom_differentiate(&problem, NULL, NULL, &derivative), CAROM_OK);
    check_close(by_v[2 * INPUTS + 8], -0.7, 1e-14);
    check_close(by_I[0 * INPUTS + 6], by_I[1 * INPUTS + 7], 1e-14);
    /* against a difference at a small tangential velocity */
    double I[2][3];
    for (int k = 0; k < 2; k++) {
        CaromResult result = {.impulse = I[k]};
        ball.v[0] = k ? 1e-6 : -1e-6;
        carom_compliant_solve(ball.W, ball.v, &ball.contact, &result);
    }
    check_close(by_I[6], (I[1][0] - I[0][0]) / 2e-6, 1e-4);
}

/* A planar problem has the derivatives of the spatial one with a decoupled tangent. */
static void planar_contacts_agree(void **state) {
    (void)state;
    static const int inputs[10] = {0, 2, 5, 6, 8, 9, 10, 11, 12, 13};
    double W[9] = {3.1, 0, 0.4, 0, 2, 0, 0.4, 0, 1.1}, flat[4] = {3.1, 0.4, 0.4, 1.1};
    for (int i = 0; i < 12; i++) {
        double v[3] = {-1.5 + 0.3 * i, 0, -1}, in_plane[2] = {v[0], v[2]};
        double by_I[3 * INPUTS], by_v[3 * INPUTS], plane_I[20], plane_v[20];
        CaromContact contact = {.mu = 0.3, .e = 0.6};
        CaromDerivative derivative = {.impulse = by_I, .velocity = by_v};
        CaromDerivative plane = {.impulse = plane_I, .velocity = plane_v};
        CaromProblem problem = {CAROM_MODEL_COMPLIANT, CAROM_LAW_ENERGETIC, 1, W, v, &contact, 0};
        CaromProblem planar = {
            CAROM_MODEL_COMPLIANT, CAROM_LAW_ENERGETIC, 1, flat, in_plane, &contact, 1};
        assert_int_equal(carom_differentiate(&problem, NULL, NULL, &derivative), CAROM_OK);
        assert_int_equal(carom_differentiate(&planar, NULL, NULL, &plane), CAROM_OK);
        for (int j = 0; j < 10; j++) {
            for (int k = 0; k < 2; k++) {
                check_close(plane_I[10 * k + j], by_I[2 * k * INPUTS + inputs[j]], 1e-9);
                check_close(plane_v[10 * k + j], by_v[2 * k * INPUTS + inputs[j]], 1e-9);
            }
        }
    }
}

/* By e where e = 0: differences of one side, of second order. */
static void derivatives_by_no_e_agree(void **state) {
    (void)state;
    double worst = 0;
    int compared = 0, count = scaled(170);
    for (int i = 0; i < count; i++) {
        Impact impact = compliant_random(SEED, (uint64_t)(7000 + i));
        impact.contact.e = 0;
        double I[3][3], by_I[3 * INPUTS], off = 0, size = 0, h = 1e-5;
        const Impact moved[3] = {impact, shifted(&impact, 11, h), shifted(&impact, 11, h / 2)};
        CaromDerivative derivative = {.impulse = by_I};
        int ok = 1;
        for (int k = 0; k < 3; k++) {
            CaromProblem problem = {CAROM_MODEL_COMPLIANT,
                                    CAROM_LAW_ENERGETIC,
                                    1,
                                    moved[k].W,
                                    moved[k].v,
                                    &moved[k].contact,
                                    0};
            CaromResult result = {.impulse = I[k]};
            ok &= (k == 0 ? carom_differentiate(&problem, NULL, &result, &derivative)
                          : carom_solve(&problem, NULL, &result)) >= 0;
        }
        if (!ok || isnan(by_I[11])) {
            continue;
        }
        assert_int_equal(derivative.smoothness, CAROM_ONE_SIDED);
        int doubtful = 0;
        for (int row = 0; row < 3; row++) {
            double far = (I[1][row] - I[0][row]) / h, near = (I[2][row] - I[0][row]) / (h / 2);
            off = fmax(off, fabs(2 * near - far - by_I[row * INPUTS + 11]));
            size = fmax(size, fabs(I[0][row]));
            doubtful |= fabs(far - near) > 1e-4 * fabs(I[0][2]);
        }
        if (!doubtful) {
            worst = fmax(worst, off / size);
            compared++;
        }
    }
    print_message("by e = 0: %d of %d, worst %.1e\n", compared, count, worst);
    assert_true(compared > count / 2);
    assert_true(worst < 1e-5); /* of the differences */
}

/* Contacts whose bounces accumulate: their events are too many for a signature. */
static int held_outcome(const void *problem, int input, long double shift,
                        long double outcome[DIFFERENCE_ROWS],
                        char signature[DIFFERENCE_SIGNATURE]) {
    Impact impact = shifted(problem, input, (double)shift);
    CompliantAnswer answer = compliant_library(&impact);
    int ok = write_outcome(&answer, outcome, signature);
    signature[answer.event_count < 8 ? answer.event_count : 8] = '\0';
    return ok;
}

/* Are the bodies held together at some time? */
static int is_held(const Impact *impact) {
    CaromEvent events[4096];
    CaromResult result = {.events = events, .event_capacity = 4096};
    int held = 0;
    carom_compliant_solve(impact->W, impact->v, &impact->contact, &result);
    for (int k = 0; k < result.event_count && k < 4096; k++) {
        held |= events[k].kind == CAROM_EVENT_LATCH;
    }
    return held;
}

/* Bounces that accumulate, half of them with e = 0: some six in a hundred of these. */
static void held_differences_agree(void **state) {
    (void)state;
    Errors errors = {0};
    int held = 0, refused = 0, count = scaled(300) > 100 ? scaled(300) : 100;
    for (int i = 0; i < count; i++) {
        Impact impact = compliant_random(SEED + 1, (uint64_t)i);
        impact.contact.mu *= 2;
        impact.contact.e *= i % 2;
        if (is_held(&impact)) {
            held++;
            refused += check_impact(&impact, held_outcome, &errors) == CAROM_NOT_CONVERGED;
        }
    }
    double median = errors_quantile(&errors, 0.5), worst = errors_quantile(&errors, 1);
    print_message("held: %d derivatives of %d impacts: median %.1e, 99%% %.1e, worst %.1e; %d "
                  "refused\n",
                  errors.count, held, median, errors_quantile(&errors, 0.99), worst, refused);
    assert_true(held > count / 40 && errors.count > 4 * held);
    assert_true(median < MEDIAN_BOUND); /* 5e-12 */
    assert_true(worst < WORST_BOUND);   /* 1.6e-8, of the differences */
    assert_true(refused <= held / 5);
    errors_free(&errors);
}

/* Does some input, changed by this part of itself, change the events? */
static int sequence_changes(const Impact *impact, double part) {
    static const int at[6] = {0, 1, 2, 4, 5, 8};
    char here[DIFFERENCE_SIGNATURE], there[DIFFERENCE_SIGNATURE];
    long double outcome[DIFFERENCE_ROWS];
    wide_outcome(impact, 0, 0, outcome, here);
    for (int j = 0; j < 2 * INPUTS; j++) {
        int input = j / 2;
        double value = input < 6   ? impact->W[at[input]]
                       : input < 9 ? impact->v[input - 6]
                                   : size_of(impact, input);
        double shift = (j % 2 ? part : -part) * value;
        if (value != 0 && wide_outcome(impact, input, shift, outcome, there) &&
            strcmp(here, there) != 0) {
            return 1;
        }
    }
    return 0;
}

/* Most kinks that are near are reached by a change of one input of up to three times what is said:
 * slip that stops goes like the root of the distance. Sequences that are longer than a signature
 * are left out, and bounces that accumulate. */
static void kinks_are_where_they_are_said_to_be(void **state) {
    (void)state;
    int near[7] = {0}, found[7] = {0}, all = 0, hit = 0;
    for (int i = 0; i < scaled(4000); i++) {
        Impact impact = compliant_random(SEED + 2, (uint64_t)i);
        CaromKink kinks[CAROM_KINKS_ONE];
        CaromDerivative derivative = {.kinks = kinks, .kink_capacity = CAROM_KINKS_ONE};
        CaromProblem problem = {
            CAROM_MODEL_COMPLIANT, CAROM_LAW_ENERGETIC, 1, impact.W, impact.v, &impact.contact, 0};
        CaromResult result = {.event_capacity = 0};
        if (carom_differentiate(&problem, NULL, &result, &derivative) < 0 ||
            result.event_count > 40 || is_held(&impact)) {
            continue;
        }
        for (int k = 0; k < derivative.kink_count; k++) {
            if (kinks[k].distance > 1e-9 && kinks[k].distance < 0.01) {
                near[kinks[k].kind]++;
                found[kinks[k].kind] += sequence_changes(&impact, 3 * kinks[k].distance);
            }
        }
    }
    for (int k = 0; k < 7; k++) {
        all += near[k];
        hit += found[k];
        if (near[k] > 0) {
            print_message("%s: %d of %d\n", carom_kink_string((CaromKinkKind)k), found[k], near[k]);
        }
    }
    assert_true(all > scaled(20));
    assert_true(hit > 0.9 * all);
}

/* One contact with one stiffness: dI/dv.v = I, and differences by mu and e. */
static void mono_stiffness_agrees(void **state) {
    (void)state;
    double worst = 0;
    for (int i = 0; i < 40; i++) {
        double W[9] = {3.1, 0.2, 0.4, 0.2, 2.6, -0.3, 0.4, -0.3, 1.1};
        double v[3] = {-1.5 + 0.1 * i, 0.3, -1}, by_I[3 * INPUTS], I[3];
        CaromContact contact = {.mu = 0.3, .e = 0.3 + 0.01 * i, .stiffness = 2};
        CaromProblem problem = {
            CAROM_MODEL_COMPLIANT, CAROM_LAW_MONO_STIFFNESS, 1, W, v, &contact, 0};
        CaromResult result = {.impulse = I};
        CaromDerivative derivative = {.impulse = by_I};
        assert_int_equal(carom_differentiate(&problem, NULL, &result, &derivative), CAROM_OK);
        for (int k = 0; k < 3; k++) {
            double sum = 0;
            for (int j = 0; j < 3; j++) {
                sum += by_I[k * INPUTS + 6 + j] * v[j];
            }
            check_close(sum, I[k], 1e-11);
            check_close(by_I[k * INPUTS + 12], 0, 1e-11);
        }
        for (int j = 9; j < 12; j += 2) {
            double shifted[2][3], *field = j == 9 ? &contact.mu : &contact.e;
            for (int side = 0; side < 2; side++) {
                CaromResult other = {.impulse = shifted[side]};
                *field += side ? 1e-5 : -1e-5;
                assert_true(carom_solve(&problem, NULL, &other) >= 0);
                *field -= side ? 1e-5 : -1e-5;
            }
            for (int k = 0; k < 3; k++) {
                double slope = (shifted[1][k] - shifted[0][k]) / 2e-5;
                worst = fmax(worst, fabs(slope - by_I[k * INPUTS + j]));
            }
        }
    }
    print_message("mono-stiffness: worst %.1e\n", worst);
    assert_true(worst < 1e-6); /* 3e-8, of the differences */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(library_differences_agree),
        cmocka_unit_test(planar_differences_agree),
        cmocka_unit_test(oracle_differences_agree),
        cmocka_unit_test(vertical_drop_of_a_ball),
        cmocka_unit_test(planar_contacts_agree),
        cmocka_unit_test(derivatives_by_no_e_agree),
        cmocka_unit_test(held_differences_agree),
        cmocka_unit_test(mono_stiffness_agrees),
        cmocka_unit_test(kinks_are_where_they_are_said_to_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
