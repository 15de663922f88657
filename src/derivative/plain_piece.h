/* A piece without friction, backwards (plain_back.h). */
#ifndef CAROM_DERIVATIVE_PLAIN_PIECE_H
#define CAROM_DERIVATIVE_PLAIN_PIECE_H

#include "derivative/plain_state.h"

/* The records of elastic links that turn in a piece. */
typedef struct PlainTurns {
    const PlainTape *tape;
    int first, end;
} PlainTurns;

/* Back through a piece, by its time. */
void crm_plain_time(PlainBack *back, const PlainLink *links, double time, PlainTurns turns);

/* The same where link i acts alone, by its impulse. opens: N comes to its end there; first: N at
 * the start. */
void crm_plain_single(PlainBack *back, const PlainLink *links, int i, double p, int opens,
                      double first);

#endif
