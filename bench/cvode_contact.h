/* Competitor: one rigid contact as a user of a general ODE solver would solve it.
 *
 * CVODE (Adams, fixed-point iteration) integrates (I_x, I_y, E) over the normal impulse p, with
 * gamma = gamma- + d p + B I_t and v_n = v_n- + w p + d.I_t; root finding stops it at v_n = 0, at
 * E = 0, and where the slip has fallen to a millionth of its start. From there the slip is taken
 * straight to zero, and the rest is closed form. Memory is allocated once and reused. */
#ifndef CAROM_BENCH_CVODE_CONTACT_H
#define CAROM_BENCH_CVODE_CONTACT_H

#include "support/contact/impact.h"

typedef struct CvodeContact CvodeContact;

/* NULL if out of memory. */
CvodeContact *cvode_contact_create(double tolerance);

/* Accepts NULL. */
void cvode_contact_destroy(CvodeContact *contact);

/* Impulse and velocity; ok is 0 if CVODE failed. */
void cvode_contact_solve(CvodeContact *contact, const Impact *impact, Answer *answer);

#endif
