/* Derivatives of one rigid contact: identities, closed forms, kinks, and the calls against each
 * other, on random impacts of all classes. test_rigid_differences.c has the differences. */
#include <string.h>

#include "support/check.h"
#include "support/derivative/errors.h"
#include "support/derivative/solved.h"
#include "support/planar/impact.h"
#include "support/rigid/impacts.h"
#include "support/rigid/truth.h"
#include "support/scale.h"
#include "support/wide/wide.h"

static const uint64_t SEED = 19001;

/* How far dI/dv.v = I and dI/dW.W = -I are off. */
static double homogeneity_of(const Impact *impact, const Solved *solved) {
    static const int at[6] = {0, 1, 2, 4, 5, 8};
    double worst = 0;
    for (int k = 0; k < 3; k++) {
        double by_v = -solved->I[k], by_W = solved->I[k], all = length_of(solved->I);
        for (int j = 0; j < 9; j++) {
            double term = solved->by_I[k * INPUTS + j];
            term *= j < 6 ? impact->W[at[j]] : impact->v[j - 6];
            by_W += j < 6 ? term : 0;
            by_v += j < 6 ? 0 : term;
            all += fabs(term);
        }
        worst = larger(worst, larger(fabs(by_v), fabs(by_W)) / all);
    }
    return worst;
}

/* The derivatives in long double. Returns the status. */
static int differentiate_widely(const Impact *impact, long double by_I[3 * INPUTS]) {
    static const int at[6] = {0, 1, 2, 4, 5, 8};
    const CaromContact *contact = &impact->contact;
    const WideProblem problem = {.law = impact->law};
    long double inputs[INPUTS], residual;
    for (int j = 0; j < 9; j++) {
        inputs[j] = j < 6 ? impact->W[at[j]] : impact->v[j - 6];
    }
    inputs[9] = contact->mu;
    inputs[10] = contact->mu_static;
    inputs[11] = contact->e;
    inputs[12] = inputs[13] = 1;
    return wide_differentiate(&problem, inputs, by_I, &residual);
}

/* The most that rounding the input changes a term of the sums of homogeneity_of(), relative to
 * these: no program in double can be expected to do better. */
static double effect_of_rounding(const Impact *impact, const Solved *solved, uint64_t index) {
    static const int at[6] = {0, 1, 2, 4, 5, 8};
    long double truth[3 * INPUTS], other[3 * INPUTS];
    Random random = random_start(SEED + 9, index);
    double worst = differentiate_widely(impact, truth) < 0 ? INFINITY : 0;
    for (int n = 0; n < 16; n++) {
        Impact moved = impact_disturbed(impact, &random);
        if (differentiate_widely(&moved, other) < 0) {
            return INFINITY;
        }
        for (int k = 0; k < 3; k++) {
            double all = length_of(solved->I), most = 0;
            for (int j = 0; j < 9; j++) {
                double size = fabs(j < 6 ? impact->W[at[j]] : impact->v[j - 6]);
                all += size * fabs((double)truth[k * INPUTS + j]);
                most = larger(most,
                              size * fabs((double)(other[k * INPUTS + j] - truth[k * INPUTS + j])));
            }
            worst = larger(worst, most / all);
        }
    }
    return worst;
}

/* To 1e-11, or 8 times the effect of rounding the input; and the residual says so. */
static void outcomes_are_homogeneous(void **state) {
    (void)state;
    int count = scaled(10000), above = 0, explained = 0;
    Errors errors = {0};
    for (int i = 0; i < count; i++) {
        Impact impact = random_impact(SEED + 1, (uint64_t)i);
        Solved solved;
        differentiate(&impact, &solved);
        if (solved.status < 0 || solved.derivative.smoothness == CAROM_NOT_SMOOTH) {
            continue;
        }
        double off = homogeneity_of(&impact, &solved);
        errors_add(&errors, off);
        above += off > 1e-11;
        explained += off > 1e-11 && off <= 8 * effect_of_rounding(&impact, &solved, (uint64_t)i);
        assert_true(off < 1e-11 || off < 5 * solved.derivative.residual); /* 3.4 times */
    }
    double most = errors_quantile(&errors, 0.9), worst = errors_quantile(&errors, 1);
    print_message("homogeneity: median %.1e, 90%% %.1e, worst %.1e; %d of %d above 1e-11, %d of "
                  "them explained by rounding of the input\n",
                  errors_quantile(&errors, 0.5), most, worst, above, count, explained);
    assert_true(most < 1e-13);                       /* 2e-15 */
    assert_true(worst < 1e-8);                       /* 9e-11 of 100,000 */
    assert_true(above - explained <= count / 20000); /* 1 of 100,000: W is nearly singular */
    errors_free(&errors);
}

