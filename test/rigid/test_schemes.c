/* The published schemes: what of Jia and Wang's Table 1 they reproduce, and that they tend to the
 * exact answer as the step shrinks. src/rigid/scheme/scheme.h says how the paper is read. */
#include <carom/carom.h>
#include <string.h>

#include "support/check.h"
#include "support/rigid/impacts.h"

/* An instance of Table 1. Its v- follows from the printed W, I and line of sticking. */
typedef struct {
    double W[9], v[3], mu, e;
    double truth[3]; /* printed */
} Instance;

static const Instance ICOSAHEDRON = {
    {11.5984, -0.910367, 2.442355, -0.910367, 9.90134, 1.957465, 2.442355, 1.957465, 2.59042},
    {-0.26197583, 0.38632923, -0.07685529},
    0.8,
    0.95,
    {-0.00326657, -0.0592263, 0.1007}};
static const Instance PIN = {{1.55465, 0.002386755, -0.360808, 0.002386755, 5.15191, -0.00313296,
                              -0.360808, -0.00313296, 1.105},
                             {-0.20691338, 0.11765509, -1.50690298},
                             0.7,
                             0.7,
                             {0.7330654, -0.0216048, 2.585018}};

typedef struct {
    double impulse[3], velocity[3];
    CaromEvent events[CAROM_RIGID_EVENTS];
    CaromResult result;
} Solved;

/* Tolerances of FS and VS in the paper's units. Its own are not printed. */
typedef struct {
    double straight, zero;
} Tolerances;
static const Tolerances AS_PUBLISHED = {0.06, 0.015}, SMALL = {1e-4, 1e-9};

static void solve_to(const Instance *instance, CaromLaw law, CaromMethod method, double step,
                     Tolerances tolerances, Solved *solved) {
    CaromContact contact = carom_contact_default();
    contact.mu = instance->mu;
    contact.e = instance->e;
    CaromProblem problem = {.model = CAROM_MODEL_RIGID,
                            .law = law,
                            .contact_count = 1,
                            .inverse_inertia = instance->W,
                            .velocity = instance->v,
                            .contacts = &contact};
    CaromOptions options = {.method = method,
                            .scheme = {.absolute = 1,
                                       .step = step,
                                       .h1 = step,
                                       .h2 = step,
                                       .straight = tolerances.straight,
                                       .zero = tolerances.zero}};
    solved->result = (CaromResult){.impulse = solved->impulse,
                                   .velocity = solved->velocity,
                                   .events = solved->events,
                                   .event_capacity = CAROM_RIGID_EVENTS};
    carom_solve(&problem, &options, &solved->result);
}

static void solve(const Instance *instance, CaromLaw law, CaromMethod method, double step,
                  Solved *solved) {
    solve_to(instance, law, method, step, AS_PUBLISHED, solved);
}

static void solve_relative(const Instance *instance, CaromMethod method, Solved *solved) {
    CaromContact contact = {.mu = instance->mu, .e = instance->e};
    CaromProblem problem = {.contact_count = 1,
                            .inverse_inertia = instance->W,
                            .velocity = instance->v,
                            .contacts = &contact};
    CaromOptions options = {.method = method};
    solved->result = (CaromResult){.impulse = solved->impulse, .velocity = solved->velocity};
    carom_solve(&problem, &options, &solved->result);
}

