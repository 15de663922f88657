/* Answers among all sets of modes: each contact is open, sticks, or slips one way or the other. */
#ifndef CAROM_IMPULSE_MODE_SETS_H
#define CAROM_IMPULSE_MODE_SETS_H

#include "impulse/search.h"

/* I and v of the modes of search->state, in the softened problem. 0: their system is singular. */
int crm_mode_sets_solve(AnswerSearch *search);

/* All answers of a planar problem are kept; of a continuum those of least energy. */
void crm_mode_sets_planar(AnswerSearch *search);

/* The same in space as far as Newton's method finds the directions of slip, from the slip before
 * and against it. */
void crm_mode_sets_spatial(AnswerSearch *search);

#endif
