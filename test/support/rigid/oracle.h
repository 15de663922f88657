/* An independent oracle: SUNDIALS CVODE (Adams) integrates the impact itself.
 *
 * While the sliding speed r is large the clock is the normal impulse p:
 *   gamma' = d - mu B s,  I_t' = -mu s,  E' = -v_n,  F' = mu r,      ' = d/dp.
 * That is singular at gamma = 0, so once r is small the clock is sigma with dp = r d sigma and the
 * state (theta, ln r, p, I_t, E, F). Once the direction has settled to the tolerance, or r is
 * negligible, what is left is linear in p. Events are CVODE's roots: v_n, dv_n/dp (so that no
 * pair of roots of v_n hides inside a step), the law's end, r.
 *
 * It shares no code with the library or with truth.c. Not thread-safe: one oracle per thread. */
#ifndef CAROM_TEST_RIGID_ORACLE_H
#define CAROM_TEST_RIGID_ORACLE_H

#include "support/contact/impact.h"

typedef struct Oracle Oracle;

/* Relative tolerance of the integration, e.g. 1e-13; NULL if out of memory. */
Oracle *oracle_create(double tolerance);

/* Accepts NULL. */
void oracle_destroy(Oracle *oracle);

/* Solve; no allocation. The answer's ok is 0 if CVODE failed. */
Answer oracle_solve(Oracle *oracle, const Impact *impact);

#endif
