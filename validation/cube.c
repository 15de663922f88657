/* Cube tosses: impacts at a corner and at an edge, every model with its own best coefficients from
 * one half, errors on the other; and a fit with errors. */
#include "parts.h"

#include <math.h>
#include <string.h>

#include <carom/fit.h>

#include "cube_track.h"
#include "ours.h"

enum { MODELS_MAX = 12, KINDS = 2 };

static const char *const kinds[KINDS] = {"corner", "edge or face"};

static int kind_of(const Impact *impact) {
    return impact->count > 1;
}

/* The rows of a fit: impacts of at most so many points. */
typedef struct Rows {
    CaromModel model;
    CaromLaw law;
    int count;
    const Impact *impacts[IMPACTS_MAX];
} Rows;

typedef struct RowRoom {
    OursSpace space;
    CaromContact contacts[POINTS_MAX];
    double offset[VELOCITIES], gain[VELOCITIES * 3 * POINTS_MAX], value[VELOCITIES];
} RowRoom;

/* (v, k omega) after as a function of the impulses. */
static void read_row(const void *source, size_t index, CaromFitRow *row) {
    static _Thread_local RowRoom room;
    const Rows *rows = source;
    const Impact *impact = rows->impacts[index];
    int m = 3 * impact->count;
    ours_space(impact, &room.space);
    for (int j = 0; j < m; j++) {
        double unit[3 * POINTS_MAX] = {0};
        CaromBody moved[2] = {room.space.bodies[0], room.space.bodies[1]};
        unit[j] = 1;
        carom_bodies_apply(moved, room.space.sites, impact->count, unit);
        for (int i = 0; i < VELOCITIES; i++) {
            double after = i < 3 ? moved[0].velocity[i] : moved[0].angular_velocity[i - 3];
            room.gain[m * i + j] = (i < 3 ? 1 : impact->gyration) * (after - impact->before[i]);
        }
    }
    for (int i = 0; i < VELOCITIES; i++) {
        room.offset[i] = (i < 3 ? 1 : impact->gyration) * impact->before[i];
        room.value[i] = (i < 3 ? 1 : impact->gyration) * impact->measured[i];
    }
    for (int i = 0; i < impact->count; i++) {
        room.contacts[i] = (CaromContact){
            .mu = 0.1, .e = 0.1, .stiffness = impact->count > 1, .stiffness_ratio = 17.0 / 14};
    }
    row->problem = (CaromProblem){.model = rows->model,
                                  .law = rows->law,
                                  .contact_count = impact->count,
                                  .inverse_inertia = room.space.W,
                                  .velocity = room.space.v,
                                  .contacts = room.contacts};
    row->count = VELOCITIES;
    row->offset = room.offset;
    row->gain = room.gain;
    row->value = room.value;
    row->sigma = row->velocity_sigma = NULL;
}

/* A fit to all impacts of one half with at most so many points. */
static void fit(const char *name, const Set *half, int most, CaromModel model, CaromLaw law,
                int count) {
    static const char *const names[] = {"mu", "e", "stiffness_ratio"};
    static const CaromCoefficient coefficients[] = {CAROM_COEFFICIENT_MU, CAROM_COEFFICIENT_E,
                                                    CAROM_COEFFICIENT_STIFFNESS_RATIO};
    static Rows rows;
    CaromFitParameter list[3];
    static const double starts[] = {0.2, 0.3, 1}; /* as the search has found them, roughly */
    const CaromFitOptions options = {.loss = CAROM_FIT_HUBER, .starts = 1, .no_profile = 1};
    CaromFitResult result;
    rows = (Rows){.model = model, .law = law};
    for (int i = 0; i < half->count; i++) {
        if (half->impacts[i].count <= most) {
            rows.impacts[rows.count++] = &half->impacts[i];
        }
    }
    for (int k = 0; k < count; k++) {
        list[k] = carom_fit_parameter(coefficients[k], CAROM_FIT_ALL_CONTACTS);
        list[k].start = starts[k];
    }
    const CaromFitData data = {(size_t)rows.count, read_row, &rows, 0};
    printf("| %s | %d | ", name, rows.count);
    if (carom_fit(&data, list, count, &options, NULL, &result) < 0) {
        printf("%s |\n", result.message);
        return;
    }
    for (int k = 0; k < count; k++) {
        const CaromFitEstimate *found = &result.parameters[k];
        printf("%s%s %.3f", k ? ", " : "", names[k], found->value);
        if (found->identified) {
            printf(" +- %.3f", found->standard_error);
        } else {
            printf(" (not identified)");
        }
    }
    printf(" |\n");
}