static double distance(const double a[3], const double b[3]) {
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

/* Table 1. Steps and errors of ours are asserted to the digits shown. Printed steps are 107, 69, 29
 * and 2586, 83, 29; printed errors 8.77e-4, 1.08669e-3, 1.11229e-3 and 1.43e-3, 6.0469e-5,
 * 5.70441e-5. */
static void table_1(void **state) {
    (void)state;
    static const struct {
        const Instance *instance;
        CaromMethod method;
        double step;
        int iterations;
        double error;
        const char *sequence;
    } rows[] = {
        {&ICOSAHEDRON, CAROM_METHOD_NI, 0.00095, 107, 1.00308e-3, "cr"},
        {&ICOSAHEDRON, CAROM_METHOD_FS, 0.001, 69, 9.66845e-4, "csr"},
        {&ICOSAHEDRON, CAROM_METHOD_VS, 0.01, 66, 1.081121e-3, "csr"},
        {&PIN, CAROM_METHOD_NI, 0.001, 2586, 1.04746e-3, "cr"},
        {&PIN, CAROM_METHOD_FS, 0.002, 83, 6.850e-5, "lscr"},
        {&PIN, CAROM_METHOD_VS, 0.01, 29, 1.9566e-4, "lscr"},
    };
    Solved solved;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        solve(rows[i].instance, CAROM_LAW_ENERGETIC, rows[i].method, rows[i].step, &solved);
        assert_int_equal(solved.result.status, CAROM_OK);
        assert_int_equal(solved.result.work, rows[i].iterations);
        check_close(distance(solved.impulse, rows[i].instance->truth), rows[i].error, 1e-8);
        assert_string_equal(solved.result.sequence, rows[i].sequence);
        assert_true(isnan(solved.result.error));
    }
}

/* Figs. 4, 7 and 10: the icosahedron with some parameters changed; a change of V1 shifts v by as
 * much. With the tolerances of solve() VS gives every published sequence. The exact sequences
 * have no l inside, and Fig. 7 no s (docs/errata.md). */
static void published_sequences(void **state) {
    (void)state;
    static const struct {
        double mu, shift[3];
        const char *published, *exact;
    } rows[] = {{0.8, {0, 0, 0}, "csr", "csr"},       {0.4, {0, 0, -0.75}, "lscr", "scr"},
                {0.25, {0, 0, -0.75}, "clr", "cr"},   {3, {0, 0, -0.45}, "scr", "scr"},
                {0.35, {0, 0, -0.75}, "lcsr", "csr"}, {0.25, {0, 0, -1.95}, "lcr", "cr"},
                {0.55, {0, 0, -0.05}, "clsr", "csr"}, {0.25, {-0.6, -0.85, -1.45}, "scr", "cr"}};
    Solved a;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Instance instance = ICOSAHEDRON;
        instance.mu = rows[i].mu;
        for (int k = 0; k < 3; k++) {
            instance.v[k] += rows[i].shift[k];
        }
        solve(&instance, CAROM_LAW_ENERGETIC, CAROM_METHOD_VS, 0.01, &a);
        assert_string_equal(a.result.sequence, rows[i].published);
        solve(&instance, CAROM_LAW_ENERGETIC, CAROM_METHOD_EXACT, 0, &a);
        assert_string_equal(a.result.sequence, rows[i].exact);
    }
}

/* The default steps: a thousandth of -v_n/W_nn, and 0.01 of -v_n and of a radian. */
static void default_steps(void **state) {
    (void)state;
    double unit = -PIN.v[2] / PIN.W[8];
    Solved a, b;
    for (CaromMethod method = CAROM_METHOD_NI; method <= CAROM_METHOD_FS; method++) {
        solve(&PIN, CAROM_LAW_ENERGETIC, method, 0, &a);
        solve(&PIN, CAROM_LAW_ENERGETIC, method, unit / 1000, &b);
        assert_int_equal(a.result.work, b.result.work);
        check_close(distance(a.impulse, b.impulse), 0, 1e-15); /* measured 0 */
    }
}

/* Errors of a method with a step and with one 64 times smaller, and the orders they show. */
typedef struct {
    double coarse, fine, order;
    double residual_order; /* of the energy account */
} Convergence;

static Convergence converge(const Instance *instance, CaromLaw law, CaromMethod method,
                            double step) {
    Solved exact, coarse, fine;
    solve(instance, law, CAROM_METHOD_EXACT, 0, &exact);
    solve_to(instance, law, method, step, SMALL, &coarse);
    solve_to(instance, law, method, step / 64, SMALL, &fine);
    Convergence c = {.coarse = distance(coarse.impulse, exact.impulse),
                     .fine = distance(fine.impulse, exact.impulse)};
    c.order = log(c.coarse / c.fine) / log(64);
    c.residual_order =
        log(fabs(coarse.result.energy.residual / fine.result.energy.residual)) / log(64);
    return c;
}

/* Below this the tolerance of event l shows: 1.5e-6 on the icosahedron, 1e-7 on the pin. */
static const double FLOOR = 2e-6;

