/* Benchmark of one rigid contact: time and error of each method on the reference scenes.
 *
 *   carom_bench [OUT.json [SCENES.json]]
 *
 * Every contender solves every scene many times in the same run; of each scene the minimum and the
 * median of the repeats are kept, and of those the median over the scenes is reported. Errors are
 * against the series in long double (test/support/truth.h), which agree with the stored answers to
 * their 1e-11. Ratios compare medians of minima. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <jansson.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "cvode_contact.h"
#include "support/reference.h"
#include "support/truth.h"

enum { REPEATS = 21, BATCH = 1 << 16, BATCH_REPEATS = 7, BATCH_CHUNK = 256 };
/* one sample lasts at least this long, so that the clock's own cost does not show */
static const double SAMPLE_NS = 20000;

typedef struct Contender {
    const char *name;
    void (*solve)(const Impact *impact, Answer *answer);
} Contender;

typedef struct Timing {
    double minimum[REFERENCE_CAPACITY], median[REFERENCE_CAPACITY], error[REFERENCE_CAPACITY];
    int solved;                          /* scenes with an answer: only these are counted */
    double by_scene[REFERENCE_CAPACITY]; /* minimum, by number of the scene; NaN if not solved */
} Timing;

static ReferenceSet scenes;
static Answer truths[REFERENCE_CAPACITY];
static CvodeContact *cvode;

static double now_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

/* ---- contenders ---- */

static void solve_exact(const Impact *impact, Answer *answer) {
    CaromResult result = {.impulse = answer->impulse, .velocity = answer->velocity};
    answer->ok =
        carom_rigid_solve(impact->W, impact->v, &impact->contact, impact->law, &result) >= 0;
}

static void solve_method(const Impact *impact, CaromMethod method, Answer *answer) {
    CaromResult result = {.impulse = answer->impulse, .velocity = answer->velocity};
    CaromProblem problem = {.model = CAROM_RIGID,
                            .law = impact->law,
                            .contact_count = 1,
                            .inverse_inertia = impact->W,
                            .velocity = impact->v,
                            .contacts = &impact->contact};
    CaromOptions options = carom_options_default();
    options.method = method;
    answer->ok = carom_solve(&problem, &options, &result) >= 0;
}

static void solve_vs(const Impact *impact, Answer *answer) {
    solve_method(impact, CAROM_VS, answer);
}

static void solve_fs(const Impact *impact, Answer *answer) {
    solve_method(impact, CAROM_FS, answer);
}

static void solve_cvode(const Impact *impact, Answer *answer) {
    cvode_contact_solve(cvode, impact, answer);
}

static const Contender CONTENDERS[] = {
    {"exact", solve_exact},
    {"vs", solve_vs},
    {"fs", solve_fs},
    {"cvode", solve_cvode},
};
enum { CONTENDER_COUNT = sizeof CONTENDERS / sizeof *CONTENDERS };

/* ---- measuring ---- */

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The value below which the given fraction lies; NaN if there is none. Leaves values as they are.
 */
static double quantile(const double *values, int count, double fraction) {
    double sorted[REFERENCE_CAPACITY];
    if (count == 0) {
        return NAN;
    }
    memcpy(sorted, values, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, ascending);
    double at = fraction * (count - 1);
    int low = (int)at, high = low + 1 < count ? low + 1 : low;
    return sorted[low] + (at - low) * (sorted[high] - sorted[low]);
}

static double sample(const Contender *contender, const Impact *impact, int calls) {
    Answer answer;
    double start = now_ns();
    for (int i = 0; i < calls; i++) {
        contender->solve(impact, &answer);
    }
    return (now_ns() - start) / calls;
}

static void measure(const Contender *contender, Timing *timing) {
    timing->solved = 0;
    for (int i = 0; i < scenes.count; i++) {
        const Impact *impact = &scenes.impacts[i];
        Answer answer = {0};
        double samples[REPEATS];
        timing->by_scene[i] = NAN;
        contender->solve(impact, &answer);
        if (!answer.ok) {
            continue;
        }
        /* warm up, and find out how many calls make a sample */
        int calls = 1 + (int)(SAMPLE_NS / fmax(sample(contender, impact, 3), 1));
        for (int k = 0; k < REPEATS; k++) {
            samples[k] = sample(contender, impact, calls);
        }
        int n = timing->solved++;
        timing->minimum[n] = timing->by_scene[i] = quantile(samples, REPEATS, 0);
        timing->median[n] = quantile(samples, REPEATS, 0.5);
        timing->error[n] = answer_error(impact, &answer, &truths[i]);
    }
}

