/* A piece of a network without friction where no link is held: the same series as expand.h's, but
 * as derivatives. With time in units of the shortest period, P = unit N, and x the distance that
 * v = x' has covered since P was 0,
 *
 *   v' = W P,   P = rate x,   rate = -k unit^2,   I' = P:
 *
 * each derivative follows from the last but one, x from the state, v from the state, then
 * W rate x ... The term of order g is the derivative times t^g/g!.
 *
 * The equations of an elastic link (e = 1) do not change at the ends and restarts of its
 * compression: they are reported, but do not end the piece. */
#ifndef CAROM_MULTIPLE_PLAIN_H
#define CAROM_MULTIPLE_PLAIN_H

#include "multiple/network.h"

/* Does this hold for the piece that begins here? */
int crm_plain_applies(const Network *network);

/* The speed and the force of a link over the piece in hand. */
void crm_plain_series(const Network *network, int link, double speed[TERMS], double force[TERMS]);

void crm_plain_expand(Network *network);
void crm_plain_watch(Network *network);
void crm_plain_advance(Network *network);

#endif
