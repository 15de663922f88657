/* Rows of bodies without friction: each link couples to two others at most, and a push at one
 * drives its neighbours together. In the order of the row W is tridiagonal, with no positive
 * entries beside the diagonal; several rows one after another will do. The equations and series are
 * those of plain.h; two properties of rows make pieces cheap.
 *
 * Held links never open: their reactions -W_HH^-1 W_HA N_A are not negative, because the inverse of
 * such a matrix has no negative entries. So held neighbours are one body, and the links A that are
 * not held form a row again, with W' = W_AA - W_AH W_HH^-1 W_HA.
 *
 * Influence spreads by one link every two orders. Orders that are negligible throughout a block of
 * links and next to it are left out: most of them if one link has become much stiffer than the
 * others, which then determines the length of the pieces. */
#ifndef CAROM_MULTIPLE_ROW_H
#define CAROM_MULTIPLE_ROW_H

#include "multiple/network.h"

typedef struct Row Row;

/* Shorter rows gain nothing. */
enum { SHORTEST_ROW = 8 };

size_t crm_row_bytes(int count);
/* Lay out row in its block of crm_row_bytes(count) and find its order. 0: this is no row. */
int crm_row_find(const Given *given, Row *row);

/* Go on from event to event as long as this is a row. 1: nothing acts any more. */
int crm_row_run(Network *network);

#endif
