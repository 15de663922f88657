/* Descents from several starts. */
#ifndef CAROM_FIT_ESTIMATE_STARTS_H
#define CAROM_FIT_ESTIMATE_STARTS_H

#include "descent/descent.h"
#include "estimate/pass.h"
#include "estimate/task.h"

/* Descend from one point. */
void crm_starts_descend(const Task *task, double *x, double tolerance, int passes, DescentEnd *end);

/* An end of a descent. */
typedef struct Minimum {
    double x[CAROM_FIT_PARAMETERS_MAX], objective;
} Minimum;

/* Most ends that are followed on all rows. */
enum { STARTS_KEPT = 5 };

typedef struct Starts {
    int starts, minima; /* descents, and their distinct ends */
    int count;          /* of ends on all rows */
    Minimum ends[STARTS_KEPT];
} Starts;

/* Descend from points spread between the bounds, on some of the rows if there are many, and from
 * the best of them on all rows. Points are those of Halton's sequence: the same on every run.
 * x and end: the best. False: no descent got anywhere. */
bool crm_starts_run(const Task *task, double *x, DescentEnd *end, Starts *result);

#endif
