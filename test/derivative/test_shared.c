/* Derivatives of compliant contacts with friction that are held together and share their load in
 * many ways, or bounce as one, along changes of bodies: masses, moments of inertia, speeds, and
 * places of the contacts in their planes, which leave them redundant. Against differences of the
 * library in long double (support/wide/wide.h). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/derivative/difference.h"
#include "support/derivative/errors.h"
#include "support/impulse/random.h"
#include "support/scale.h"
#include "support/wide/wide.h"

static const uint64_t SEED = 19700;

static const double MEDIAN_BOUND = 1e-9; /* 1.4e-12; with e > 0 1.9e-10 */
static const double WORST_BOUND = 1e-6;  /* 1.0e-7 */
static const double DOUBT = 1e-9;        /* of a difference that counts */

enum { BODIES = 2, MOST = 8 };

/* One or two bodies on points of planes, one above the other: all numbers of a problem. */
typedef struct Pile {
    int bodies, points; /* points under each body */
    double mass[BODIES], inertia[BODIES][3], height[BODIES], u[6 * BODIES];
    double place[MOST][2];
    CaromContact contacts[MOST];
} Pile;

static void draw_pile(uint64_t index, double e, Pile *pile) {
    Random random = random_start(SEED, index);
    memset(pile, 0, sizeof *pile);
    pile->bodies = 1 + (int)(index % 2);
    int box = index % 3 > 0;
    pile->points = box || pile->bodies > 1 ? 4 : 3 + (int)(index % 4);
    double half[2] = {random_between(&random, 0.1, 1), random_between(&random, 0.1, 1)};
    for (int b = 0; b < pile->bodies; b++) {
        pile->mass[b] = random_log(&random, 0.2, 5);
        pile->height[b] = random_between(&random, 0.05, 0.6);
        for (int c = 0; c < 3; c++) {
            double x = c == 0 ? half[1] : half[0], y = c == 2 ? half[1] : pile->height[b];
            pile->inertia[b][c] =
                box ? pile->mass[b] * (x * x + y * y) / 3 : random_log(&random, 0.05, 1);
        }
    }
    for (int a = 0; a < 6 * pile->bodies; a++) {
        pile->u[a] = random_between(&random, -1, 1);
    }
    pile->u[6 * (pile->bodies - 1) + 2] -= 1;
    for (int i = 0; i < pile->bodies * pile->points; i++) {
        for (int c = 0; c < 2; c++) {
            pile->place[i][c] =
                box ? half[c] * ((i >> c) % 2 ? 1 : -1) : random_between(&random, -1, 1);
        }
        pile->contacts[i] = (CaromContact){.mu = random_between(&random, 0, 1.5),
                                           .e = e * random_between(&random, 0.5, 1.5),
                                           .stiffness = random_log(&random, 0.5, 2),
                                           .stiffness_ratio = random_log(&random, 0.5, 2)};
    }
}

static void assemble_pile(const Pile *pile, MultipleProblem *problem) {
    static const double UP[3] = {0, 0, 1};
    ImpulseMechanism mechanism = {.twists = 6 * pile->bodies};
    memset(problem, 0, sizeof *problem);
    problem->law = CAROM_LAW_ENERGETIC;
    problem->tag = pile->bodies > 1 ? "pile of two" : "body";
    for (int b = 0; b < pile->bodies; b++) {
        for (int c = 0; c < 3; c++) {
            mechanism.A[6 * b + c][6 * b + c] = 1 / pile->mass[b];
            mechanism.A[6 * b + 3 + c][6 * b + 3 + c] = 1 / pile->inertia[b][c];
        }
        for (int k = 0; k < pile->points; k++) {
            const double *at = pile->place[b * pile->points + k];
            double r1[3] = {at[0], at[1], -pile->height[b]};
            double r2[3] = {at[0], at[1], b > 0 ? pile->height[b - 1] : 0};
            impulse_contact(&mechanism, problem, b, r1, b - 1, r2, UP);
        }
    }
    memcpy(mechanism.u, pile->u, sizeof pile->u);
    impulse_assemble(&mechanism, problem);
    memcpy(problem->contacts, pile->contacts, sizeof pile->contacts);
}

