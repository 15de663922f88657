/* Competitor: one compliant contact as a user of a general ODE solver would solve it.
 *
 * CVODE (Adams, fixed-point iteration) integrates the impulse I, the normal force N and the force f
 * of the tangential spring over time, with v = v- + W I:
 *
 *   I' = (-f, N),   N' = -k v_n,   stick: f' = kt v_t,
 *   slip: f' = mu N' s + kt (v_t - (v_t.s) s),   s = f/|f|
 *
 * and restarts at each event that its root finding reports: v_n = 0, mu N = |f| in stick,
 * v_t.s = mu N'/kt in slip. At the start and end of slip, where s changes fast, a millionth of the
 * duration is solved in closed form instead. Memory is allocated once and reused. */
#ifndef CAROM_BENCH_CVODE_COMPLIANT_H
#define CAROM_BENCH_CVODE_COMPLIANT_H

#include "support/contact/impact.h"

typedef struct CvodeCompliant CvodeCompliant;

/* NULL if out of memory. */
CvodeCompliant *cvode_compliant_create(double tolerance);

/* Accepts NULL. */
void cvode_compliant_destroy(CvodeCompliant *contact);

/* Impulse and velocity; ok is 0 if CVODE failed or there were too many events. */
void cvode_compliant_solve(CvodeCompliant *contact, const Impact *impact, Answer *answer);

#endif