/* Solves per second of the batch call, the cases cut into chunks over the threads. */
static double batch_rate(int threads, const CaromCase *cases, CaromOutcome *outcomes) {
    double best = INFINITY;
    for (int k = 0; k < BATCH_REPEATS; k++) {
        double start = now_ns();
#pragma omp parallel for schedule(dynamic) num_threads(threads)
        for (int i = 0; i < BATCH; i += BATCH_CHUNK) {
            carom_batch_solve(BATCH_CHUNK, cases + i, outcomes + i);
        }
        best = fmin(best, now_ns() - start);
    }
    (void)threads;
    return BATCH / (best * 1e-9);
}

static json_t *measure_batch(void) {
    CaromCase *cases = calloc(BATCH, sizeof *cases);
    CaromOutcome *outcomes = calloc(BATCH, sizeof *outcomes);
    json_t *out = json_object();
    if (cases != NULL && outcomes != NULL) {
        for (int i = 0; i < BATCH; i++) {
            const Impact *impact = &scenes.impacts[i % scenes.count];
            const double *W = impact->W;
            cases[i] = (CaromCase){.W = {W[0], W[1], W[2], W[4], W[5], W[8]},
                                   .v = {impact->v[0], impact->v[1], impact->v[2]},
                                   .contact = impact->contact,
                                   .model = CAROM_RIGID,
                                   .law = impact->law};
        }
        double one = batch_rate(1, cases, outcomes), two = batch_rate(2, cases, outcomes);
        printf("\nbatch: %.3g solves/s on one thread (%.0f ns each), %.3g on two\n", one, 1e9 / one,
               two);
        json_object_set_new(out, "solves_per_second_1", json_real(one));
        json_object_set_new(out, "solves_per_second_2", json_real(two));
    }
    free(cases);
    free(outcomes);
    return out;
}

/* ---- planar ---- */

/* The scenes cut down to the plane of their first slip. */
static void cut_to_plane(const Impact *impact, Impact *planar, Impact *spatial) {
    const double *W = impact->W, *v = impact->v;
    double r = hypot(v[0], v[1]), c = r > 0 ? v[0] / r : 1, s = r > 0 ? v[1] / r : 0;
    double B = c * c * W[0] + 2 * c * s * W[1] + s * s * W[4], d = c * W[2] + s * W[5];
    *planar = *spatial = *impact;
    memcpy(planar->W, (double[4]){B, d, d, W[8]}, 4 * sizeof *W);
    memcpy(planar->v, (double[2]){r, v[2]}, 2 * sizeof *v);
    memcpy(spatial->W, (double[9]){B, 0, d, 0, B, 0, d, 0, W[8]}, sizeof spatial->W);
    memcpy(spatial->v, (double[3]){r, 0, v[2]}, sizeof spatial->v);
}

static void solve_planar(const Impact *impact, Answer *answer) {
    CaromResult result = {.impulse = answer->impulse, .velocity = answer->velocity};
    answer->ok =
        carom_planar_solve(impact->W, impact->v, &impact->contact, impact->law, &result) >= 0;
}

/* The same planar impacts through the planar solver and, with a second tangent that has no part in
 * them, through the spatial one. */
static json_t *measure_planar(void) {
    static const Contender contenders[2] = {{"planar", solve_planar}, {"spatial", solve_exact}};
    double times[2][REFERENCE_CAPACITY], ns[2];
    for (int i = 0; i < scenes.count; i++) {
        Impact impacts[2];
        cut_to_plane(&scenes.impacts[i], &impacts[0], &impacts[1]);
        for (int k = 0; k < 2; k++) {
            double samples[REPEATS];
            int calls = 1 + (int)(SAMPLE_NS / fmax(sample(&contenders[k], &impacts[k], 3), 1));
            for (int j = 0; j < REPEATS; j++) {
                samples[j] = sample(&contenders[k], &impacts[k], calls);
            }
            times[k][i] = quantile(samples, REPEATS, 0);
        }
    }
    for (int k = 0; k < 2; k++) {
        ns[k] = quantile(times[k], scenes.count, 0.5);
    }
    printf("\nplanar: %.1f ns, slowest scene %.1f; as spatial impacts %.0f ns, %.2f times\n", ns[0],
           quantile(times[0], scenes.count, 1), ns[1], ns[1] / ns[0]);
    return json_pack("{s:f, s:f, s:f}", "planar_ns", ns[0], "spatial_ns", ns[1], "ratio",
                     ns[1] / ns[0]);
}

/* ---- reporting ---- */

/* JSON has no NaN: what was not measured is null. */
static void put(json_t *object, const char *contender, const char *what, double value) {
    char key[64];
    snprintf(key, sizeof key, "%s_%s", contender, what);
    json_object_set_new(object, key, isfinite(value) ? json_real(value) : json_null());
}