/* Turning the tangent plane turns the derivatives. */
static void derivatives_turn_with_the_frame(void **state) {
    (void)state;
    double worst = 0;
    for (int i = 0; i < scaled(2000); i++) {
        Impact impact = random_impact(SEED + 2, 18 * (uint64_t)i), turned = impact;
        Solved a, b;
        double angle = 0.1 + i, c = cos(angle), s = sin(angle);
        const double *W = impact.W, R[9] = {c, -s, 0, s, c, 0, 0, 0, 1};
        for (int k = 0; k < 9; k++) {
            double sum = 0;
            for (int m = 0; m < 9; m++) {
                sum += R[3 * (k / 3) + m / 3] * W[m] * R[3 * (k % 3) + m % 3];
            }
            turned.W[k] = sum;
        }
        for (int k = 1; k < 3; k++) {
            for (int m = 0; m < k; m++) {
                turned.W[3 * k + m] = turned.W[3 * m + k];
            }
            turned.v[k - 1] = R[3 * (k - 1)] * impact.v[0] + R[3 * (k - 1) + 1] * impact.v[1];
        }
        differentiate(&impact, &a);
        differentiate(&turned, &b);
        if (a.status < 0 || b.status < 0 || a.derivative.smoothness == CAROM_NOT_SMOOTH) {
            continue;
        }
        /* dI/dv turns as a matrix */
        double size = 0, off = 0;
        for (int k = 0; k < 9; k++) {
            double sum = 0;
            for (int m = 0; m < 9; m++) {
                sum += R[3 * (k / 3) + m / 3] * a.by_I[(m / 3) * INPUTS + 6 + m % 3] *
                       R[3 * (k % 3) + m % 3];
            }
            size = larger(size, fabs(sum));
            off = larger(off, fabs(sum - b.by_I[(k / 3) * INPUTS + 6 + k % 3]));
        }
        worst = larger(worst, off / size);
    }
    print_message("rotation: worst %.1e\n", worst);
    assert_true(worst < 1e-6);
}

static void frictionless_ball_returns_minus_e(void **state) {
    (void)state;
    for (int i = 0; i <= 10; i++) {
        Impact ball = {.W = {3.5, 0, 0, 0, 3.5, 0, 0, 0, 1}, .v = {0.3, -0.2, -1.7}};
        Solved solved;
        ball.contact.e = i / 10.0;
        differentiate(&ball, &solved);
        assert_int_equal(solved.status, CAROM_OK);
        check_close(solved.by_v[2 * INPUTS + 8], -ball.contact.e, 1e-15);
        assert_int_equal(solved.derivative.smoothness, CAROM_ONE_SIDED); /* mu = 0 */
    }
}

/* A contact without friction that starts from rest, as balls that meet head on: the outcome is v- +
 * (W_13, W_23, W_33) p with p = -(1 + e) v_n/W_33. */
static void frictionless_start_from_rest_is_smooth(void **state) {
    (void)state;
    for (int i = 0; i < 6; i++) {
        double d1 = i % 2 ? 0.4 : 0, d2 = i % 3 ? -0.3 : 0, e = i / 5.0, p = (1 + e) * 1.7 / 1.2;
        Impact impact = {.W = {3.5, 0.2, d1, 0.2, 2.5, d2, d1, d2, 1.2}, .v = {0, 0, -1.7}};
        const double by_vn = -(1 + e) / 1.2, column[3] = {d1, d2, 1.2};
        Solved solved;
        impact.contact.e = e;
        impact.law = i % 2 ? CAROM_LAW_NEWTON : CAROM_LAW_ENERGETIC;
        differentiate(&impact, &solved);
        assert_int_equal(solved.status, CAROM_OK);
        assert_int_equal(solved.derivative.smoothness, CAROM_ONE_SIDED); /* mu = 0 */
        for (int row = 0; row < 3; row++) {
            const double *by = &solved.by_v[row * INPUTS];
            check_close(by[6], row == 0, 1e-15);
            check_close(by[7], row == 1, 1e-15);
            check_close(by[8], (row == 2) + column[row] * by_vn, 1e-15);
            check_close(by[11], column[row] * 1.7 / 1.2, 1e-15);
            check_close(by[5], row == 2 ? 0 : -column[row] * p / 1.2, 1e-15);
            check_close(by[2], row == 0 ? p : 0, 1e-15);
            check_close(by[4], row == 1 ? p : 0, 1e-15);
        }
    }
}

