/* The steps of impacts in lanes, for callers that follow them: derivatives.
 *
 * A visitor is told each step before its slots are updated, so that they hold the state at its
 * start; after the last one it gets the slots of all impacts. It is compiled for the same processor
 * as the lanes. */
#ifndef CAROM_LANES_VISIT_H
#define CAROM_LANES_VISIT_H

#include "rigid_lanes/lanes_events.h"

#ifdef CAROM_LANES

/* MANY slots that do a step together, of which the first `count` count, where `kept` holds. */
typedef struct ManyStep {
    const Slots *slots;
    const short *slot;
    int count;
    ManyMask kept;
} ManyStep;

struct LanesVisitor {
    void *context;
    /* a stretch of slip that turns */
    void (*stretch)(void *context, const ManyStep *step, ManyKind kind, const ManyCurve *curve,
                    const ManyEvents *events);
    /* straight slip, and the rest from zero slip, to a state */
    void (*straight)(void *context, const ManyStep *step, const ManyState *to);
    void (*zero)(void *context, const ManyStep *step, const ManyState *to);
    /* all `count` slots at the end; id: their cases; open: by case, as crm_rigid_lanes() leaves it
     */
    void (*finish)(void *context, const Slots *slots, int count, const short *id,
                   const unsigned char *open);
};

#endif

#endif
