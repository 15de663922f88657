/* Several rigid contacts at impulse level: the solver behind carom_solve(). */
#ifndef CAROM_IMPULSE_IMPULSE_H
#define CAROM_IMPULSE_IMPULSE_H

#include <stddef.h>

#include <carom/problem.h>
#include <carom/result.h>

/* Bytes of workspace for a number of contacts. */
size_t crm_impulse_workspace_size(int contact_count);

/* Solve. workspace: as in CaromOptions. */
CaromStatus crm_impulse_solve(const CaromProblem *problem, void *workspace, CaromResult *result);

#endif