/* The closed form by v alone, and the gradient in reverse. */
static void direct_calls_agree(void **state) {
    (void)state;
    double worst = 0;
    int refused = 0;
    Errors reverse = {0};
    for (int i = 0; i < scaled(5000); i++) {
        Impact impact = random_impact(SEED + 3, (uint64_t)i);
        Solved solved;
        double by_I[9], by_v[9], I[3], v[3], gradient[INPUTS];
        const double weight_I[3] = {0.3, -1, 0.7}, weight_v[3] = {2, 0.1, -0.4};
        CaromResult result = {.impulse = I, .velocity = v};
        CaromProblem problem = {.law = impact.law,
                                .contact_count = 1,
                                .inverse_inertia = impact.W,
                                .velocity = impact.v,
                                .contacts = &impact.contact};
        differentiate(&impact, &solved);
        CaromStatus status = carom_rigid_velocity_derivative(impact.W, impact.v, &impact.contact,
                                                             impact.law, &result, by_I, by_v, NULL);
        if (solved.status < 0 || solved.derivative.smoothness == CAROM_NOT_SMOOTH) {
            continue;
        }
        assert_true(status >= 0);
        double size = length_of(solved.I) / length_of(impact.v), off = 0;
        for (int k = 0; k < 9; k++) {
            double other = solved.by_I[(k / 3) * INPUTS + 6 + k % 3];
            size = larger(size, fabs(other));
            off = larger(off, fabs(other - by_I[k]));
        }
        worst = larger(worst, off / size);
        status =
            carom_differentiate_reverse(&problem, weight_I, weight_v, NULL, NULL, NULL, gradient);
        if (status == CAROM_NOT_CONVERGED) {
            refused++; /* on the edge of what is accepted */
            continue;
        }
        assert_true(status >= 0);
        double most = 0, outcome = length_of(solved.I) + length_of(solved.v);
        for (int j = 0; j < INPUTS; j++) {
            /* derivatives that vanish, as those by W without friction, have a rounding error */
            double scale = j < 6 ? impact.W[8] : j < 9 ? length_of(impact.v) : 1;
            double sum = 0, all = 1e-6 * outcome / scale;
            for (int k = 0; k < 3; k++) {
                double a = weight_I[k] * solved.by_I[k * INPUTS + j];
                double b = weight_v[k] * solved.by_v[k * INPUTS + j];
                sum += a + b;
                all += fabs(a) + fabs(b);
            }
            most = larger(most, all > 0 ? fabs(sum - gradient[j]) / all : 0);
        }
        errors_add(&reverse, most);
    }
    double median = errors_quantile(&reverse, 0.5), last = errors_quantile(&reverse, 1);
    print_message("closed form by v: worst %.1e; reverse: median %.1e, worst %.1e\n", worst, median,
                  last);
    assert_true(refused <= scaled(5));
    assert_true(worst < 1e-7);   /* 2.3e-9 */
    assert_true(median < 1e-14); /* 4e-16 */
    /* 5e-8; of ten times as many 7e-6: W is nearly singular, and where all ways have lost digits
     * (residual 2e-10 and 6e-10) the two calls may return those of another */
    assert_true(last < 1e-5);
    errors_free(&reverse);
}

static CaromCase case_of(const Impact *impact) {
    const double *W = impact->W;
    return (CaromCase){.W = {W[0], W[1], W[2], W[4], W[5], W[8]},
                       .v = {impact->v[0], impact->v[1], impact->v[2]},
                       .contact = impact->contact,
                       .law = impact->law};
}

/* The same by a call for one. */
static void differentiate_case(const CaromCase *c, Solved *one) {
    const double *w = c->W, W[9] = {w[0], w[1], w[2], w[1], w[3], w[4], w[2], w[4], w[5]};
    CaromProblem problem = {c->model, c->law, 1, W, c->v, &c->contact, 0};
    one->result = (CaromResult){.impulse = one->I, .velocity = one->v};
    one->derivative = (CaromDerivative){.impulse = one->by_I,
                                        .velocity = one->by_v,
                                        .kinks = one->kinks,
                                        .kink_capacity = CAROM_KINKS_ONE};
    one->status = carom_differentiate(&problem, NULL, &one->result, &one->derivative);
}