static void report(const Contender *contender, const Timing *timing, json_t *rigid) {
    int n = timing->solved;
    double ns = quantile(timing->minimum, n, 0.5), median = quantile(timing->median, n, 0.5);
    double p90 = quantile(timing->minimum, n, 0.9), slowest = quantile(timing->minimum, n, 1);
    double error = quantile(timing->error, n, 0.5), worst = quantile(timing->error, n, 1);
    printf("%-8s %10.0f %10.0f %10.0f %10.0f %11.1e %11.1e %4d/%d\n", contender->name, ns, median,
           p90, slowest, error, worst, n, scenes.count);
    put(rigid, contender->name, "ns", ns);
    put(rigid, contender->name, "median_ns", median);
    put(rigid, contender->name, "p90_ns", p90);
    put(rigid, contender->name, "max_ns", slowest);
    put(rigid, contender->name, "error", error);
    put(rigid, contender->name, "max_error", worst);
    put(rigid, contender->name, "solved", n);
}

/* A time over that of the exact method; NaN if there is none. */
static double ratio(const json_t *rigid, const char *key) {
    const json_t *time = json_object_get(rigid, key), *exact = json_object_get(rigid, "exact_ns");
    return json_is_real(time) && json_is_real(exact)
               ? json_real_value(time) / json_real_value(exact)
               : NAN;
}

/* Median time of the exact method by the scenes' tag. */
static json_t *by_tag(const Timing *timing) {
    json_t *out = json_object();
    printf("\nexact, by tag:");
    for (int i = 0; i < scenes.count; i++) {
        double times[REFERENCE_CAPACITY];
        int count = 0;
        if (json_object_get(out, scenes.tags[i]) != NULL) {
            continue;
        }
        for (int k = i; k < scenes.count; k++) {
            if (strcmp(scenes.tags[k], scenes.tags[i]) == 0 && !isnan(timing->by_scene[k])) {
                times[count++] = timing->by_scene[k];
            }
        }
        double ns = quantile(times, count, 0.5);
        printf(" %s %.0f", scenes.tags[i], ns);
        json_object_set_new(out, scenes.tags[i], isfinite(ns) ? json_real(ns) : json_null());
    }
    printf("\n");
    return out;
}

static json_t *machine(void) {
    char line[256], cpu[256] = "unknown";
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon != NULL) {
            snprintf(cpu, sizeof cpu, "%s", colon + 2);
            cpu[strcspn(cpu, "\n")] = '\0';
            break;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    printf("\n%s, %s %s\n", cpu, __VERSION__, CAROM_BENCH_FLAGS);
    return json_pack("{s:s, s:s, s:s}", "cpu", cpu, "compiler", __VERSION__, "flags",
                     CAROM_BENCH_FLAGS);
}

int main(int argc, char **argv) {
    const char *out = argc > 1 ? argv[1] : "bench.json";
    static Timing timings[CONTENDER_COUNT];
    if (reference_load(argc > 2 ? argv[2] : CAROM_BENCH_SCENES, &scenes) != 0) {
        return 2;
    }
    cvode = cvode_contact_create(1e-10);
    if (cvode == NULL) {
        fprintf(stderr, "carom_bench: out of memory\n");
        return 1;
    }
    json_t *root = json_object(), *rigid = json_object();
    for (int i = 0; i < scenes.count; i++) {
        truths[i] = truth_solve(&scenes.impacts[i]);
    }
    printf("%d scenes, %d samples each; ns per solve over the scenes\n", scenes.count, REPEATS);
    printf("%-8s %10s %10s %10s %10s %11s %11s %s\n", "method", "minimum", "median", "90 %",
           "slowest", "error", "worst", "solved");
    for (int i = 0; i < CONTENDER_COUNT; i++) {
        measure(&CONTENDERS[i], &timings[i]);
        report(&CONTENDERS[i], &timings[i], rigid);
    }
    double vs = ratio(rigid, "vs_ns"), by_cvode = ratio(rigid, "cvode_ns");
    put(rigid, "ratio", "vs", vs);
    put(rigid, "ratio", "cvode", by_cvode);
    printf("\nCVODE takes %.0f times as long as exact, vs %.2f times\n", by_cvode, vs);
    json_object_set_new(rigid, "exact_ns_by_tag", by_tag(&timings[0]));
    json_object_set_new(root, "rigid", rigid);
    json_t *planar = measure_planar();
    double general = json_real_value(json_object_get(rigid, "exact_ns")) /
                     json_real_value(json_object_get(planar, "planar_ns"));
    json_object_set_new(planar, "ratio_rigid", json_real(general));
    printf("the spatial scenes themselves take %.1f times as long as their planar cuts\n", general);
    json_object_set_new(root, "planar", planar);
    json_object_set_new(root, "batch", measure_batch());
    json_object_set_new(root, "machine", machine());
    int failed = json_dump_file(root, out, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
    if (failed) {
        fprintf(stderr, "carom_bench: cannot write %s\n", out);
    }
    json_decref(root);
    cvode_contact_destroy(cvode);
    return failed ? 1 : 0;
}
