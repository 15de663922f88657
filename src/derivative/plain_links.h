/* The links of a piece without friction: those that act, and those that are held, eliminated. */
#ifndef CAROM_DERIVATIVE_PLAIN_LINKS_H
#define CAROM_DERIVATIVE_PLAIN_LINKS_H

#include "derivative/plain_state.h"

/* List A and H of a piece, and eliminate H. 0: its reactions are not unique. */
int crm_plain_choose(PlainBack *back, const PlainLink *links);

/* x = W_HH^-1 x */
void crm_plain_solve_held(const PlainBack *back, double *x);

#endif
