/* Several contacts: time and error of the exact method and of its competitors for a ball that falls
 * on a ball on a table, for rows of balls against a wall and for the reference shots; and the
 * growth of the time with the number of balls.
 *
 * All frictionless scenes are rows of touching balls of mass 1 (except the last) and a wall, with
 * equal springs; the first ball arrives with speed 1. Errors are those of the impulses, relative to
 * the largest. The reference impulses come from the same equations in 33-digit arithmetic, with
 * series steps so short that halving them changes no digit shown. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cvode_multiple.h"
#include "sections.h"
#ifdef CAROM_BENCH_SICONOS
#include "siconos.h"
#endif
#include "support/multiple/oracle.h"
#include "support/multiple/reference.h"
#include "timing.h"

enum { MOST_BALLS = 200, ROWS = 3 * MOST_BALLS, MOST_NAMED = 10 };

/* The current scene and the last answer. The timer passes impacts of one contact to its contenders;
 * here they use this instead. */
static struct {
    CaromProblem problem;
    CaromContact contacts[MOST_BALLS];
    double W[ROWS * ROWS], v[ROWS];
    double impulse[ROWS], velocity[ROWS];
    int work, events;
    void *workspace;
    CvodeMultiple *cvode;
#ifdef CAROM_BENCH_SICONOS
    SiconosChain *siconos;
#endif
} scene;

static void solve_exact(const Impact *unused, Answer *answer) {
    CaromOptions options = carom_options_default();
    CaromResult result = {.impulse = scene.impulse, .velocity = scene.velocity};
    (void)unused;
    options.workspace = scene.workspace;
    answer->ok = carom_solve(&scene.problem, &options, &result) >= 0;
    scene.work = result.work;
    scene.events = result.event_count;
}

static void solve_cvode(const Impact *unused, Answer *answer) {
    (void)unused;
    answer->ok = cvode_multiple_solve(scene.cvode, &scene.problem, scene.impulse) == 0;
}

static const Contender EXACT = {"exact", solve_exact}, CVODE = {"cvode", solve_cvode};

/* Microseconds of one solve; NaN if there is no answer. */
typedef struct Time {
    double minimum, median;
} Time;

static const Time NOT_TIMED = {NAN, NAN};

/* Combine with the times of earlier passes. The impulses stay in the scene; without an answer they
 * are NaN and 0 is returned. */
static int time_scene(const Contender *contender, Time *time) {
    Answer answer = {0};
    contender->solve(NULL, &answer);
    if (answer.ok) {
        double median, minimum = time_solve(contender, NULL, &median);
        time->minimum = fmin(time->minimum, minimum / 1000); /* fmin() ignores NaN */
        time->median = fmin(time->median, median / 1000);
    }
    for (int i = 0; i < ROWS && !answer.ok; i++) {
        scene.impulse[i] = NAN;
    }
    return answer.ok;
}

/* CVODE, created for the scene and destroyed afterwards. */
static void time_cvode(Time *time) {
    scene.cvode = cvode_multiple_create(scene.problem.contact_count, 1e-10);
    if (scene.cvode != NULL) {
        time_scene(&CVODE, time);
    }
    cvode_multiple_destroy(scene.cvode);
}

/* ---- rows of balls ---- */

static void set_row(int balls, double last_mass, double e, double e_wall) {
    int size = 3 * balls;
    memset(scene.W, 0, sizeof scene.W);
    memset(scene.v, 0, sizeof scene.v);
    for (int i = 0; i < balls; i++) {
        double *at = &scene.W[3 * i * (size + 1)];
        double inverse = i == balls - 1 ? 1 / last_mass : 1;
        double next = i == balls - 1 ? 0 : i == balls - 2 ? 1 / last_mass : 1;
        at[0] = at[size + 1] = 1;
        at[2 * (size + 1)] = inverse + next;
        if (i < balls - 1) {
            at[2 * (size + 1) + 3] = at[2 * (size + 1) + 3 * size] = -next;
        }
        scene.contacts[i] = carom_contact_default();
        scene.contacts[i].e = i == balls - 1 ? e_wall : e;
    }
    scene.v[2] = -1;
    scene.problem = (CaromProblem){.model = CAROM_MODEL_COMPLIANT,
                                   .contact_count = balls,
                                   .inverse_inertia = scene.W,
                                   .velocity = scene.v,
                                   .contacts = scene.contacts};
}

