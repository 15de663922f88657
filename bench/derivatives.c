/* Derivatives beside the plain solve: by velocity, full Jacobian, reverse, and central differences
 * of the same inputs. A ratio is the median over the scenes of the ratios of least times: the times
 * themselves lie in two groups, and the median of all is between them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sections.h"
#include "support/compliant/reference.h"
#include "support/impulse/random.h"
#include "support/multiple/random.h"
#include "timing.h"

enum { DERIVATIVE_PASSES = 3 };

static CaromProblem problem_of(const Impact *impact, CaromModel model) {
    return (CaromProblem){model, impact->law, 1, impact->W, impact->v, &impact->contact, 0};
}

static void solve_velocity(const Impact *impact, Answer *answer) {
    double by_I[9], by_v[9];
    CaromResult result = {.impulse = answer->impulse, .velocity = answer->velocity};
    answer->ok = carom_rigid_velocity_derivative(impact->W, impact->v, &impact->contact,
                                                 impact->law, &result, by_I, by_v, NULL) >= 0;
}

static void solve_full(const Impact *impact, CaromModel model, Answer *answer) {
    double by_I[3 * CAROM_INPUTS_ONE], by_v[3 * CAROM_INPUTS_ONE];
    CaromProblem problem = problem_of(impact, model);
    CaromResult result = {.impulse = answer->impulse, .velocity = answer->velocity};
    CaromDerivative derivative = {.impulse = by_I, .velocity = by_v};
    answer->ok = carom_differentiate(&problem, NULL, &result, &derivative) >= 0;
}

static void solve_full_rigid(const Impact *impact, Answer *answer) {
    solve_full(impact, CAROM_MODEL_RIGID, answer);
}

static void solve_full_compliant(const Impact *impact, Answer *answer) {
    solve_full(impact, CAROM_MODEL_COMPLIANT, answer);
}

static void solve_reverse(const Impact *impact, Answer *answer) {
    const double weights[3] = {1, -0.5, 0.3};
    double gradient[CAROM_INPUTS_ONE];
    CaromProblem problem = problem_of(impact, CAROM_MODEL_RIGID);
    CaromResult result = {.impulse = answer->impulse, .velocity = answer->velocity};
    answer->ok =
        carom_differentiate_reverse(&problem, weights, weights, NULL, &result, NULL, gradient) >= 0;
}

/* Central differences by W, v, mu, mu_static and e: 24 solves. */
static void solve_differences(const Impact *impact, Answer *answer) {
    static const int at[6][2] = {{0, 0}, {1, 3}, {2, 6}, {4, 4}, {5, 7}, {8, 8}};
    for (int j = 0; j < 24; j++) {
        Impact moved = *impact;
        double h = j % 2 ? 1e-6 : -1e-6;
        if (j < 12) {
            moved.W[at[j / 2][0]] += h;
            moved.W[at[j / 2][1]] += at[j / 2][0] == at[j / 2][1] ? 0 : h;
        } else if (j < 18) {
            moved.v[j / 2 - 6] += h;
        } else if (j < 20) {
            moved.contact.mu += h;
        } else if (j < 22) {
            moved.contact.mu_static = moved.contact.mu + 1e-6 + h;
        } else {
            moved.contact.e -= fabs(h);
        }
        solve_rigid(&moved, answer);
    }
    solve_rigid(impact, answer);
}

static void solve_compliant_plain(const Impact *impact, Answer *answer) {
    CaromResult result = {.impulse = answer->impulse, .velocity = answer->velocity};
    answer->ok = carom_compliant_solve(impact->W, impact->v, &impact->contact, &result) >= 0;
}

/* The least time of each impact. */
static int least_times(void (*solve)(const Impact *, Answer *), const Impact *impacts, int count,
                       double *least) {
    Contender contender = {"", solve};
    int n = count < TIMING_CAPACITY ? count : TIMING_CAPACITY;
    for (int k = 0; k < DERIVATIVE_PASSES; k++) {
        for (int i = 0; i < n; i++) {
            double ns = time_solve(&contender, &impacts[i], NULL);
            least[i] = k == 0 ? ns : fmin(ns, least[i]);
        }
    }
    return n;
}

/* The median over the impacts of the time over that of the plain solve. */
static double median_ratio(void (*solve)(const Impact *, Answer *), const Impact *impacts,
                           int count, const double *plain) {
    static double ratios[TIMING_CAPACITY];
    int n = least_times(solve, impacts, count, ratios);
    for (int i = 0; i < n; i++) {
        ratios[i] /= plain[i];
    }
    return quantile(ratios, n, 0.5);
}

static void put_ratio(json_t *out, const char *name, double ratio) {
    printf("%-28s %8.2f\n", name, ratio);
    put(out, name, "ratio", ratio);
}

