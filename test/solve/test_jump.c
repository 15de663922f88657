/* Jumps of the outcome: found by bisection, each must be reported on both sides of it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include <carom/carom.h>

#include "support/math/random.h"
#include "support/multiple/random.h"
#include "support/scale.h"

enum { MOST_ROWS = 6 };

/* A problem with one parameter. */
typedef struct Family {
    CaromProblem problem;
    double W[MOST_ROWS * MOST_ROWS], v[MOST_ROWS];
    CaromContact contacts[2];
    double *parameter; /* into the above */
    int size;
} Family;

static CaromResult solve_at(Family *family, double parameter, double *impulse) {
    CaromResult result = {.impulse = impulse};
    CaromOptions options = carom_options_default();
    options.jumps = 1;
    *family->parameter = parameter;
    family->problem.inverse_inertia = family->W;
    family->problem.velocity = family->v;
    family->problem.contacts = family->contacts;
    assert_int_equal(carom_solve(&family->problem, &options, &result), CAROM_OK);
    return result;
}

/* |a - b| / |a| */
static double change(const Family *family, const double *a, const double *b) {
    double off = 0, all = 0;
    for (int i = 0; i < family->size; i++) {
        off += (a[i] - b[i]) * (a[i] - b[i]);
        all += a[i] * a[i];
    }
    return sqrt(off / all);
}

/* The largest jump between two parameters, from which the outcome at low is told by its distance
 * from the one at high. */
static double find_jump_between(Family *family, double low, double high) {
    double a[MOST_ROWS], b[MOST_ROWS], middle[MOST_ROWS];
    solve_at(family, low, a);
    solve_at(family, high, b);
    for (int i = 0; i < 46; i++) {
        double at = (low + high) / 2;
        solve_at(family, at, middle);
        if (change(family, a, middle) > change(family, b, middle)) {
            high = at;
            memcpy(b, middle, sizeof b);
        } else {
            low = at;
            memcpy(a, middle, sizeof a);
        }
    }
    return (low + high) / 2;
}

/* Both sides of the jump at this parameter report it, by about how far away they are. */
static void check_jump_at(Family *family, double at, double least, double times) {
    double a[MOST_ROWS], b[MOST_ROWS];
    for (double off = 1e-9; off < 2e-3; off *= 100) {
        for (int side = -1; side <= 1; side += 2) {
            CaromResult result = solve_at(family, at * (1 + side * off), a);
            assert_true(result.jump.distance <= times * off && result.jump.reason[0]);
            assert_true(result.jump.distance >= off / times);
        }
    }
    solve_at(family, at * (1 + 1e-9), a);
    solve_at(family, at * (1 - 1e-9), b);
    assert_true(change(family, a, b) > least);
}

/* Ping-pong balls on a block: docs/simultaneous.md. */
static void a_restart_of_compression(void **state) {
    (void)state;
    Family family = {.problem = {.model = CAROM_MODEL_COMPLIANT, .contact_count = 2}, .size = 6};
    family.W[14] = 2;
    family.W[17] = family.W[32] = -1;
    family.W[35] = 1;
    family.v[2] = -1;
    family.contacts[0] = family.contacts[1] = carom_contact_default();
    family.contacts[0].e = 0.950043;
    family.contacts[1].e = 0.846529;
    family.parameter = &family.contacts[1].stiffness;
    double at = find_jump_between(&family, 2.2, 2.3);
    print_message("ping-pong balls: jump at %.6f\n", at);
    assert_true(fabs(at - 2.260746) < 1e-6);
    check_jump_at(&family, at, 1e-3, 5);
}

/* A slip that stops: it sticks as long as mu_static is large enough. */
static void a_static_coefficient(void **state) {
    (void)state;
    Family family = {.problem = {.model = CAROM_MODEL_RIGID, .contact_count = 1, .planar = 1},
                     .W = {3, 1.2, 1.2, 1},
                     .v = {-0.3, -1},
                     .size = 2};
    family.contacts[0] = (CaromContact){.mu = 0.2, .mu_static = 0.3, .e = 0.5};
    family.parameter = &family.contacts[0].mu_static;
    double at = find_jump_between(&family, 0.25, 0.8);
    print_message("static coefficient: jump at %.6f\n", at);
    assert_true(fabs(at - 0.4) < 1e-6); /* d/B */
    check_jump_at(&family, at, 1e-3, 5);
}

/* A contact that may jam: from some mu on there are two more solutions, one of which has less
 * energy.
 */
static void another_solution(void **state) {
    (void)state;
    Family family = {.problem = {.model = CAROM_MODEL_RIGID,
                                 .law = CAROM_LAW_NEWTON,
                                 .contact_count = 2,
                                 .planar = 1},
                     .W = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 2, 0, 0, 2, 5},
                     .v = {0, -1, 2, 1},
                     .contacts = {{.mu = 0.5}, {.mu = 3}},
                     .size = 4};
    double impulse[MOST_ROWS];
    family.parameter = &family.contacts[1].mu;
    double at = find_jump_between(&family, 2, 3);
    print_message("impulse-level law: jump at %.6f\n", at);
    assert_true(fabs(at - 8.0 / 3) < 1e-6); /* I = (-8, 3) if it sticks */
    for (double off = 1e-6; off < 2e-2; off *= 10) {
        CaromResult result = solve_at(&family, at * (1 + off), impulse);
        assert_true(result.jump.distance <= 30 * off && result.jump.distance >= off); /* 19 off */
    }
}