/* Error of the first impulse and of the last ones, as far as they are known. */
static double row_error(const double *truth, int known) {
    int n = scene.problem.contact_count;
    double largest = 0, error = 0;
    for (int i = 0; i < known; i++) {
        int contact = i == 0 ? 0 : n - known + i;
        largest = fmax(largest, fabs(truth[i]));
        error = larger(error, fabs(scene.impulse[3 * contact + 2] - truth[i]));
    }
    return error / largest;
}

typedef struct Row {
    const char *name; /* of its keys */
    int balls;
    double last_mass, e, e_wall;
    double truth[MOST_NAMED];
} Row;

/* 2/sqrt(3) */
#define LOWER_BALL 1.1547005383792515

static const Row ROWS_NAMED[] = {
    {"ball_ball_table", 2, LOWER_BALL, 1, 1, {1.945114611914528328, 2.296218510660489511}},
    {"ball_ball_table_plastic",
     2,
     LOWER_BALL,
     .9,
     .7,
     {1.613949419250414104, 1.856112662303696429}},
    {"chain10",
     10,
     1,
     1,
     1,
     {1.804331405096587160, 2.335500885864195738, 2.546519968523530557, 2.669612502635782529,
      2.743646588399598465, 2.795104627522120231, 2.834990574747907124, 2.867057326657498428,
      2.887181276081548067, 2.895901019545981570}},
    {"chain10_plastic",
     10,
     1,
     .9,
     .9,
     {1.472836257148573136, 1.735128058202021150, 1.840294291898697090, 1.903012545965717771,
      1.940384402964675335, 1.966618808797454906, 1.986845076342291294, 2.003487352197388995,
      2.017523224650580711, 2.021976019170215409}},
};
enum { ROW_COUNT = sizeof ROWS_NAMED / sizeof *ROWS_NAMED };

/* Results of a row. */
typedef struct RowRun {
    Time exact, cvode;
    double error, cvode_error;
    int work, events;
} RowRun;

static const RowRun NOT_RUN = {.exact = {NAN, NAN}, .cvode = {NAN, NAN}};

/* Combine with the results of earlier passes. */
static void run_row(const double *truth, int known, RowRun *run) {
    time_scene(&EXACT, &run->exact);
    run->error = row_error(truth, known);
    run->work = scene.work;
    run->events = scene.events;
    time_cvode(&run->cvode);
    run->cvode_error = row_error(truth, known);
}

static void report_row(const Row *row, const RowRun *run, json_t *out) {
    const Time *exact = &run->exact;
    double ratio = run->cvode.minimum / exact->minimum;
    printf("%-24s %9.2f %9.2f %9.1e %6d %6d %10.1f %9.1e %7.0f\n", row->name, exact->minimum,
           exact->median, run->error, run->work, run->events, run->cvode.minimum, run->cvode_error,
           ratio);
    put(out, row->name, "us", exact->minimum);
    put(out, row->name, "median_us", exact->median);
    put(out, row->name, "error", run->error);
    put(out, row->name, "work", run->work);
    put(out, row->name, "events", run->events);
    put(out, row->name, "cvode_us", run->cvode.minimum);
    put(out, row->name, "cvode_error", run->cvode_error);
    put(out, row->name, "ratio_cvode", ratio);
}

static void measure_rows(json_t *out) {
    RowRun runs[ROW_COUNT];
    printf("\nseveral contacts: us per solve, without friction\n");
    printf("%-24s %9s %9s %9s %6s %6s %10s %9s %7s\n", "scene", "minimum", "median", "error",
           "work", "events", "CVODE", "error", "ratio");
    for (int k = 0; k < TIMING_PASSES; k++) {
        for (int i = 0; i < ROW_COUNT; i++) {
            const Row *row = &ROWS_NAMED[i];
            runs[i] = k == 0 ? NOT_RUN : runs[i];
            set_row(row->balls, row->last_mass, row->e, row->e_wall);
            run_row(row->truth, row->balls, &runs[i]);
        }
    }
    for (int i = 0; i < ROW_COUNT; i++) {
        report_row(&ROWS_NAMED[i], &runs[i], out);
    }
}

/* ---- growth ---- */

