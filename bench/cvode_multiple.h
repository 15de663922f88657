/* Competitor: several contacts without friction as a user of a general ODE solver would solve them.
 *
 * CVODE (Adams, fixed-point iteration) integrates the normal impulses I and forces N over time,
 * with v = v- + W I:
 *
 *   I_i' = N_i,   N_i' = -k_i v_i where contact i acts, else N_i = 0
 *
 * and restarts at each event that its root finding reports: v_i = 0 (compression ends, k_i grows by
 * 1/e_i^2; or an inactive contact is compressed again), N_i = 0 (the contact ends). For e_i = 1 the
 * end of compression changes nothing and is no root. Contacts that touch without approaching act
 * from the start. Accumulating bounces have no shortcut. Only nonzero entries of W are used. Memory
 * is allocated once and reused. */
#ifndef CAROM_BENCH_CVODE_MULTIPLE_H
#define CAROM_BENCH_CVODE_MULTIPLE_H

#include <carom/carom.h>

typedef struct CvodeMultiple CvodeMultiple;

/* For that many contacts; NULL if out of memory. */
CvodeMultiple *cvode_multiple_create(int contact_count, double tolerance);

/* Accepts NULL. */
void cvode_multiple_destroy(CvodeMultiple *contacts);

/* The impulse, with the rows of the problem; friction and the law are ignored. 0, or -1 if CVODE
 * failed or there were too many events. */
int cvode_multiple_solve(CvodeMultiple *contacts, const CaromProblem *problem, double *impulse);

#endif