/* What lanes do not solve has the bits of single calls. */
static void batches_have_the_bits_of_single_calls(void **state) {
    (void)state;
    enum { CASES = 180 };
    static CaromCase cases[CASES];
    static CaromOutcome outcomes[CASES];
    static CaromCaseDerivative derivatives[CASES];
    for (int i = 0; i < CASES; i++) {
        Impact impact = random_impact(SEED + 6, (uint64_t)i);
        cases[i] = case_of(&impact);
        cases[i].model = i % 3 ? CAROM_MODEL_RIGID : CAROM_MODEL_COMPLIANT;
        cases[i].law = i % 3 ? CAROM_LAW_NEWTON : CAROM_LAW_ENERGETIC;
    }
    carom_batch_differentiate(CASES, cases, outcomes, derivatives);
    for (int i = 0; i < CASES; i++) {
        Solved one;
        differentiate_case(&cases[i], &one);
        const CaromCaseDerivative *of = &derivatives[i];
        assert_memory_equal(of->impulse, one.by_I, sizeof one.by_I);
        assert_memory_equal(of->velocity, one.by_v, sizeof one.by_v);
        assert_memory_equal(outcomes[i].impulse, one.I, sizeof one.I);
        assert_memory_equal(outcomes[i].velocity, one.v, sizeof one.v);
        assert_int_equal(outcomes[i].status, one.result.status);
        assert_string_equal(outcomes[i].sequence, one.result.sequence);
        assert_int_equal(of->smoothness, one.derivative.smoothness);
        assert_true(one.derivative.kink_count == 0 ? isinf(of->kink.distance)
                                                   : of->kink.distance == one.kinks[0].distance &&
                                                         of->kink.kind == one.kinks[0].kind);
    }
}

/* The largest difference of a column, relative to the larger of the column and the outcome over the
 * size of the input. */
static double column_difference(const double *a, const double *b, const double outcome[3],
                                const Impact *impact) {
    double worst = 0;
    for (int j = 0; j < INPUTS; j++) {
        double scale = j < 6 ? impact->W[8] : j < 9 ? length_of(impact->v) : 1;
        double size = length_of(outcome) / scale, off = 0;
        for (int k = 0; k < 3; k++) {
            size = larger(size, fabs(b[k * INPUTS + j]));
            off = larger(off, fabs(a[k * INPUTS + j] - b[k * INPUTS + j]));
        }
        worst = larger(worst, off / size);
    }
    return worst;
}

/* Rigid impacts of all classes in lanes: their outcomes are those of carom_batch_solve(), their
 * derivatives agree with single calls, and neither depends on the neighbours. */
