/* Where several contacts turn into something known: stiffnesses infinitely apart, no friction, no
 * restitution, closed forms. And input that is wrong, memory that is given. */
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/multiple_random.h"
#include "support/refusal.h"

static MultipleProblem problem, changed;
static MultipleAnswer answer, limit;

/* Normals only: W from a count x count matrix, the tangents decoupled. */
static void frictionless(int count, const double *A, const double *v) {
    memset(&problem, 0, sizeof problem);
    problem.tag = "frictionless";
    problem.count = count;
    int rows = 3 * count;
    for (int i = 0; i < rows; i++) {
        problem.W[i * (rows + 1)] = 1;
    }
    for (int i = 0; i < count; i++) {
        problem.contacts[i] = carom_contact_default();
        problem.v[3 * i + 2] = v[i];
        for (int j = 0; j < count; j++) {
            problem.W[(3 * i + 2) * rows + 3 * j + 2] = A[i * count + j];
        }
    }
}

static void solve_to(const MultipleProblem *which, MultipleAnswer *out) {
    multiple_library(which, out);
    if (!out->ok) {
        print_error("%s\n", out->message);
        multiple_print(which);
        fail();
    }
}

static double normal_impulse(const MultipleAnswer *of, int i) {
    return of->impulse[3 * i + 2];
}

/* ---- closed forms ---- */

/* A ball into a corner of two walls: each wall by itself. */
static void corner(void **state) {
    (void)state;
    static const double A[] = {1, 0, 0, 1}, v[] = {-1, -0.3}, es[] = {0.7, 0.2};
    frictionless(2, A, v);
    for (int law = 0; law < 2; law++) {
        problem.law = law == 0 ? CAROM_LAW_ENERGETIC : CAROM_LAW_MONO_STIFFNESS;
        for (int i = 0; i < 2; i++) {
            problem.contacts[i].e = es[i];
            problem.contacts[i].stiffness = 1 + 3 * i;
        }
        solve_to(&problem, &answer);
        for (int i = 0; i < 2; i++) {
            check_close(answer.velocity[3 * i + 2], -es[i] * v[i], 1e-15);
        }
    }
}

/* A ball into two that touch each other not: by symmetry one contact of W = W_11 + W_12. */
static void one_into_two(void **state) {
    (void)state;
    static const double A[] = {2, 0.5, 0.5, 2}, es[] = {1, 0.8, 0.1, 0};
    const double v[] = {-sqrt(3) / 2, -sqrt(3) / 2};
    for (int law = 0; law < 2; law++) {
        for (int k = 0; k < 4; k++) {
            frictionless(2, A, v);
            problem.law = law == 0 ? CAROM_LAW_ENERGETIC : CAROM_LAW_MONO_STIFFNESS;
            problem.contacts[0].e = problem.contacts[1].e = es[k];
            solve_to(&problem, &answer);
            double I = (1 + es[k]) * sqrt(3) / 2 / 2.5;
            check_close(normal_impulse(&answer, 0), I, 1e-14); /* 1.1e-15 */
            check_close(normal_impulse(&answer, 1), I, 1e-14);
        }
    }
}

/* ---- stiffnesses far apart ---- */

/* Balls of mass 1 in a row, the first with speed -1; the last touches a wall if walls is 1. */
static void equal_balls(int contacts, int walls) {
    double A[16] = {0}, v[4] = {-1};
    for (int i = 0; i < contacts; i++) {
        A[i * (contacts + 1)] = walls && i == contacts - 1 ? 1 : 2;
        if (i > 0) {
            A[i * contacts + i - 1] = A[(i - 1) * contacts + i] = -1;
        }
    }
    frictionless(contacts, A, v);
}

typedef struct Far {
    const char *name;
    int wall;
    double second; /* stiffness of the second contact, that of the first is 1 */
    double e;
    double I[2];
} Far;

