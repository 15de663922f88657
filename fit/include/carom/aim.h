/* The strike for a wanted outcome: free numbers within ranges, misses that must vanish.
 *
 * Part of libcarom-fit. The outcome is any function of the free numbers, usually an impact and what
 * comes after it. It may have kinks and several branches (sequences of events), so that there are
 * several solutions or none. */
#ifndef CAROM_AIM_H
#define CAROM_AIM_H

#include <carom/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Most free numbers and misses, and characters of a sequence with the final zero. */
#define CAROM_AIM_FREE_MAX 16
#define CAROM_AIM_MISSES_MAX 64
#define CAROM_AIM_SEQUENCE_SIZE 64

/* The misses of an outcome in units of what is tolerated, and a text that names its branch. A
 * negative status: there is no outcome (no impact, out of range). */
typedef CaromStatus CaromAimOutcome(void *context, const double *values, double *misses,
                                    char sequence[CAROM_AIM_SEQUENCE_SIZE]);

/* Derivatives of the misses, miss_count rows of free_count numbers. A negative status: there are
 * none here. Then, and for columns with a NAN, differences of the outcome are taken. */
typedef CaromStatus CaromAimSlopes(void *context, const double *values, double *slopes);

typedef struct CaromAim {
    int free_count;
    const double *low, *high; /* ranges, finite, low < high */
    const double *given;      /* where to look first; solutions near it come first */
    int miss_count;
    CaromAimOutcome *outcome;
    CaromAimSlopes *slopes; /* NULL: differences */
    void *context;
    int starts; /* 0: 40 for each free number */
} CaromAim;

typedef struct CaromAimSolution {
    double values[CAROM_AIM_FREE_MAX];
    char sequence[CAROM_AIM_SEQUENCE_SIZE];
    double residual; /* the largest miss; at most 1 in a solution */
    int family;      /* 1: one of a continuum, more free numbers than misses determine */
    int bound[CAROM_AIM_FREE_MAX]; /* -1, 1: the number is at the end of its range */
} CaromAimSolution;

/* Find solutions by least squares from points spread over the ranges. Solutions with the same
 * sequence and the same values (to a thousandth of the range) are one; of a continuum one for each
 * sequence is kept. Writes at most capacity of them, nearest to `given` first, their number to
 * *count, and the best of all outcomes, solution or not, to *closest.
 *
 * CAROM_OK: *count may be 0. CAROM_INVALID_INPUT: bad ranges or counts. CAROM_NOT_CONVERGED: no
 * start had an outcome. */
CAROM_API CaromStatus carom_aim(const CaromAim *aim, CaromAimSolution *solutions, int capacity,
                                int *count, CaromAimSolution *closest, const char **message);

#ifdef __cplusplus
}
#endif

#endif