static void lanes_agree_with_single_calls(void **state) {
    (void)state;
    enum { CASES = 1800 };
    static CaromCase cases[CASES];
    static Impact impacts[CASES];
    static CaromOutcome outcomes[CASES], solved[CASES], apart[CASES];
    static CaromCaseDerivative derivatives[CASES], alone[CASES];
    Errors errors = {0};
    int same = 0, count = 0, kinks = 0;
    for (int block = 0; block < scaled(10); block++) {
        for (int i = 0; i < CASES; i++) {
            impacts[i] = random_impact(SEED + 8, (uint64_t)(block * CASES + i));
            cases[i] = case_of(&impacts[i]);
        }
        carom_batch_differentiate(CASES, cases, outcomes, derivatives);
        carom_batch_solve(CASES, cases, solved);
        for (int i = 0, size = 1; i < CASES; i += size, size = size % 7 + 1) {
            size = i + size < CASES ? size : CASES - i;
            carom_batch_differentiate((size_t)size, cases + i, apart + i, alone + i);
        }
        for (int i = 0; i < CASES; i++) {
            const CaromCaseDerivative *of = &derivatives[i];
            Solved one;
            assert_memory_equal(outcomes[i].impulse, solved[i].impulse, sizeof solved[i].impulse);
            assert_memory_equal(outcomes[i].velocity, solved[i].velocity,
                                sizeof solved[i].velocity);
            assert_memory_equal(outcomes[i].impulse, apart[i].impulse, sizeof apart[i].impulse);
            assert_memory_equal(of->impulse, alone[i].impulse, sizeof of->impulse);
            assert_memory_equal(of->velocity, alone[i].velocity, sizeof of->velocity);
            assert_true(of->kink.distance == alone[i].kink.distance);
            differentiate_case(&cases[i], &one);
            if (one.status < 0 || one.derivative.smoothness == CAROM_NOT_SMOOTH) {
                continue;
            }
            double distance = one.derivative.kink_count == 0 ? INFINITY : one.kinks[0].distance;
            kinks += !(of->kink.distance == distance ||
                       fabs(of->kink.distance - distance) < 1e-4 * distance); /* slow slip */
            assert_int_equal(of->smoothness, one.derivative.smoothness);
            double off =
                larger(column_difference(of->impulse, one.by_I, one.I, &impacts[i]),
                       column_difference(of->velocity, one.by_v, impacts[i].v, &impacts[i]));
            same += off == 0;
            count++;
            errors_add(&errors, off);
        }
    }
    double most = errors_quantile(&errors, 0.99), worst = errors_quantile(&errors, 1);
    print_message(
        "lanes beside single calls, %d impacts: the same bits %d, median %.1e, 99%% %.1e, "
        "worst %.1e; %d other kinks\n",
        count, same, errors_quantile(&errors, 0.5), most, worst, kinks);
    assert_true(errors_quantile(&errors, 0.5) < 1e-13); /* 4e-15 */
    assert_true(most < 1e-9);                           /* 6e-11 */
    assert_true(worst < 1e-6);                          /* 7e-9 */
    assert_int_equal(kinks, 0);
    errors_free(&errors);
}

/* Slip that stops with |K| 3e-10 above mu starts again, so slowly that gamma has no digits of its
 * direction: derivatives by W were off by 10 %. Against differences of long double. */
static void slow_slip_from_zero_has_its_direction(void **state) {
    (void)state;
    Impact impact = random_impact(7001, 13548), more = impact, less = impact;
    const double h = 1e-10;
    Solved solved;
    differentiate(&impact, &solved);
    assert_int_equal(solved.status, CAROM_OK);
    assert_true(solved.derivative.residual < 1e-14); /* 9e-17 */
    more.W[0] += h;
    less.W[0] -= h;
    Answer above = truth_solve(&more), below = truth_solve(&less);
    for (int i = 0; i < 3; i++) {
        double slope = (above.impulse[i] - below.impulse[i]) / (2 * h);
        assert_true(fabs(solved.by_I[i * INPUTS] - slope) < 1e-3 * fabs(slope)); /* 2e-4 */
    }
}

/* Slip that stops before its direction has settled, or below the rounding of p: derivatives were
 * off their identities by up to 6e-8, and the last four refused. */
static void slip_that_stops_keeps_its_digits(void **state) {
    (void)state;
    static const uint64_t found[][2] = {{19002, 1079},   {19002, 1374},  {19002, 93912},
                                        {19002, 19968},  {9001, 634392}, {9001, 918198},
                                        {9001, 1071558}, {9001, 1115208}};
    double worst = 0;
    for (size_t i = 0; i < sizeof found / sizeof *found; i++) {
        Impact impact = random_impact(found[i][0], found[i][1]);
        long double wide[3 * INPUTS];
        double truth[3 * INPUTS];
        Solved solved;
        differentiate(&impact, &solved);
        assert_int_equal(solved.status, CAROM_OK);
        assert_true(homogeneity_of(&impact, &solved) < 1e-14); /* 5e-16 */
        assert_true(differentiate_widely(&impact, wide) >= 0);
        for (int k = 0; k < 3 * INPUTS; k++) {
            truth[k] = (double)wide[k];
        }
        worst = larger(worst, column_difference(solved.by_I, truth, solved.I, &impact));
    }
    print_message("slip that stops beside long double: worst %.1e\n", worst);
    assert_true(worst < 1e-11); /* 5e-13 */
}

