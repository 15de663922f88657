/* The general call, with samples: what carom_solve() and carom_trace() share. */
#ifndef CAROM_SOLVE_SOLVE_H
#define CAROM_SOLVE_SOLVE_H

#include <carom/solve.h>

#include "contact/record.h"

/* carom_solve(), which also takes samples unless sampler is NULL; those of EXACT only. */
CaromStatus crm_solve(const CaromProblem *problem, const CaromOptions *options, Sampler *sampler,
                      CaromResult *result);

#endif
