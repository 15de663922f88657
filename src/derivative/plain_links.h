/* The links of a piece without friction: those that are held, eliminated, and the others. */
#ifndef CAROM_DERIVATIVE_PLAIN_LINKS_H
#define CAROM_DERIVATIVE_PLAIN_LINKS_H

#include "derivative/plain_state.h"

/* List R and H of a piece, and eliminate H if it is not that of the piece after. 0: its reactions
 * are not unique. */
int crm_plain_choose(PlainBack *back, const PlainLink *links);

#endif
