/* Table 1 of [JW]: three Euler schemes on two impacts, beside the exact method. The contact
 * velocities are not printed; they follow from the printed W, impulse and line of sticking. Nor are
 * the tolerances of FS and VS; those used here give the printed steps where any do. */
#include "figures/jia_wang_2017/schemes_table.h"

#include <math.h>
#include <time.h>

#include <carom/carom.h>

#include "base/words.h"
#include "figures/jia_wang_2017/hodograph.h"

typedef struct Instance {
    const char *name;
    const double *W;
    double v[3], mu, e;
} Instance;

static const double pin_W[9] = {1.55465,     0.002386755, -0.360808,   0.002386755, 5.15191,
                                -0.00313296, -0.360808,   -0.00313296, 1.105};

static const Instance instances[] = {
    {"Icosahedron and tetrahedron", jw_W, {-0.26197583, 0.38632923, -0.07685529}, 0.8, JW_E},
    {"Bowling pin and ball", pin_W, {-0.20691338, 0.11765509, -1.50690298}, 0.7, 0.7}};

typedef struct Row {
    CaromMethod method;
    const char *name;
    double step;
    const char *steps, *error, *seconds;      /* printed; NULL: not */
    const char *steps_differ, *error_differs; /* why, NULL: they agree */
} Row;

static const char tolerance[] = FIGURE_SETTING
    "The tolerances by which the program decided that slip is straight or has stopped are not "
    "printed, and steps and error of FS and VS depend on them.";
static const char rule[] = FIGURE_SETTING
    "Step rule (36) with the printed h1 = h2 = 0.01 takes 63 to 67 steps for any tolerance of zero "
    "slip up to 0.03; with h1 = h2 = 0.022 it takes 29 to 31.";
static const char end[] = FIGURE_SETTING
    "How the program ends a step of NI at the end of compression and of the impact is not printed, "
    "and its error is of the size of a step.";

static const Row rows[2][5] = {
    {{CAROM_METHOD_EXACT, "exact", 0, NULL, NULL, NULL, NULL, NULL},
     {CAROM_METHOD_FS, "FS, the paper's truth", 1e-6, "68212", NULL, "18.9697", tolerance, NULL},
     {CAROM_METHOD_NI, "NI", 0.00095, "107", "0.000877", "0.0312002", NULL, end},
     {CAROM_METHOD_FS, "FS", 0.001, "69", "0.00108669", "0.000624", NULL, tolerance},
     {CAROM_METHOD_VS, "VS", 0.01, "29", "0.00111229", "0.0004134", rule, tolerance}},
    {{CAROM_METHOD_EXACT, "exact", 0, NULL, NULL, NULL, NULL, NULL},
     {CAROM_METHOD_FS, "FS, the paper's truth", 1e-6, "165073", NULL, "46.9563", tolerance, NULL},
     {CAROM_METHOD_NI, "NI", 0.001, "2586", "0.00143", "0.2652", NULL, end},
     {CAROM_METHOD_FS, "FS", 0.002, "83", "6.0469e-5", "0.000936", NULL, tolerance},
     {CAROM_METHOD_VS, "VS", 0.01, "29", "5.70441e-5", "0.0004006", NULL, tolerance}}};

static double now(void) {
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static CaromStatus solve(const Instance *instance, const Row *row, CaromResult *result) {
    CaromContact contact = carom_contact_default();
    contact.mu = instance->mu;
    contact.e = instance->e;
    CaromProblem problem = {.model = CAROM_MODEL_RIGID,
                            .law = CAROM_LAW_ENERGETIC,
                            .contact_count = 1,
                            .inverse_inertia = instance->W,
                            .velocity = instance->v,
                            .contacts = &contact};
    CaromOptions options = carom_options_default();
    options.method = row->method;
    options.scheme = (CaromSchemeOptions){.absolute = 1,
                                          .step = row->step,
                                          .h1 = row->step,
                                          .h2 = row->step,
                                          .straight = JW_STRAIGHT,
                                          .zero = JW_ZERO};
    return carom_solve(&problem, &options, result);
}

/* Least time of a solve over some rounds of a few milliseconds. */
static double seconds_per_solve(const Instance *instance, const Row *row) {
    double best = INFINITY;
    CaromResult result = {0};
    for (int round = 0; round < 5; round++) {
        int count = 0;
        double start = now();
        do {
            solve(instance, row, &result);
            count++;
        } while (now() - start < 2e-3);
        best = fmin(best, (now() - start) / count);
    }
    return best;
}

static bool add_row(FigureSheet *sheet, const Instance *instance, const Row *row,
                    const double exact[3]) {
    double I[3];
    CaromResult result = {.impulse = I};
    if (solve(instance, row, &result) < 0) {
        return figure_fail(sheet, "%s: %s", row->name, result.message);
    }
    if (row->method != CAROM_METHOD_EXACT) {
        figure_count(sheet, words_of("%s: steps", row->name).text, row->steps, result.work,
                     row->steps_differ, NULL);
        double error = hypot(hypot(I[0] - exact[0], I[1] - exact[1]), I[2] - exact[2]);
        figure_value(sheet, words_of("%s: error", row->name).text, row->error, error,
                     row->error_differs, NULL);
    }
    figure_measured(sheet, words_of("%s: time, s", row->name).text, row->seconds,
                    seconds_per_solve(instance, row), NULL);
    return true;
}

bool jw_table1(FigureSheet *sheet) {
    static const char *const names[3] = {"exact: Ix", "exact: Iy", "exact: Iz"};
    static const char *const printed[2][3] = {{"-0.00326657", "-0.0592263", "0.1007"},
                                              {"0.7330654", "-0.0216048", "2.585018"}};
    for (int k = 0; k < 2; k++) {
        double exact[3];
        CaromResult result = {.impulse = exact};
        figure_group(sheet, instances[k].name);
        if (solve(&instances[k], &rows[k][0], &result) < 0) {
            return figure_fail(sheet, "%s", result.message);
        }
        for (int i = 0; i < 3; i++) {
            figure_value(sheet, names[i], printed[k][i], exact[i], NULL, NULL);
        }
        for (int i = 0; i < 5; i++) {
            if (!add_row(sheet, &instances[k], &rows[k][i], exact)) {
                return false;
            }
        }
    }
    return true;
}
