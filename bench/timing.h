/* Timing the contenders of a benchmark on a set of impacts, and writing down the results. */
#ifndef CAROM_BENCH_TIMING_H
#define CAROM_BENCH_TIMING_H

#include <jansson.h>

#include "support/contact/impact.h"

/* Number of passes over everything: on a shared machine disturbances last for a second or two. */
enum { TIMING_CAPACITY = 256, TIMING_PASSES = 5 };

typedef struct Contender {
    const char *name;
    void (*solve)(const Impact *impact, Answer *answer);
} Contender;

/* Statistics over the solved impacts. */
typedef struct Timing {
    int passes;
    /* least of all samples, median of the fastest pass */
    double minimum[TIMING_CAPACITY], median[TIMING_CAPACITY], error[TIMING_CAPACITY];
    int solved;                        /* solved impacts; only these count */
    double by_impact[TIMING_CAPACITY]; /* minimum of each impact; NaN if not solved */
} Timing;

double now_ns(void);
/* Of this process, all threads: a busy machine changes it less than the clock. */
double processor_ns(void);

/* The quantile of the given fraction; NaN without values. Does not change values. */
double quantile(const double *values, int count, double fraction);

/* Nanoseconds of one solve: the minimum over many samples, each of many calls, and their median if
 * median is not NULL. Long solves are repeated less. */
double time_solve(const Contender *contender, const Impact *impact, double *median);

/* Time the contenders on all impacts, in that many passes, each with a timing that is all 0; errors
 * are against the truths. */
void timing_measure(const Contender *contenders, int contender_count, int passes,
                    const Impact *impacts, const Answer *truths, int count, Timing *timings);

/* The heading of a table of results, and a line of it, which is also put into the object as
 * NAME_ns, NAME_median_ns, NAME_p90_ns, NAME_max_ns, NAME_error, NAME_max_error, NAME_solved. */
void timing_heading(const char *what, int passes, int count);
void timing_report(const Contender *contender, const Timing *timing, int count, json_t *object);

/* Put a number under NAME_WHAT. JSON has no NaN: a missing measurement is null. */
void put(json_t *object, const char *name, const char *what, double value);

/* The time under a key over that under "exact_ns"; NaN if there is none. */
double ratio_to_exact(const json_t *object, const char *key);

#endif