/* A planar contact is the spatial one with a decoupled second tangent. */
static void planar_contacts_agree(void **state) {
    (void)state;
    static const int inputs[10] = {0, 2, 5, 6, 8, 9, 10, 11, 12, 13};
    double worst = 0;
    for (int i = 0; i < scaled(5000); i++) {
        Planar planar = planar_random(SEED + 4, (uint64_t)i);
        Impact impact = planar_embed(&planar);
        CaromProblem problem = planar_problem(&planar);
        double by_I[20], by_v[20];
        CaromDerivative derivative = {.impulse = by_I, .velocity = by_v};
        Solved solved;
        CaromStatus status = carom_differentiate(&problem, NULL, NULL, &derivative);
        differentiate(&impact, &solved);
        if (status < 0 || solved.status < 0 || derivative.smoothness == CAROM_NOT_SMOOTH ||
            solved.derivative.smoothness == CAROM_NOT_SMOOTH) {
            continue;
        }
        for (int j = 0; j < 10; j++) {
            double input = size_of(&impact, inputs[j]), size = length_of(solved.I), off = 0;
            for (int k = 0; k < 2; k++) {
                double other = solved.by_I[2 * k * INPUTS + inputs[j]];
                size += fabs(other) * input;
                off += fabs(other - by_I[k * 10 + j]) * input;
            }
            if (off > 1e-8 * size) {
                print_error("input %d: %.2e\n", j, off / size);
                planar_print(&planar);
            }
            worst = larger(worst, off / size);
        }
    }
    print_message("planar: worst %.1e\n", worst);
    assert_true(worst < 1e-8); /* 1.2e-9, where W is nearly singular */
}

/* e at which slip stops just at the end of the impact, if there is one. */
static double critical_e(Impact *impact) {
    double low = 0.01, high = 1;
    impact->contact.e = low;
    int below = strchr(answer_of_library(impact).sequence, 's') != NULL;
    impact->contact.e = high;
    if (below || strchr(answer_of_library(impact).sequence, 's') == NULL) {
        return NAN;
    }
    for (int i = 0; i < 60; i++) {
        impact->contact.e = (low + high) / 2;
        if (strchr(answer_of_library(impact).sequence, 's') != NULL) {
            high = impact->contact.e;
        } else {
            low = impact->contact.e;
        }
    }
    return low;
}

/* A kink is reached by changing e alone at a distance d, so the distance by the best input is not
 * larger; it falls to 0 there, and the side changes. */
static void kinks_are_where_they_are_said_to_be(void **state) {
    (void)state;
    int found = 0;
    for (int i = 0; i < 400 && found < 20; i++) {
        Impact impact = random_impact(SEED + 5, 18 * (uint64_t)i);
        double e = critical_e(&impact), distance[4];
        static const double steps[4] = {-2e-4, -1e-4, 1e-4, 2e-4};
        int usable = e > 0.05 && e < 0.99;
        for (int k = 0; k < 4 && usable; k++) {
            Solved solved;
            impact.contact.e = e * (1 + steps[k]);
            differentiate(&impact, &solved);
            int at = 0;
            while (at < solved.derivative.kink_count &&
                   solved.kinks[at].kind != CAROM_KINK_SLIP_STOPS) {
                at++;
            }
            usable = solved.status >= 0 && at < solved.derivative.kink_count;
            if (usable) {
                distance[k] = solved.kinks[at].distance;
                assert_int_equal(solved.kinks[at].happens, k >= 2);
                assert_int_equal(solved.kinks[at].jumps, 0);
                assert_true(distance[k] <= 1.01 * fabs(steps[k]));
            }
        }
        if (usable) {
            check_close(distance[0] / distance[1], 2, 0.1);
            check_close(distance[3] / distance[2], 2, 0.1);
            check_close(distance[1] / distance[2], 1, 0.5); /* each side has its own slope */
            found++;
        }
    }
    print_message("%d kinks\n", found);
    assert_true(found > 5);
}

/* The derivatives of a problem by those inputs that it has, against differences: sixth order, of
 * closed forms that are exact to rounding. */