/* The impulses at the first contact and at the wall; NaN: not known. */
static const struct {
    int balls;
    double e, truth[2];
} GROWTH[] = {
    {2, 1, {1.975470423210053229, 2.195600960488277412}},
    {4, 1, {1.886838440030485403, 2.501886509795260699}},
    {8, 1, {1.833427668868288521, 2.791069994927482745}},
    {16, 1, {1.750642017076706626, 3.114516239687576247}},
    {32, 1, {1.682367672382066784, 3.466193702204666004}},
    {64, 1, {1.618154150945086563, 3.868131563344451361}},
    {2, .9, {1.807802648534326372, 1.990119423756268787}},
    {4, .9, {1.665832683922583552, 2.089913611231766080}},
    {8, .9, {1.526091251852456398, 2.065846681133515429}},
    {16, .9, {1.349520222131912838, 1.852619015793600552}},
    {32, .9, {1.184671980016985580, 1.980908479240823601}},
    {64, .9, {NAN, NAN}},
};
enum { GROWTH_COUNT = sizeof GROWTH / sizeof *GROWTH };

/* As put(), where the key is one word. */
static void set(json_t *object, const char *key, double value) {
    json_object_set_new(object, key, isfinite(value) ? json_real(value) : json_null());
}

static json_t *measure_growth(void) {
    RowRun runs[GROWTH_COUNT];
    json_t *out = json_array();
    printf("\n%5s %5s %9s %9s %9s %6s %6s %10s %9s\n", "balls", "e", "minimum", "per ball", "error",
           "work", "events", "CVODE", "error");
    for (int k = 0; k < TIMING_PASSES; k++) {
        for (int i = 0; i < GROWTH_COUNT; i++) {
            runs[i] = k == 0 ? NOT_RUN : runs[i];
            set_row(GROWTH[i].balls, 1, GROWTH[i].e, GROWTH[i].e);
            run_row(GROWTH[i].truth, 2, &runs[i]);
        }
    }
    for (int i = 0; i < GROWTH_COUNT; i++) {
        const RowRun *run = &runs[i];
        int balls = GROWTH[i].balls;
        double e = GROWTH[i].e, us = run->exact.minimum;
        json_t *line = json_pack("{s:i, s:f}", "balls", balls, "e", e);
        printf("%5d %5g %9.2f %9.2f %9.1e %6d %6d %10.1f %9.1e\n", balls, e, us, us / balls,
               run->error, run->work, run->events, run->cvode.minimum, run->cvode_error);
        set(line, "us", us);
        set(line, "error", run->error);
        set(line, "work", run->work);
        set(line, "events", run->events);
        set(line, "cvode_us", run->cvode.minimum);
        set(line, "cvode_error", run->cvode_error);
        json_array_append_new(out, line);
    }
    return out;
}

/* One solve of a long row in which most contacts bounce and latch. */
static void measure_long_row(json_t *out) {
    Answer answer = {0};
    set_row(MOST_BALLS, 1, .9, .9);
    double start = now_ns();
    solve_exact(NULL, &answer);
    double ms = answer.ok ? (now_ns() - start) / 1e6 : NAN;
    printf("\nrow of %d balls, e = 0.9: %.0f ms, %d pieces, %d events\n", MOST_BALLS, ms,
           scene.work, scene.events);
    put(out, "row200", "ms", ms);
}

/* ---- shots ---- */

static double shot_error(const MultipleProblem *problem, const double *truth) {
    double largest = 0, error = 0;
    for (int i = 0; i < multiple_rows(problem); i++) {
        largest = fmax(largest, fabs(truth[i]));
        error = larger(error, fabs(scene.impulse[i] - truth[i]));
    }
    return error / largest;
}

typedef struct Shots {
    double minimum[MULTIPLE_REFERENCE_CAPACITY], median[MULTIPLE_REFERENCE_CAPACITY];
    double work[MULTIPLE_REFERENCE_CAPACITY];
    /* relative to the oracle of the tests, and to the stored answers */
    double error[MULTIPLE_REFERENCE_CAPACITY], stored_error[MULTIPLE_REFERENCE_CAPACITY];
    int solved;
} Shots;