static const Far FAR[] = {
    /* three balls: the second and third as one; one after the other */
    {"cradle, second rigid", 0, INFINITY, 1, {4.0 / 3, 2.0 / 3}},
    {"cradle, second soft", 0, 0, 1, {1, 1}},
    /* the same, but once the second ball is as slow as the first, those two are as one: the speed
     * at which the third parts from them is sqrt(31/256) */
    {"cradle, second soft, e = 1/2", 0, 0, 0.5, {0.7826617575589588, 0.5653235151179176}},
    /* ball, ball, wall: the second ball does not move; the first stops on the second, then both
     * share what the wall gives back */
    {"wall, second rigid", 1, INFINITY, 1, {2, 2}},
    {"wall, second soft", 1, 0, 1, {1.7071067811865475, 2.4142135623730951}},
};

/* At the limit, to rounding, and from finite ratios on the way to it. */
static void stiffnesses_far_apart(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof FAR / sizeof *FAR; k++) {
        const Far *far = &FAR[k];
        double near = 0, off = 0;
        equal_balls(2, far->wall);
        problem.contacts[0].e = problem.contacts[1].e = far->e;
        for (int step = 0; step <= 3; step++) {
            double ratio = step == 0 ? INFINITY : pow(100, step);
            problem.contacts[1].stiffness = far->second > 0 ? ratio
                                            : step == 0     ? CAROM_STIFFNESS_ZERO
                                                            : 1 / ratio;
            solve_to(&problem, &answer);
            off = larger(fabs(normal_impulse(&answer, 0) - far->I[0]),
                         fabs(normal_impulse(&answer, 1) - far->I[1]));
            near = step == 1 ? off : near;
            if (step == 0) {
                check_close(off, 0, 1e-13);
            }
        }
        print_message("%-30s off by %.1e at 1e2, %.1e at 1e6\n", far->name, near, off);
        assert_true(off <= 2e-5 && (off <= near / 10 || off < 1e-12));
    }
}

/* Random rows of balls, one contact infinitely stiffer or softer than the others: what finite
 * ratios tend to. Elastic, because what is finite but much stiffer swings ever faster about what
 * is rigid, and shakes its neighbours: where v_n passes 0 it does so several times, and an
 * inelastic contact then loses more than once, however stiff the other one is. */
static void random_stiffnesses_far_apart(void **state) {
    (void)state;
    double worst = 0;
    int compared = 0;
    for (uint64_t i = 0; i < 60; i++) {
        Random random = random_start(99, i);
        multiple_random_small(99, i * MULTIPLE_CLASS_COUNT + MULTIPLE_ELASTIC, 4, &problem);
        int which = (int)(random_bits(&random) % (uint64_t)problem.count);
        int soft = (int)(random_bits(&random) & 1);
        double finite = problem.contacts[which].stiffness, off[2];
        changed = problem;
        changed.contacts[which].stiffness = soft ? CAROM_STIFFNESS_ZERO : INFINITY;
        solve_to(&changed, &limit);
        for (int k = 0; k < 2; k++) {
            double ratio = k == 0 ? 10 : 1e5;
            problem.contacts[which].stiffness = soft ? finite / ratio : finite * ratio;
            solve_to(&problem, &answer);
            off[k] = multiple_error(&problem, &answer, &limit);
        }
        if (!(off[1] <= 1e-3 && off[1] <= off[0] / 10)) {
            print_error("contact %d %s: off by %.2g at 10, %.2g at 1e5\n", which,
                        soft ? "soft" : "stiff", off[0], off[1]);
            multiple_print(&changed);
            fail();
        }
        worst = larger(worst, off[1]);
        compared++;
    }
    print_message("%d rows: off by at most %.1e at a ratio of 1e5\n", compared, worst);
}

/* ---- e, mu and eta^2 at their ends ---- */