/* Contacts of the longest row, and the rows of W. */
enum { ROW_CONTACTS = 99, ROW_ROWS = 3 * ROW_CONTACTS };

/* Least processor times of the plain solve, the full Jacobian (NULL: not wanted) and a gradient in
 * reverse; ratios to the plain solve. A sample is at least 20 us of plain solves, because reading
 * that clock takes a third of one. 0: there is no derivative. */
static int time_slopes(const CaromProblem *problem, double *work, const CaromDerivative *full,
                       const double *weights, double *gradient, double ratios[2]) {
    double least[3] = {INFINITY, INFINITY, INFINITY}, I[ROW_ROWS];
    CaromResult result = {.impulse = I};
    CaromDerivative derivative = full ? *full : (CaromDerivative){0};
    if (carom_differentiate_reverse(problem, weights, NULL, work, &result, NULL, gradient) < 0 ||
        (full && carom_differentiate(problem, work, &result, &derivative) < 0)) {
        return 0;
    }
    double start = processor_ns();
    carom_solve(problem, NULL, &result);
    int calls = 1 + (int)(20000 / (processor_ns() - start));
    for (int k = 0; k < 9; k++) {
        for (int what = 0; what < 3; what++) {
            start = processor_ns();
            for (int repeat = 0; repeat < calls; repeat++) {
                if (what == 0) {
                    carom_solve(problem, NULL, &result);
                } else if (what == 2) {
                    carom_differentiate_reverse(problem, weights, NULL, work, &result, NULL,
                                                gradient);
                } else if (full) {
                    carom_differentiate(problem, work, &result, &derivative);
                }
            }
            least[what] = fmin(least[what], processor_ns() - start);
        }
    }
    ratios[0] = least[1] / least[0];
    ratios[1] = least[2] / least[0];
    return 1;
}

/* Several rigid contacts at impulse level: full and reverse over the plain solve. */
static void bench_impulse_slope(json_t *out) {
    enum { PROBLEMS = 20, ROWS = 15, INPUTS = ROWS * (ROWS + 1) / 2 + ROWS + 25 };
    static MultipleProblem drawn;
    static double by_I[ROWS * INPUTS], by_v[ROWS * INPUTS], gradient[INPUTS], ratios[2][PROBLEMS];
    const CaromDerivative full = {.impulse = by_I, .velocity = by_v};
    double weights[ROWS];
    double *work = malloc(sizeof(double) * carom_derivative_workspace(5));
    int count = 0;
    for (int i = 0; work && i < PROBLEMS; i++) {
        impulse_random(1, (uint64_t)i, IMPULSE_MATRIX, &drawn);
        CaromProblem problem = multiple_as_problem(&drawn);
        double pair[2];
        problem.model = CAROM_MODEL_RIGID;
        for (int j = 0; j < ROWS; j++) {
            weights[j] = 1;
        }
        if (problem.contact_count <= 5 &&
            time_slopes(&problem, work, &full, weights, gradient, pair)) {
            ratios[0][count] = pair[0];
            ratios[1][count++] = pair[1];
        }
    }
    put_ratio(out, "impulse_full", quantile(ratios[0], count, 0.5));
    put_ratio(out, "impulse_reverse", quantile(ratios[1], count, 0.5));
    free(work);
}

/* Two compliant contacts, all classes that the tests have: full and reverse over the plain solve.
 */
static void bench_multiple_slope(json_t *out) {
    enum { PROBLEMS = 4 * MULTIPLE_CLASS_COUNT, INPUTS = 37 };
    static MultipleProblem drawn;
    static double by_I[6 * INPUTS], by_v[6 * INPUTS], gradient[INPUTS], ratios[2][PROBLEMS];
    const double weights[6] = {1, 1, 1, 1, 1, 1};
    const CaromDerivative full = {.impulse = by_I, .velocity = by_v};
    double *work = malloc(sizeof(double) * carom_derivative_workspace(2));
    int count = 0;
    for (int i = 0; work && i < PROBLEMS; i++) {
        multiple_random_small(1, (uint64_t)i, 4, &drawn);
        CaromProblem problem = multiple_as_problem(&drawn);
        double pair[2];
        if (problem.contact_count == 2 &&
            time_slopes(&problem, work, &full, weights, gradient, pair)) {
            ratios[0][count] = pair[0];
            ratios[1][count++] = pair[1];
        }
    }
    put_ratio(out, "multiple_full", quantile(ratios[0], count, 0.5));
    put_ratio(out, "multiple_reverse", quantile(ratios[1], count, 0.5));
    free(work);
}

