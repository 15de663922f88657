/* Several contacts at once: the solver behind carom_solve() and carom_trace(). */
#ifndef CAROM_MULTIPLE_MULTIPLE_H
#define CAROM_MULTIPLE_MULTIPLE_H

#include "contact/record.h"

struct Network;

/* Bytes of workspace for a number of contacts. */
size_t crm_multiple_workspace_size(int contact_count);

/* Solve, and take samples unless sampler is NULL. workspace: as in CaromOptions. */
CaromStatus crm_multiple_solve(const CaromProblem *problem, void *workspace, Sampler *sampler,
                               CaromResult *result);

/* Go on without a visitor, from where one was told of events (multiple_visit.h). Where the process
 * fails no more is tried. */
CaromStatus crm_multiple_resume(struct Network *network);

#endif