/* What a change of one coefficient does, and how it vanishes with it. */
static void check_tends(const char *name, MultipleClass which, void (*set)(CaromContact *, double),
                        double at_limit, double rate, double bound) {
    double worst = 0, slowest = INFINITY;
    for (uint64_t i = 0; i < 40; i++) {
        double off[2];
        multiple_random_small(4242, i * MULTIPLE_CLASS_COUNT + (uint64_t)which, 4, &problem);
        changed = problem;
        for (int c = 0; c < problem.count; c++) {
            set(&changed.contacts[c], at_limit);
        }
        solve_to(&changed, &limit);
        for (int k = 0; k < 2; k++) {
            for (int c = 0; c < problem.count; c++) {
                set(&problem.contacts[c], k == 0 ? 1e-4 : 1e-7);
            }
            solve_to(&problem, &answer);
            off[k] = multiple_error(&problem, &answer, &limit);
        }
        double found = off[1] > 0 ? log(off[0] / off[1]) / log(1e3) : rate;
        if (!(off[1] <= bound)) {
            print_error("%s: off by %.2g at 1e-4, %.2g at 1e-7\n", name, off[0], off[1]);
            multiple_print(&changed);
            fail();
        }
        worst = larger(worst, off[1]);
        slowest = fmin(slowest, off[0] > 1e-9 ? found : rate);
    }
    print_message("%s: off by at most %.1e at 1e-7, smallest rate %.2f\n", name, worst, slowest);
    assert_true(slowest >= rate - 0.3);
}

static void set_e(CaromContact *contact, double e) {
    contact->e = e;
}

static void set_mu(CaromContact *contact, double mu) {
    contact->mu = mu;
}

/* 1/eta^2, so that soft along the surface is at 0 too; at 0 there is no force along it. */
static void set_give(CaromContact *contact, double give) {
    if (give == 0) {
        contact->mu = 0;
    } else {
        contact->stiffness_ratio = 1 / give;
    }
}

static void no_restitution(void **state) {
    (void)state;
    check_tends("e, rows of balls", MULTIPLE_CHAIN, set_e, 0, 1, 1e-6);
    check_tends("e, bodies", MULTIPLE_BODY, set_e, 0, 1, 1e-6);
}

static void no_friction(void **state) {
    (void)state;
    check_tends("mu, shots", MULTIPLE_SHOT, set_mu, 0, 1, 2e-6);
    check_tends("mu, heel and toe", MULTIPLE_HEEL_AND_TOE, set_mu, 0, 1, 2e-6);
}

static void soft_along_the_surface(void **state) {
    (void)state;
    check_tends("1/eta^2, shots", MULTIPLE_SHOT, set_give, 0, 1, 1e-5);
    check_tends("1/eta^2, heel and toe", MULTIPLE_HEEL_AND_TOE, set_give, 0, 1, 1e-5);
}

/* eta^2 -> 0, stiff along the surface: no limit is known beforehand, but there is one. */
static void stiff_along_the_surface(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 20; i++) {
        double off[2];
        multiple_random_small(4243, i * MULTIPLE_CLASS_COUNT + MULTIPLE_HEEL_AND_TOE, 4, &problem);
        MultipleAnswer *last = &limit;
        for (int k = 0; k < 3; k++) {
            for (int c = 0; c < problem.count; c++) {
                problem.contacts[c].stiffness_ratio = k == 0 ? 1e-2 : k == 1 ? 1e-4 : 1e-6;
            }
            solve_to(&problem, &answer);
            if (k > 0) {
                off[k - 1] = multiple_error(&problem, &answer, last);
            }
            *last = answer;
        }
        if (!(off[1] <= 0.3 * off[0] || off[1] < 1e-3)) {
            print_error("%d: %.2g, then %.2g\n", (int)i, off[0], off[1]);
            multiple_print(&problem);
            fail();
        }
    }
}

/* ---- wrong input ---- */