/* Most random problems that jump say so: the outcome changes 60 times as much as the input. */
static void random_problems(void **state) {
    static const MultipleClass classes[] = {MULTIPLE_CHAIN, MULTIPLE_RATIO, MULTIPLE_STACK,
                                            MULTIPLE_SEMIDEFINITE, MULTIPLE_SHOT};
    const double size = 1e-4;
    int jumps = 0, reported = 0, count = scaled(2000) * 5;
    (void)state;
#pragma omp parallel for schedule(dynamic) reduction(+ : jumps, reported)
    for (int i = 0; i < count; i++) {
        MultipleProblem problem;
        double a[MULTIPLE_ROWS], b[MULTIPLE_ROWS];
        CaromResult here = {.impulse = a}, there = {.impulse = b};
        multiple_random_small(3, (uint64_t)(i / 5 * MULTIPLE_CLASS_COUNT + (int)classes[i % 5]), 4,
                              &problem);
        CaromProblem given = multiple_as_problem(&problem);
        if (carom_solve(&given, NULL, &here) < 0) {
            continue;
        }
        Random random = random_start(77, (uint64_t)i);
        for (int k = 0; k < problem.count; k++) {
            problem.contacts[k].stiffness *= 1 + size * (2 * random_uniform(&random) - 1);
        }
        for (int k = 0; k < multiple_rows(&problem); k++) {
            problem.v[k] *= 1 + size * (2 * random_uniform(&random) - 1);
        }
        double off = 0, all = 0;
        int solved = carom_solve(&given, NULL, &there) >= 0;
        for (int k = 0; k < multiple_rows(&problem) && solved; k++) {
            off += (a[k] - b[k]) * (a[k] - b[k]);
            all += a[k] * a[k];
        }
        if (off > 60 * size * 60 * size * all) {
            jumps++;
            reported += fmin(here.jump.distance, there.jump.distance) < 10 * size;
        }
    }
    print_message("%d of %d problems jump within %g, %d of these are reported\n", jumps, count,
                  size, reported);
    assert_true(reported >= 0.8 * jumps - 1);
}

/* A column of beads against a wall. The load reaches the two that are farthest from it late: if
 * they approach before, however slowly, they have an impact of their own, which changes their
 * spring. speeds: those before, replaced; returns the largest change. */
static double bead_column(int count, double approach, double *speeds, CaromResult *result) {
    enum { MOST = 10, M = 3 * MOST };
    double W[M * M] = {0}, v[M] = {0}, impulse[M], velocity[M], moved = 0;
    CaromContact contacts[MOST];
    int m = 3 * count;
    for (int i = 0; i < count; i++) {
        contacts[i] = carom_contact_default();
        contacts[i].e = 0.95;
        for (int axis = 0; axis < 3; axis++) {
            W[(3 * i + axis) * (m + 1)] = i == count - 1 ? 1 : 2;
        }
        if (i > 0) {
            W[(3 * i + 2) * m + 3 * i - 1] = W[(3 * i - 1) * m + 3 * i + 2] = -1;
        }
    }
    v[m - 1] = -1;
    v[2] = -approach;
    *result = (CaromResult){.impulse = impulse, .velocity = velocity};
    CaromProblem problem = {CAROM_MODEL_COMPLIANT, CAROM_LAW_ENERGETIC, count, W, v, contacts, 0};
    assert_int_equal(carom_solve(&problem, NULL, result), CAROM_OK);
    for (int i = 0; i < m; i++) {
        moved = fmax(moved, fabs(velocity[i] - speeds[i]));
        speeds[i] = velocity[i];
    }
    return moved;
}

static void a_load_that_comes_late(void **state) {
    (void)state;
    double speeds[30] = {0};
    CaromResult result;
    bead_column(10, 0, speeds, &result);
    double distance = result.jump.distance;
    double moved = bead_column(10, 1e-8, speeds, &result);
    print_message("ten beads: distance %.1e, an approach of 1e-8 moves them by %.1e\n", distance,
                  moved);
    assert_true(distance < 1e-8);
    assert_true(moved > 1e-3); /* 4e-2 */
    memset(speeds, 0, sizeof speeds);
    bead_column(2, 0, speeds, &result);
    distance = result.jump.distance;
    moved = bead_column(2, 1e-8, speeds, &result);
    print_message("two beads: distance %.1e, moved by %.1e\n", distance, moved);
    assert_true(distance > 1e-3);
    assert_true(moved < 1e-6); /* 5e-9 */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_restart_of_compression), cmocka_unit_test(a_static_coefficient),
        cmocka_unit_test(another_solution), cmocka_unit_test(a_load_that_comes_late),
        cmocka_unit_test(random_problems)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