/* Two contacts that slip in three dimensions: medians and nine tenths. */
static void bench_slip_slope(json_t *out) {
    enum { PROBLEMS = 12 * MULTIPLE_CLASS_COUNT, INPUTS = 37 };
    static MultipleProblem drawn;
    static double by_I[6 * INPUTS], by_v[6 * INPUTS], gradient[INPUTS], ratios[2][PROBLEMS];
    const double weights[6] = {1, 1, 1, 1, 1, 1};
    double *work = malloc(sizeof(double) * carom_derivative_workspace(2));
    const CaromDerivative full = {.impulse = by_I, .velocity = by_v};
    int count = 0;
    for (int i = 0; work && i < PROBLEMS; i++) {
        if (!multiple_class_is_rough((MultipleClass)(i % MULTIPLE_CLASS_COUNT))) {
            continue;
        }
        multiple_random_small(2, (uint64_t)i, 2, &drawn);
        CaromProblem problem = multiple_as_problem(&drawn);
        double pair[2];
        if (problem.contact_count == 2 && !problem.planar &&
            time_slopes(&problem, work, &full, weights, gradient, pair)) {
            ratios[0][count] = pair[0];
            ratios[1][count++] = pair[1];
        }
    }
    put_ratio(out, "slip3d_full", quantile(ratios[0], count, 0.5));
    put_ratio(out, "slip3d_full_90", quantile(ratios[0], count, 0.9));
    put_ratio(out, "slip3d_reverse", quantile(ratios[1], count, 0.5));
    put_ratio(out, "slip3d_reverse_90", quantile(ratios[1], count, 0.9));
    free(work);
}

/* Rows of equal balls without friction that latch, struck at one end: in reverse. */
static void bench_row_slope(json_t *out) {
    static const struct {
        const char *name;
        int balls;
        double e;
    } rows[] = {{"row_20_e_0.5_reverse", 20, 0.5},
                {"row_40_e_0.5_reverse", 40, 0.5},
                {"row_100_e_0.5_reverse", 100, 0.5},
                {"row_40_e_0.9_reverse", 40, 0.9},
                {"row_40_e_1_reverse", 40, 1}};
    static double W[ROW_ROWS * ROW_ROWS], v[ROW_ROWS], weights[ROW_ROWS],
        gradient[ROW_ROWS * (ROW_ROWS + 1) / 2 + ROW_ROWS + CAROM_COEFFICIENT_COUNT * ROW_CONTACTS];
    static CaromContact contacts[ROW_CONTACTS];
    double *work = malloc(sizeof(double) * carom_derivative_workspace(ROW_CONTACTS));
    for (size_t which = 0; work && which < sizeof rows / sizeof *rows; which++) {
        int n = rows[which].balls - 1, m = 3 * n;
        double pair[2];
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < m; j++) {
                W[i * m + j] = i == j ? 2 : i == j + 3 || j == i + 3 ? -1 : 0;
            }
            v[i] = i == 2 ? -1 : 0;
            weights[i] = i % 3 == 2;
        }
        for (int i = 0; i < n; i++) {
            contacts[i] = carom_contact_default();
            contacts[i].mu = 0;
            contacts[i].e = rows[which].e;
        }
        CaromProblem problem = {CAROM_MODEL_COMPLIANT, CAROM_LAW_ENERGETIC, n, W, v, contacts, 0};
        if (time_slopes(&problem, work, NULL, weights, gradient, pair)) {
            put_ratio(out, rows[which].name, pair[1]);
        }
    }
    free(work);
}

json_t *bench_derivatives(const ReferenceSet *scenes, const char *compliant_path) {
    static CompliantReference compliant;
    static double plain[TIMING_CAPACITY];
    const Impact *rigid = scenes->impacts;
    int count = scenes->count;
    json_t *out = json_object();
    printf("\nderivatives: time over that of the plain solve\n");
    least_times(solve_rigid, rigid, count, plain);
    put_ratio(out, "rigid_velocity", median_ratio(solve_velocity, rigid, count, plain));
    put_ratio(out, "rigid_full", median_ratio(solve_full_rigid, rigid, count, plain));
    put_ratio(out, "rigid_reverse", median_ratio(solve_reverse, rigid, count, plain));
    put_ratio(out, "finite_difference", median_ratio(solve_differences, rigid, count, plain));
    if (compliant_reference_load(compliant_path, &compliant) == 0) {
        const Impact *impacts = compliant.impacts;
        least_times(solve_compliant_plain, impacts, compliant.count, plain);
        put_ratio(out, "compliant_full",
                  median_ratio(solve_full_compliant, impacts, compliant.count, plain));
    }
    bench_impulse_slope(out);
    bench_multiple_slope(out);
    bench_slip_slope(out);
    bench_row_slope(out);
    return out;
}
