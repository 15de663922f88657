/* Several contacts at once: the solver behind carom_solve() and carom_trace(). */
#ifndef CAROM_MULTIPLE_MULTIPLE_H
#define CAROM_MULTIPLE_MULTIPLE_H

#include <carom/problem.h>
#include <carom/trace.h>

/* Solve, and fill the trace unless it is NULL. workspace: as in CaromOptions. */
CaromStatus multiple_solve(const CaromProblem *problem, void *workspace, CaromTrace *trace,
                           CaromResult *result);

#endif