/* Every number moves in proportion. */
static void draw_direction(uint64_t index, const Pile *pile, Pile *direction) {
    Random random = random_start(SEED + 1, index);
    memset(direction, 0, sizeof *direction);
    double *const to[] = {direction->mass, direction->inertia[0], direction->height, direction->u,
                          direction->place[0]};
    const double *const from[] = {pile->mass, pile->inertia[0], pile->height, pile->u,
                                  pile->place[0]};
    const int counts[] = {BODIES, 3 * BODIES, BODIES, 6 * BODIES, 2 * MOST};
    for (int k = 0; k < 5; k++) {
        for (int i = 0; i < counts[k]; i++) {
            to[k][i] = from[k][i] * random_between(&random, -1, 1);
        }
    }
    for (int i = 0; i < MOST; i++) {
        const CaromContact *own = &pile->contacts[i];
        direction->contacts[i] = (CaromContact){
            .mu = own->mu * random_between(&random, -1, 1),
            .stiffness = own->stiffness * random_between(&random, -1, 1),
            .stiffness_ratio = own->stiffness_ratio * random_between(&random, -1, 1)};
    }
}

static void move_pile(const Pile *pile, const Pile *direction, double h, Pile *to) {
    *to = *pile;
    double *const out[] = {to->mass, to->inertia[0], to->height, to->u, to->place[0]};
    const double *const by[] = {direction->mass, direction->inertia[0], direction->height,
                                direction->u, direction->place[0]};
    const int counts[] = {BODIES, 3 * BODIES, BODIES, 6 * BODIES, 2 * MOST};
    for (int k = 0; k < 5; k++) {
        for (int i = 0; i < counts[k]; i++) {
            out[k][i] += h * by[k][i];
        }
    }
    for (int i = 0; i < MOST; i++) {
        to->contacts[i].mu += h * direction->contacts[i].mu;
        to->contacts[i].e += h * direction->contacts[i].e;
        to->contacts[i].stiffness += h * direction->contacts[i].stiffness;
        to->contacts[i].stiffness_ratio += h * direction->contacts[i].stiffness_ratio;
    }
}

typedef struct Way {
    Pile pile, direction;
} Way;

static int wide_outcome(const void *context, int input, long double shift,
                        long double outcome[DIFFERENCE_ROWS],
                        char signature[DIFFERENCE_SIGNATURE]) {
    static MultipleProblem problem;
    static MultipleAnswer answer;
    const Way *way = context;
    Pile moved;
    WideContact contacts[WIDE_CONTACTS];
    (void)input;
    move_pile(&way->pile, &way->direction, (double)shift, &moved);
    assemble_pile(&moved, &problem);
    multiple_library(&problem, &answer);
    uint64_t hash = 0;
    for (int i = 0; i < problem.count; i++) {
        for (int e = 0; e < answer.event_count && e < MULTIPLE_EVENTS; e++) {
            hash = answer.events[e].contact == i
                       ? hash * 1099511628211u + (uint64_t)answer.events[e].kind + 1
                       : hash;
        }
        hash = hash * 1099511628211u + 77;
    }
    snprintf(signature, DIFFERENCE_SIGNATURE, "%llx", (unsigned long long)hash);
    for (int i = 0; i < problem.count; i++) {
        const CaromContact *from = &problem.contacts[i];
        contacts[i] = (WideContact){from->mu, from->mu_static, from->e, from->stiffness,
                                    from->stiffness_ratio};
    }
    WideProblem wide = {
        CAROM_MODEL_COMPLIANT, (int)problem.law, problem.count, 0, problem.W, problem.v, contacts};
    return answer.ok && wide_solve(&wide, outcome) >= 0;
}

