/* Several contacts at once: the solver behind carom_solve() and carom_trace(). */
#ifndef CAROM_MULTIPLE_MULTIPLE_H
#define CAROM_MULTIPLE_MULTIPLE_H

#include "contact/record.h"

/* Bytes of workspace for a number of contacts. */
size_t crm_multiple_workspace_size(int contact_count);

/* Solve, and take samples unless sampler is NULL. workspace: as in CaromOptions. */
CaromStatus crm_multiple_solve(const CaromProblem *problem, void *workspace, Sampler *sampler,
                               CaromResult *result);

#endif