static void schemes_converge_with_order_one(void **state) {
    (void)state;
    const Instance *instances[2] = {&ICOSAHEDRON, &PIN};
    const double steps[2][4] = {{0, 0.00095, 0.001, 0.01}, {0, 0.001, 0.002, 0.01}};
    for (int i = 0; i < 2; i++) {
        for (CaromMethod method = CAROM_METHOD_NI; method <= CAROM_METHOD_VS; method++) {
            double step = steps[i][method];
            Convergence c = converge(instances[i], CAROM_LAW_ENERGETIC, method, step);
            check_close(c.order, 1, 0.08); /* measured 0.949 to 1.029 */
            if (method == CAROM_METHOD_NI) {
                check_close(c.residual_order, 1, 0.02); /* measured 1.004, 1.008 */
            }
            /* Poisson, Newton: closed forms may end on the answer itself */
            for (CaromLaw law = CAROM_LAW_POISSON; law <= CAROM_LAW_NEWTON; law++) {
                c = converge(instances[i], law, method, step);
                assert_true(c.coarse < 3 * step);            /* measured 1.8 step */
                assert_true(c.fine < c.coarse / 30 + FLOOR); /* measured coarse/39.7 */
            }
        }
    }
}

/* With its default step of 1/1000 NI errs by a few times that fraction of the impulse, whatever the
 * impact; FS by more where it takes a curved slip for straight. VS looks at the curve alone and may
 * step far past the end of the impact (27 times the impulse, measured): only its status is asked
 * for. Static friction, unknown to NI, and restarts of compression, to all three, are left out. */
static void schemes_on_random_impacts(void **state) {
    (void)state;
    static const ImpactClass classes[] = {IMPACT_COMMON,  IMPACT_ISOTROPIC,    IMPACT_CENTRAL,
                                          IMPACT_NO_SLIP, IMPACT_ON_INVARIANT, IMPACT_BALL};
    double worst[4] = {0};
    for (uint64_t i = 0; i < 600; i++) {
        ImpactClass which = classes[i % 6];
        Impact impact = random_impact(11, i * IMPACT_CLASS_COUNT + which);
        CaromProblem problem = {.model = CAROM_MODEL_RIGID,
                                .law = impact.law,
                                .contact_count = 1,
                                .inverse_inertia = impact.W,
                                .velocity = impact.v,
                                .contacts = &impact.contact};
        double exact[3], impulse[3], none[3] = {0, 0, 0};
        CaromResult result = {.impulse = exact};
        assert_true(carom_solve(&problem, NULL, &result) >= 0);
        for (CaromMethod method = CAROM_METHOD_NI; method <= CAROM_METHOD_VS; method++) {
            CaromOptions options = {.method = method};
            result = (CaromResult){.impulse = impulse};
            assert_true(carom_solve(&problem, &options, &result) >= 0);
            size_t length = strlen(result.sequence);
            assert_true(length > 0 && result.sequence[length - 1] == 'r');
            double error = distance(impulse, exact) / distance(exact, none);
            worst[method] = larger(worst[method], error);
            /* closed form from the start */
            if (method != CAROM_METHOD_NI &&
                (which == IMPACT_NO_SLIP || which == IMPACT_ON_INVARIANT)) {
                assert_int_equal(result.work, 0);
                check_close(error, 0, 2e-14); /* measured 1.6e-15 */
            }
        }
    }
    assert_true(worst[CAROM_METHOD_NI] < 1e-2); /* measured 4.6e-3 */
    assert_true(worst[CAROM_METHOD_FS] < 0.1);  /* measured 0.057 */
}

/* With relative options, the default, the answer does not depend on the units of mass, length and
 * time; with absolute ones it does: masses in grams make |gamma x gamma'| small. */