/* The rates of all inputs along the direction: a polynomial but for 1/mass; of eighth order. */
static void find_rates(const Way *way, const CaromInputs *inputs, double *rates) {
    static const double weights[] = {672.0 / 840, -168.0 / 840, 32.0 / 840, -3.0 / 840};
    static MultipleProblem problem;
    const double h = 4e-3;
    int m = inputs->rows;
    memset(rates, 0, (size_t)inputs->count * sizeof *rates);
    for (int k = -4; k <= 4; k++) {
        double weight = k == 0 ? 0 : k < 0 ? -weights[-k - 1] / h : weights[k - 1] / h;
        Pile moved;
        move_pile(&way->pile, &way->direction, k * h, &moved);
        assemble_pile(&moved, &problem);
        for (int i = 0; i < m; i++) {
            rates[inputs->v + i] += weight * problem.v[i];
            for (int j = i; j < m; j++) {
                rates[carom_input_W(inputs, i, j)] += weight * problem.W[i * m + j];
            }
        }
    }
    for (int i = 0; i < problem.count; i++) {
        const CaromContact *by = &way->direction.contacts[i];
        rates[carom_input_coefficient(inputs, i, CAROM_COEFFICIENT_MU)] = by->mu;
        rates[carom_input_coefficient(inputs, i, CAROM_COEFFICIENT_E)] = by->e;
        rates[carom_input_coefficient(inputs, i, CAROM_COEFFICIENT_STIFFNESS)] = by->stiffness;
        rates[carom_input_coefficient(inputs, i, CAROM_COEFFICIENT_STIFFNESS_RATIO)] =
            by->stiffness_ratio;
    }
}

typedef struct Tally {
    Errors errors;
    int count, refused, doubtful;
} Tally;

static void check_pile(uint64_t index, double e, Tally *tally) {
    static MultipleProblem problem;
    static Way way;
    draw_pile(index, e, &way.pile);
    draw_direction(index, &way.pile, &way.direction);
    assemble_pile(&way.pile, &problem);
    CaromInputs inputs = carom_inputs(problem.count, 0);
    int m = inputs.rows;
    double *work = malloc(carom_derivative_workspace(problem.count) * sizeof(double));
    double *by_I = malloc((size_t)(m + 1) * (size_t)inputs.count * sizeof(double));
    double *rates = by_I + m * inputs.count, I[3 * MOST], v[3 * MOST];
    double column[DIFFERENCE_ROWS] = {0}, truth[DIFFERENCE_ROWS], size = 0;
    CaromProblem given = multiple_as_problem(&problem);
    CaromResult result = {.impulse = I, .velocity = v};
    CaromDerivative derivative = {.impulse = by_I};
    tally->count++;
    if (carom_differentiate(&given, work, &result, &derivative) < 0) {
        tally->refused++;
        free(by_I);
        free(work);
        return;
    }
    find_rates(&way, &inputs, rates);
    Difference difference = {.solve = wide_outcome, .problem = &way, .rows = m};
    for (int i = 0; i < m; i++) {
        size = fmax(size, fabs(I[i]));
        for (int j = 0; j < inputs.count; j++) {
            column[i] += rates[j] != 0 ? by_I[i * inputs.count + j] * rates[j] : 0;
        }
    }
    for (int i = 0; i < m; i++) {
        difference.units[i] = size;
    }
    if (difference_column(&difference, 0, 1, truth) > DOUBT) {
        tally->doubtful++;
    } else {
        double error = difference_error(&difference, 1, column, truth);
        errors_add(&tally->errors, error);
        if (!(error < WORST_BOUND)) {
            print_error("%s %d: error %.2e\n", problem.tag, (int)index, error);
        }
    }
    free(by_I);
    free(work);
}

static void check_piles(int count, double e, double part_of_all) {
    Tally tally = {0};
    for (int i = 0; i < count; i++) {
        check_pile((uint64_t)i, e, &tally);
    }
    double median = errors_quantile(&tally.errors, 0.5), worst = errors_quantile(&tally.errors, 1);
    print_message("%d of %d: median %.1e, 99%% %.1e, worst %.1e; %d refused, %d without a certain "
                  "difference\n",
                  tally.errors.count, count, median, errors_quantile(&tally.errors, 0.99), worst,
                  tally.refused, tally.doubtful);
    /* of few problems none may be left */
    assert_true(count < 20 || tally.errors.count >= part_of_all * count);
    assert_true(tally.errors.count == 0 || median < MEDIAN_BOUND);
    assert_true(tally.errors.count == 0 || worst < WORST_BOUND);
    errors_free(&tally.errors);
}

/* e = 0: held from the first touch on; friction falls along paths. */
static void loads_are_shared(void **state) {
    (void)state;
    check_piles(scaled(60), 0, 0.8); /* 53 */
}

/* Each contact has its own e. */
static void bounces_are_shared(void **state) {
    (void)state;
    check_piles(scaled(30), 0.3, 0.6); /* 22 */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_are_shared),
        cmocka_unit_test(bounces_are_shared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