/* An ordinary problem of two contacts, to spoil. */
static void ordinary(void) {
    static const double W[36] = {3,   0.2,  0.5, 0.3, 0,   0.1,  0.2, 2,   -0.3, 0,   0.4, 0.2,
                                 0.5, -0.3, 1.5, 0.1, 0.2, -0.6, 0.3, 0,   0.1,  2.5, 0.1, 0.3,
                                 0,   0.4,  0.2, 0.1, 3,   0.2,  0.1, 0.2, -0.6, 0.3, 0.2, 1.8};
    static const double v[6] = {0.7, -0.4, -1, 0.1, 0.2, 0};
    memset(&problem, 0, sizeof problem);
    problem.count = 2;
    memcpy(problem.W, W, sizeof W);
    memcpy(problem.v, v, sizeof v);
    for (int i = 0; i < 2; i++) {
        problem.contacts[i] = carom_contact_default();
        problem.contacts[i].mu = 0.4;
        problem.contacts[i].e = 0.6;
    }
}

static void check_refused(const char *what, CaromStatus expected, const char *word) {
    CaromProblem as_problem = multiple_as_problem(&problem);
    check_problem_refused(what, &as_problem, expected, word);
}

static void numbers_are_refused(void **state) {
    (void)state;
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    ordinary();
    solve_to(&problem, &answer);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 36; i++) {
            ordinary();
            problem.W[i] = bad[k];
            check_refused("W", CAROM_INVALID_INPUT, "inverse_inertia");
        }
        for (int i = 0; i < 6; i++) {
            ordinary();
            problem.v[i] = bad[k];
            check_refused("v", CAROM_INVALID_INPUT, "contact_velocity");
        }
        for (int i = 0; i < 2; i++) {
            ordinary();
            problem.contacts[i].mu = bad[k];
            check_refused("mu", CAROM_INVALID_INPUT, "mu");
            ordinary();
            problem.contacts[i].e = bad[k];
            check_refused("e", CAROM_INVALID_INPUT, "e ");
            ordinary();
            problem.contacts[i].stiffness_ratio = bad[k];
            check_refused("eta^2", CAROM_INVALID_INPUT, "stiffness_ratio");
        }
    }
}

static void ranges_are_refused(void **state) {
    (void)state;
    static const double bad_e[] = {-DBL_MIN, -1, 1 + DBL_EPSILON, 2};
    static const double bad_stiffness[] = {-2, NAN, -INFINITY};
    for (int i = 0; i < 4; i++) {
        ordinary();
        problem.contacts[1].e = bad_e[i];
        check_refused("e", CAROM_INVALID_INPUT, "e ");
    }
    for (int i = 0; i < 3; i++) {
        ordinary();
        problem.contacts[1].stiffness = bad_stiffness[i];
        check_refused("stiffness", CAROM_INVALID_INPUT, "stiffness");
    }
    ordinary();
    problem.contacts[1].mu = -1e-300;
    check_refused("mu", CAROM_INVALID_INPUT, "mu");
    ordinary();
    problem.contacts[1].mu_static = 0.5;
    check_refused("mu_static", CAROM_INVALID_INPUT, "mu_static");
    ordinary();
    problem.contacts[1].stiffness_ratio = -DBL_MIN;
    check_refused("eta^2", CAROM_INVALID_INPUT, "stiffness_ratio");
    static const double leaving[] = {0, DBL_TRUE_MIN, 1};
    for (int i = 0; i < 3; i++) {
        ordinary();
        problem.v[2] = leaving[i];
        check_refused("not approaching", CAROM_NOT_APPROACHING, "approach");
    }
}

static void matrices_are_refused(void **state) {
    (void)state;
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < i; j++) {
            ordinary();
            problem.W[6 * i + j] += 1e-8; /* allowed: 1e-9, relative */
            check_refused("asymmetric", CAROM_INVALID_INPUT, "symmetric");
        }
        ordinary();
        problem.W[7 * i] = -1;
        check_refused("diagonal", CAROM_INVALID_INPUT, "positive");
    }
    /* between the contacts */
    ordinary();
    problem.W[2 * 6 + 5] = problem.W[5 * 6 + 2] = 3;
    check_refused("indefinite", CAROM_INVALID_INPUT, "positive");
    ordinary();
    problem.W[6 * 0 + 3] = problem.W[6 * 3 + 0] = -4;
    check_refused("indefinite along the surface", CAROM_INVALID_INPUT, "positive");
}

