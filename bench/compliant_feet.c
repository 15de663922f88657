/* Several compliant contacts with friction: two feet with four corners each that strike the ground,
 * and stacks of three boxes. Every problem is another one, 40 % of them have e = 0; times in
 * microseconds, each the least of a few runs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sections.h"
#include "support/impulse/random.h"
#include "timing.h"

enum { FEET = 1000, STACKS = 200, RUNS = 3, ROWS = 36 };

/* Time of one problem, the least of a few runs; NaN: no answer. */
static double time_problem(const MultipleProblem *problem) {
    double impulse[ROWS], velocity[ROWS], least = INFINITY;
    CaromProblem compliant = multiple_as_problem(problem);
    compliant.model = CAROM_MODEL_COMPLIANT;
    compliant.law = CAROM_LAW_ENERGETIC;
    for (int i = 0; i < RUNS; i++) {
        CaromResult result = {.impulse = impulse, .velocity = velocity};
        double start = now_ns();
        CaromStatus status = carom_solve(&compliant, NULL, &result);
        least = fmin(least, (now_ns() - start) / 1000);
        if (status < 0) {
            return NAN;
        }
    }
    return least;
}

static int slower(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Median, slowest and number of the problems that have an answer. */
static void measure_family(const char *name, ImpulseFamily family, int count, json_t *out) {
    static MultipleProblem problem;
    static double times[FEET];
    int solved = 0;
    for (int i = 0; i < count; i++) {
        impulse_random(1, (uint64_t)i, family, &problem);
        double time = time_problem(&problem);
        if (!isnan(time)) {
            times[solved++] = time;
        }
    }
    qsort(times, (size_t)solved, sizeof *times, slower);
    double median = solved ? times[solved / 2] : NAN, worst = solved ? times[solved - 1] : NAN;
    printf("%-30s %6d %9.1f %9.1f %9.1f\n", name, solved, median,
           solved ? times[solved * 9 / 10] : NAN, worst);
    put(out, name, "us", median);
    put(out, name, "worst_us", worst);
    put(out, name, "solved", solved);
}

void bench_compliant_feet(json_t *out) {
    printf("\n%-30s %6s %9s %9s %9s\n", "compliant, with friction, us", "solved", "median", "p90",
           "worst");
    measure_family("foot", IMPULSE_FEET, FEET, out);
    measure_family("stack3", IMPULSE_STACK_3, STACKS, out);
}