/* Timed in every pass; the errors are computed once. */
static void time_shots(const MultipleReference *set, int pass, Shots *shots) {
    static MultipleAnswer truth;
    int n = 0;
    for (int i = 0; i < set->count; i++) {
        const MultipleProblem *problem = &set->problems[i];
        Time time = pass == 0 ? NOT_TIMED : (Time){shots->minimum[n], shots->median[n]};
        scene.problem = multiple_as_problem(problem);
        if (!time_scene(&EXACT, &time)) {
            continue;
        }
        shots->minimum[n] = time.minimum;
        shots->median[n] = time.median;
        if (pass == 0) {
            multiple_oracle_solve(problem, &truth);
            shots->work[n] = scene.work;
            shots->error[n] = truth.ok ? shot_error(problem, truth.impulse) : NAN;
            shots->stored_error[n] = shot_error(problem, set->answers[i].impulse);
        }
        n++;
    }
    shots->solved = n;
}

static void measure_shots(const MultipleReference *set, json_t *out) {
    static Shots shots;
    for (int k = 0; k < TIMING_PASSES; k++) {
        time_shots(set, k, &shots);
    }
    int n = shots.solved;
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"us", quantile(shots.minimum, n, 0.5)},
                   {"median_us", quantile(shots.median, n, 0.5)},
                   {"p90_us", quantile(shots.minimum, n, 0.9)},
                   {"max_us", quantile(shots.minimum, n, 1)},
                   {"error", quantile(shots.error, n, 0.5)},
                   {"max_error", quantile(shots.error, n, 1)},
                   {"stored_error", quantile(shots.stored_error, n, 1)},
                   {"work", quantile(shots.work, n, 0.5)},
                   {"solved", n}};
    printf("\nshots: %d scenes of two contacts with friction; over the scenes\n", set->count);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        printf("  %-12s %.3g\n", numbers[i].name, numbers[i].value);
        put(out, "shot", numbers[i].name, numbers[i].value);
    }
}

/* ---- Siconos ---- */

#ifdef CAROM_BENCH_SICONOS

static void solve_siconos(const Impact *unused, Answer *answer) {
    double normal[MOST_BALLS];
    (void)unused;
    answer->ok = siconos_chain_solve(scene.siconos, normal) == 0;
    for (int i = 0; i < scene.problem.contact_count && answer->ok; i++) {
        scene.impulse[3 * i + 2] = normal[i];
    }
}

static void measure_siconos(json_t *out) {
    /* the step that solves the ball on a ball to 1e-4, and a tenth of it */
    const struct {
        const char *name;
        int row;
        double step;
    } runs[] = {{"siconos_ball_ball_table", 0, 1e-4},
                {"siconos_fine_ball_ball_table", 0, 1e-5},
                {"siconos_chain10", 2, 1e-4}};
    const Contender siconos = {"siconos", solve_siconos};
    printf("\n%-30s %8s %10s %9s %9s\n", "Siconos, BiStiffness", "step", "minimum", "error",
           "ratio");
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        const Row *row = &ROWS_NAMED[runs[i].row];
        Time time = {NAN, NAN};
        set_row(row->balls, row->last_mass, row->e, row->e_wall);
        scene.siconos = siconos_chain_create(row->balls, row->last_mass, runs[i].step);
        if (scene.siconos != NULL) {
            time_scene(&siconos, &time);
        }
        siconos_chain_destroy(scene.siconos);
        double error = row_error(row->truth, row->balls);
        char key[64];
        snprintf(key, sizeof key, "%s_us", row->name);
        const json_t *exact = json_object_get(out, key);
        double ratio = json_is_real(exact) ? time.minimum / json_real_value(exact) : NAN;
        printf("%-30s %8.0e %10.0f %9.1e %9.0f\n", row->name, runs[i].step, time.minimum, error,
               ratio);
        put(out, runs[i].name, "us", time.minimum);
        put(out, runs[i].name, "error", error);
        put(out, runs[i].name, "ratio", ratio);
    }
}

#else

static void measure_siconos(json_t *out) {
    (void)out;
    printf("\nSiconos is not installed here: not compared\n");
}

#endif

json_t *bench_multiple(const char *path) {
    static MultipleReference set;
    if (multiple_reference_load(path, &set) != 0) {
        return NULL;
    }
    scene.workspace = malloc(carom_workspace_size(MOST_BALLS));
    if (scene.workspace == NULL) {
        fprintf(stderr, "carom_bench: out of memory\n");
        return NULL;
    }
    json_t *out = json_object();
    measure_rows(out);
    measure_siconos(out);
    measure_shots(&set, out);
    bench_compliant_feet(out);
    bench_rigid_feet(out);
    measure_long_row(out);
    json_object_set_new(out, "growth", measure_growth());
    free(scene.workspace);
    return out;
}
