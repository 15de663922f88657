#include "timing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REPEATS = 9, FEW_REPEATS = 2 };
/* least duration of a sample, so that the cost of reading the clock is negligible */
static const double SAMPLE_NS = 20000;
/* longer solves are repeated only a few times */
static const double LONG_NS = 500000;

double now_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

double processor_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double quantile(const double *values, int count, double fraction) {
    double sorted[TIMING_CAPACITY];
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

double time_solve(const Contender *contender, const Impact *impact, double *median) {
    double samples[REPEATS];
    /* warm up, and find the number of calls per sample */
    double once = sample(contender, impact, 1), first = once;
    if (once < LONG_NS) {
        first = sample(contender, impact, 3);
    }
    int calls = 1 + (int)(SAMPLE_NS / fmax(first, 1));
    int repeats = first < LONG_NS ? REPEATS : FEW_REPEATS;
    for (int k = 0; k < repeats; k++) {
        samples[k] = sample(contender, impact, calls);
    }
    if (median != NULL) {
        *median = quantile(samples, repeats, 0.5);
    }
    return quantile(samples, repeats, 0);
}

static void measure_once(const Contender *contender, const Impact *impacts, const Answer *truths,
                         int count, Timing *timing) {
    int pass = timing->passes++;
    timing->solved = 0;
    for (int i = 0; i < count; i++) {
        Answer answer = {0};
        contender->solve(&impacts[i], &answer);
        if (!answer.ok) {
            timing->by_impact[i] = NAN;
            continue;
        }
        int n = timing->solved++;
        double median, minimum = time_solve(contender, &impacts[i], &median);
        timing->minimum[n] = pass > 0 ? fmin(minimum, timing->minimum[n]) : minimum;
        timing->median[n] = pass > 0 ? fmin(median, timing->median[n]) : median;
        timing->by_impact[i] = timing->minimum[n];
        timing->error[n] = answer_error(&impacts[i], &answer, &truths[i]);
    }
}

void timing_measure(const Contender *contenders, int contender_count, int passes,
                    const Impact *impacts, const Answer *truths, int count, Timing *timings) {
    for (int k = 0; k < passes; k++) {
        for (int i = 0; i < contender_count; i++) {
            measure_once(&contenders[i], impacts, truths, count, &timings[i]);
        }
    }
}

void put(json_t *object, const char *name, const char *what, double value) {
    char key[64];
    snprintf(key, sizeof key, "%s_%s", name, what);
    json_object_set_new(object, key, isfinite(value) ? json_real(value) : json_null());
}

void timing_heading(const char *what, int passes, int count) {
    printf("\n%s: %d scenes, up to %d samples each; ns per solve over the scenes\n", what, count,
           passes * REPEATS);
    printf("%-8s %10s %10s %10s %10s %11s %11s %s\n", "method", "minimum", "median", "90 %",
           "slowest", "error", "worst", "solved");
}

void timing_report(const Contender *contender, const Timing *timing, int count, json_t *object) {
    int n = timing->solved;
    double ns = quantile(timing->minimum, n, 0.5), median = quantile(timing->median, n, 0.5);
    double p90 = quantile(timing->minimum, n, 0.9), slowest = quantile(timing->minimum, n, 1);
    double error = quantile(timing->error, n, 0.5), worst = quantile(timing->error, n, 1);
    printf("%-8s %10.0f %10.0f %10.0f %10.0f %11.1e %11.1e %4d/%d\n", contender->name, ns, median,
           p90, slowest, error, worst, n, count);
    put(object, contender->name, "ns", ns);
    put(object, contender->name, "median_ns", median);
    put(object, contender->name, "p90_ns", p90);
    put(object, contender->name, "max_ns", slowest);
    put(object, contender->name, "error", error);
    put(object, contender->name, "max_error", worst);
    put(object, contender->name, "solved", n);
}

double ratio_to_exact(const json_t *object, const char *key) {
    const json_t *time = json_object_get(object, key), *exact = json_object_get(object, "exact_ns");
    return json_is_real(time) && json_is_real(exact)
               ? json_real_value(time) / json_real_value(exact)
               : NAN;
}