static void check_singular(const Impact *impact, int has_all) {
    static const double weights[] = {45.0 / 60, -9.0 / 60, 1.0 / 60};
    Solved solved, moved;
    int missing = 0;
    differentiate(impact, &solved);
    assert_true(solved.status >= 0);
    assert_true(solved.derivative.smoothness != CAROM_SMOOTH);
    for (int j = 6; j < 12; j++) {
        double column[6] = {0}, h = 1e-4;
        missing += isnan(solved.by_I[j]);
        for (int k = -3; k <= 3 && !isnan(solved.by_I[j]); k++) {
            Impact other = *impact;
            other.v[j < 9 ? j - 6 : 0] += j < 9 ? k * h : 0;
            other.contact.mu += j == 9 ? k * h : 0;
            other.contact.e += j == 11 ? k * h : 0;
            differentiate(&other, &moved);
            assert_true(moved.result.status >= 0);
            for (int i = 0; i < 6 && k != 0; i++) {
                double w = (k < 0 ? -weights[-k - 1] : weights[k - 1]) / h;
                column[i] += w * (i < 3 ? moved.I[i] : moved.v[i - 3]);
            }
        }
        for (int i = 0; i < 6 && !isnan(solved.by_I[j]); i++) {
            check_close(i < 3 ? solved.by_I[i * INPUTS + j] : solved.by_v[(i - 3) * INPUTS + j],
                        column[i], 1e-9); /* 3e-11 */
        }
    }
    assert_int_equal(missing == 0, has_all);
    /* the impulse of degree -1 in W, where all of it counts */
    for (int i = 0; i < 3; i++) {
        static const int at[6] = {0, 1, 2, 4, 5, 8};
        double sum = solved.I[i];
        for (int j = 0; j < 6; j++) {
            double w = impact->W[at[j]];
            sum += w != 0 ? solved.by_I[i * INPUTS + j] * w : 0;
        }
        check_close(sum, 0, 1e-12);
    }
}

/* What a mechanism cannot move: a second tangent, both, or a direction that wedges. */
static void singular_contacts_have_derivatives(void **state) {
    (void)state;
    Impact plane = {.W = {2, 0, 0.5, 0, 0, 0, 0.5, 0, 1.3}, .v = {1, 0, -1}};
    plane.contact = (CaromContact){.mu = 0.3, .e = 0.6};
    for (int i = 0; i < 8; i++) {
        plane.v[0] = 0.5 * i - 1.9;
        check_singular(&plane, 0); /* not by v of the locked direction */
    }
    Impact rail = {.W = {0, 0, 0, 0, 0, 0, 0, 0, 1.7}, .v = {0.8, -0.6, -2}};
    rail.contact = (CaromContact){.mu = 0.4, .e = 0.5};
    check_singular(&rail, 1);
    rail.v[0] = rail.v[1] = 0;
    check_singular(&rail, 0);
    Impact pendulum = {.W = {0.5, 0, 1, 0, 0, 0, 1, 0, 2}, .v = {3, 0, -1}}; /* rank 1 */
    pendulum.contact = (CaromContact){.mu = 0.2, .e = 0.5};
    check_singular(&pendulum, 0);
    pendulum.v[0] = -3;
    check_singular(&pendulum, 0);
    Impact wedge = {.W = {2, 0.1, 1, 0.1, 3, 0.5, 1, 0.5, 0}, .v = {1, 2, -1}};
    wedge.contact = (CaromContact){.mu = 0.1, .e = 0.5};
    wedge.W[8] = (1 * (3 * 1 - 0.1 * 0.5) + 0.5 * (2 * 0.5 - 0.1 * 1)) / (2 * 3 - 0.1 * 0.1);
    check_singular(&wedge, 1);
}

static void bad_input_is_refused(void **state) {
    (void)state;
    Impact impact = random_impact(SEED, 0);
    Solved solved;
    impact.v[2] = 1;
    differentiate(&impact, &solved);
    assert_int_equal(solved.status, CAROM_NOT_APPROACHING);
    for (int i = 0; i < 3 * INPUTS; i++) {
        assert_true(isnan(solved.by_I[i]) && isnan(solved.by_v[i]));
    }
    assert_int_equal(solved.derivative.kink_count, 0);
    assert_true(solved.derivative.message[0] != '\0');
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outcomes_are_homogeneous),
        cmocka_unit_test(derivatives_turn_with_the_frame),
        cmocka_unit_test(frictionless_ball_returns_minus_e),
        cmocka_unit_test(frictionless_start_from_rest_is_smooth),
        cmocka_unit_test(direct_calls_agree),
        cmocka_unit_test(batches_have_the_bits_of_single_calls),
        cmocka_unit_test(lanes_agree_with_single_calls),
        cmocka_unit_test(slow_slip_from_zero_has_its_direction),
        cmocka_unit_test(slip_that_stops_keeps_its_digits),
        cmocka_unit_test(planar_contacts_agree),
        cmocka_unit_test(kinks_are_where_they_are_said_to_be),
        cmocka_unit_test(singular_contacts_have_derivatives),
        cmocka_unit_test(bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
