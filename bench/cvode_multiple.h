/* The competitor: several contacts without friction as a user of a general ODE solver would do it.
 *
 * CVODE (Adams, fixed-point iteration) integrates the normal impulses I and forces N over time,
 * with v = v- + W I:
 *
 *   I_i' = N_i,   N_i' = -k_i v_i where contact i acts, else N_i = 0
 *
 * and starts again at each event that its root finding reports: v_i = 0 (compression ends, k_i
 * grows by 1/e_i^2; or a contact that does not act is pressed again), N_i = 0 (the contact ends).
 * Where e_i = 1 the end of compression changes nothing and is not looked for. Contacts that touch
 * without approaching act from the beginning. Accumulating bounces have no shortcut. Only the
 * entries of W that are not 0 are used. Memory is made once and used again. */
#ifndef CAROM_BENCH_CVODE_MULTIPLE_H
#define CAROM_BENCH_CVODE_MULTIPLE_H

#include <carom/carom.h>

typedef struct CvodeMultiple CvodeMultiple;

/* For that many contacts; NULL if out of memory. */
CvodeMultiple *cvode_multiple_create(int contact_count, double tolerance);

/* Accepts NULL. */
void cvode_multiple_destroy(CvodeMultiple *contacts);

/* The impulse, rows as the problem has; friction and the law are not looked at. 0, or -1 if CVODE
 * failed or the events had no end. */
int cvode_multiple_solve(CvodeMultiple *contacts, const CaromProblem *problem, double *impulse);

#endif
