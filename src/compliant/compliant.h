/* The solver for one compliant contact as the general calls use it: 3 rows (t1, t2, n), or 2 (t, n)
 * in a planar problem. */
#ifndef CAROM_COMPLIANT_COMPLIANT_H
#define CAROM_COMPLIANT_COMPLIANT_H

#include "contact/record.h"

/* Check the input, all but the definiteness of W. */
CaromStatus crm_compliant_check(const double *W, const double *v, int rows,
                                const CaromContact *contact, const char **message);

/* Solve, and take samples unless sampler is NULL. */
CaromStatus crm_compliant_solve(const double *W, const double *v, int rows,
                                const CaromContact *contact, Sampler *sampler, CaromResult *result);

#endif