static void report(const Model *model, const Set *test, const Verdict *verdict) {
    printf("| %s | ", model->name);
    judge_print_coefficients(model, verdict->coefficients);
    for (int kind = 0; kind < KINDS; kind++) {
        double errors[IMPACTS_MAX];
        int n = 0;
        for (int i = 0; i < test->count; i++) {
            if (kind_of(&test->impacts[i]) == kind) {
                errors[n++] = verdict->errors[i];
            }
        }
        printf(" | %.1f +- %.1f | %.1f", 100 * judge_mean(errors, n),
               100 * judge_bootstrap(errors, n, judge_mean), 100 * judge_median(errors, n));
    }
    printf(" | %d |\n", verdict->gains);
    fflush(stdout);
}

static void compare_models(const Set *halves) {
    static Verdict verdict;
    Model models[MODELS_MAX];
    int ours = ours_models(models), count = ours;
    count += engine_ode(&models[count]);
    count += engine_bullet(&models[count]);
    int slip = engine_ode_slip(&models[count]);
    slip += engine_bullet_slip(&models[count + slip]);
    count += slip;
    count += engine_mujoco(&models[count]);
    printf("\n| model | best coefficients | %s, mean | median | %s, mean | median | energy created "
           "|\n|---|---|---|---|---|---|---|\n",
           kinds[0], kinds[1]);
    for (int i = 0; i < count; i++) {
        judge(&models[i], halves, &verdict);
        report(&models[i], &halves[1], &verdict);
    }
    if (count - slip < ours + 3) {
        printf("\n%d of 3 engines (ODE, Bullet, MuJoCo) are not installed\n",
               ours + 3 - (count - slip));
    }
}

/* What no law explains, and how many there are. */
static void print_kinds(const Set *set) {
    for (int kind = 0; kind < KINDS; kind++) {
        double left[IMPACTS_MAX];
        int n = 0;
        for (int i = 0; i < set->count; i++) {
            if (kind_of(&set->impacts[i]) == kind) {
                left[n++] = impact_unexplained(&set->impacts[i]);
            }
        }
        printf("%s%d at %s %s (impulses leave %.1f %% of the change, median)", kind ? ", " : "", n,
               kind ? "an" : "a", kinds[kind], 100 * judge_median(left, n));
    }
}

bool part_cube(const char *path) {
    static Set set, halves[2];
    CubeCounts counts = {0};
    FILE *file = fopen(path, "r");
    printf("\n## Cube tosses\n\n");
    if (!file) {
        printf("skipped: %s is not there\n", path);
        return false;
    }
    cube_track_read(file, &set, &counts);
    fclose(file);
    /* every second one of each kind is kept back */
    int seen[KINDS] = {0};
    for (int i = 0; i < set.count; i++) {
        Set *half = &halves[seen[kind_of(&set.impacts[i])]++ % 2];
        half->impacts[half->count++] = set.impacts[i];
    }
    printf("%d tosses, %d impacts between two flights, %d of which impulses at the corners that "
           "touched explain:\n",
           counts.tosses, counts.impacts, counts.kept);
    print_kinds(&set);
    printf(".\n%d to find the coefficients, %d kept back; errors in per cent of the change.\n",
           halves[0].count, halves[1].count);
    compare_models(halves);
    printf("\nBy least squares (Huber's loss) on the first half:\n\n| model | impacts | "
           "coefficients |\n|---|---|---|\n");
    fit("rigid, energetic, corners", &halves[0], 1, CAROM_MODEL_RIGID, CAROM_LAW_ENERGETIC, 2);
    fit("rigid, Newton, corners", &halves[0], 1, CAROM_MODEL_RIGID, CAROM_LAW_NEWTON, 2);
    fit("rigid, Newton, all", &halves[0], POINTS_MAX, CAROM_MODEL_RIGID, CAROM_LAW_NEWTON, 2);
    fit("compliant, corners", &halves[0], 1, CAROM_MODEL_COMPLIANT, CAROM_LAW_ENERGETIC, 3);
    fit("compliant, all", &halves[0], POINTS_MAX, CAROM_MODEL_COMPLIANT, CAROM_LAW_ENERGETIC, 3);
    return true;
}
