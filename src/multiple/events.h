/* Going to the next event, and what happens there: all events of the same moment together. */
#ifndef CAROM_MULTIPLE_EVENTS_H
#define CAROM_MULTIPLE_EVENTS_H

#include "multiple/network.h"

/* Apply and report what the series have decided: links that begin to act, are held, or open. */
void crm_events_commit(Network *network);

/* Go to the moment of the piece. */
void crm_events_advance(Network *network);

/* Apply all events of this moment, and the jump of the reactions that follows. */
void crm_events_happen(Network *network);

/* The same step by step. A link that touched acts or opens from here on; */
void crm_events_decide(Network *network, int i, LinkPhase phase);
/* its v_n passes 0 (speed; its rate is known), or its force falls to where it opens; *jumps = 1: it
 * is held now; */
void crm_events_at(Network *network, int i, int speed, int force, int *jumps);
/* a held link pushes: it is reported as latched; */
void crm_events_latch(Network *network, int i);
/* reactions jump. closed: a link has closed or is held. */
void crm_events_settle(Network *network, int jumps, int restless, int closed);

/* Compression ends or restarts at an elastic link, whose equations do not change. */
void crm_events_turn(Network *network, int i);

/* Nothing acts any more: open all links. */
void crm_events_finish(Network *network);

#endif