static void friction_and_no_finite_stiffness(void **state) {
    (void)state;
    ordinary();
    problem.contacts[0].stiffness = INFINITY;
    check_refused("mu and an infinite stiffness", CAROM_INVALID_INPUT, "mu");
    problem.contacts[0].mu = 0;
    problem.contacts[1].mu = 0;
    solve_to(&problem, &answer);
    static const CaromLaw laws[] = {CAROM_LAW_POISSON, CAROM_LAW_NEWTON};
    for (int k = 0; k < 2; k++) {
        ordinary();
        problem.law = laws[k];
        check_refused("law", CAROM_INVALID_INPUT, "restitution");
    }
}

/* ---- memory ---- */

/* Twelve contacts: more than fit on the stack. */
static void workspace_changes_nothing(void **state) {
    (void)state;
    enum { COUNT = 12 };
    double A[COUNT * COUNT] = {0}, v[COUNT] = {-1}, I[2][3 * COUNT], velocity[2][3 * COUNT];
    for (int i = 0; i < COUNT; i++) {
        A[i * (COUNT + 1)] = 2 + 0.1 * i;
        if (i > 0) {
            A[i * COUNT + i - 1] = A[(i - 1) * COUNT + i] = -1 - 0.05 * i;
        }
    }
    frictionless(COUNT, A, v);
    for (int rough = 0; rough < 2; rough++) {
        for (int i = 0; i < COUNT; i++) {
            problem.contacts[i].e = 0.6 + 0.03 * i;
            problem.contacts[i].mu = rough ? 0.1 + 0.02 * i : 0;
        }
        for (int i = 0; i < COUNT && rough; i++) {
            problem.v[3 * i] = 0.3 - 0.05 * i;
        }
        CaromProblem as_problem = multiple_as_problem(&problem);
        CaromOptions options = carom_options_default();
        void *workspace = malloc(carom_workspace_size(COUNT));
        assert_non_null(workspace);
        memset(workspace, 0xff, carom_workspace_size(COUNT));
        for (int k = 0; k < 2; k++) {
            CaromResult result = {.impulse = I[k], .velocity = velocity[k]};
            options.workspace = k == 0 ? NULL : workspace;
            assert_int_equal(carom_solve(&as_problem, &options, &result), CAROM_OK);
        }
        free(workspace);
        assert_memory_equal(I[0], I[1], sizeof I[0]);
        assert_memory_equal(velocity[0], velocity[1], sizeof velocity[0]);
        assert_true(I[0][3 * COUNT - 1] > 0);
    }
    assert_true(carom_workspace_size(0) == 0 && carom_workspace_size(-3) == 0);
    assert_true(carom_workspace_size(12) > carom_workspace_size(8));
}

/* ---- samples and events ---- */

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
    ordinary();
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
        ordinary();
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
        cmocka_unit_test(corner),
        cmocka_unit_test(one_into_two),
        cmocka_unit_test(stiffnesses_far_apart),
        cmocka_unit_test(random_stiffnesses_far_apart),
        cmocka_unit_test(no_restitution),
        cmocka_unit_test(no_friction),
        cmocka_unit_test(soft_along_the_surface),
        cmocka_unit_test(stiff_along_the_surface),
        cmocka_unit_test(numbers_are_refused),
        cmocka_unit_test(ranges_are_refused),
        cmocka_unit_test(matrices_are_refused),
        cmocka_unit_test(friction_and_no_finite_stiffness),
        cmocka_unit_test(workspace_changes_nothing),
        cmocka_unit_test(trace_ends_at_the_result),
        cmocka_unit_test(trace_keeps_the_account),
        cmocka_unit_test(one_contact_is_told_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
