/* The competitor: one compliant contact as a user of a general ODE solver would do it.
 *
 * CVODE (Adams, fixed-point iteration) integrates the impulse I, the normal force N and the force f
 * of the tangential spring over time, with v = v- + W I:
 *
 *   I' = (-f, N),   N' = -k v_n,   stick: f' = kt v_t,
 *   slip: f' = mu N' s + kt (v_t - (v_t.s) s),   s = f/|f|
 *
 * and starts again at each event that its root finding reports: v_n = 0, mu N = |f| in stick,
 * v_t.s = mu N'/kt in slip. Slip from the first touch starts a millionth of the impact's time late
 * and ends as much early, where s changes fast; what is missing is closed form. Memory is made once
 * and used again. */
#ifndef CAROM_BENCH_CVODE_COMPLIANT_H
#define CAROM_BENCH_CVODE_COMPLIANT_H

#include "support/contact/impact.h"

typedef struct CvodeCompliant CvodeCompliant;

/* NULL if out of memory. */
CvodeCompliant *cvode_compliant_create(double tolerance);

/* Accepts NULL. */
void cvode_compliant_destroy(CvodeCompliant *contact);

/* Impulse and velocity; ok is 0 if CVODE failed or the events had no end. */
void cvode_compliant_solve(CvodeCompliant *contact, const Impact *impact, Answer *answer);

#endif