static void units_do_not_matter(void **state) {
    (void)state;
    Instance grams = ICOSAHEDRON;
    for (int i = 0; i < 9; i++) {
        grams.W[i] /= 1024;
    }
    for (CaromMethod method = CAROM_METHOD_NI; method <= CAROM_METHOD_VS; method++) {
        Solved a, b;
        solve_relative(&ICOSAHEDRON, method, &a);
        solve_relative(&grams, method, &b);
        assert_int_equal(a.result.work, b.result.work);
        for (int k = 0; k < 3; k++) {
            assert_true(b.impulse[k] == 1024 * a.impulse[k]);
        }
    }
    Solved exact, fs;
    solve(&grams, CAROM_LAW_ENERGETIC, CAROM_METHOD_EXACT, 0, &exact);
    solve_relative(&grams, CAROM_METHOD_FS, &fs);
    assert_true(distance(fs.impulse, exact.impulse) < 1e-2 * exact.impulse[2]);
}

/* From an invariant direction the letter l comes first; from rest, s. */
static void schemes_start_on_a_closed_form(void **state) {
    (void)state;
    Instance straight = {{2, 0, 0.5, 0, 1, 0, 0.5, 0, 1}, {0.3, 0, -1}, 0.6, 0.5, {0, 0, 0}};
    Solved a, exact;
    solve(&straight, CAROM_LAW_ENERGETIC, CAROM_METHOD_EXACT, 0, &exact);
    solve(&straight, CAROM_LAW_ENERGETIC, CAROM_METHOD_FS, 0, &a);
    assert_string_equal(a.result.sequence, exact.result.sequence);
    assert_string_equal(a.result.sequence, "lscr");
    check_close(distance(a.impulse, exact.impulse), 0, 1e-15);
    check_close(a.result.energy.residual, 0, 1e-15);
    straight.v[0] = 0;
    solve(&straight, CAROM_LAW_ENERGETIC, CAROM_METHOD_VS, 0, &a);
    assert_string_equal(a.result.sequence, "scr");
    assert_int_equal(a.result.events[0].kind, CAROM_EVENT_STICK);
    assert_int_equal(a.result.event_count, 3);
    /* too rough a wedge for friction to hold: NI leaves rest along the centrifugal direction */
    straight.mu = 0.1;
    solve(&straight, CAROM_LAW_ENERGETIC, CAROM_METHOD_EXACT, 0, &exact);
    solve(&straight, CAROM_LAW_ENERGETIC, CAROM_METHOD_NI, 1e-4, &a);
    check_close(distance(a.impulse, exact.impulse), 0, 2e-4); /* measured 1.6e-4 */
    assert_true(a.velocity[0] > 0.1);
}

static void frictionless(void **state) {
    (void)state;
    Instance smooth = ICOSAHEDRON;
    smooth.mu = 0;
    double expected = -smooth.v[2] * (1 + smooth.e) / smooth.W[8]; /* 0.058 printed */
    Solved a;
    for (CaromMethod method = CAROM_METHOD_NI; method <= CAROM_METHOD_FS; method++) {
        solve(&smooth, CAROM_LAW_ENERGETIC, method, 1e-5, &a);
        assert_true(a.impulse[0] == 0 && a.impulse[1] == 0);
        check_close(a.impulse[2], expected, 2e-5); /* measured 1.6e-5 */
    }
}

static void failures_are_reported(void **state) {
    (void)state;
    Solved a;
    solve(&PIN, CAROM_LAW_ENERGETIC, CAROM_METHOD_NI, 1e-9, &a);
    assert_int_equal(a.result.status, CAROM_NOT_CONVERGED);
    assert_true(isnan(a.impulse[0]) && isnan(a.velocity[2]) && isnan(a.result.energy.change));
    assert_int_equal(a.result.event_count, 0);
    assert_string_equal(a.result.sequence, "");
    Instance indefinite = PIN;
    indefinite.W[2] = indefinite.W[6] = 3;
    solve(&indefinite, CAROM_LAW_ENERGETIC, CAROM_METHOD_FS, 0, &a);
    assert_int_equal(a.result.status, CAROM_INVALID_INPUT);
    assert_true(isnan(a.impulse[0]));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_1),
        cmocka_unit_test(published_sequences),
        cmocka_unit_test(default_steps),
        cmocka_unit_test(schemes_converge_with_order_one),
        cmocka_unit_test(schemes_on_random_impacts),
        cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(schemes_start_on_a_closed_form),
        cmocka_unit_test(frictionless),
        cmocka_unit_test(failures_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
