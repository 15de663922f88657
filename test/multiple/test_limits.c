/* Where several contacts turn into something known: infinite stiffness ratios, no friction, no
 * restitution, closed forms. */
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/multiple/random.h"

static MultipleProblem problem, changed;
static MultipleAnswer answer, limit;

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
    multiple_frictionless(&problem, 2, A, v);
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
            multiple_frictionless(&problem, 2, A, v);
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
    multiple_frictionless(&problem, contacts, A, v);
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
     * share the momentum that the wall returns */
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

/* Random rows of balls, one contact infinitely stiffer or softer than the others: the limit of
 * finite ratios. Elastic, because a finite but much stiffer spring oscillates ever faster about the
 * rigid motion, and shakes its neighbours: where v_n passes 0 it does so several times, and an
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

/* Effect of a change of one coefficient, and how it vanishes with it. */
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
