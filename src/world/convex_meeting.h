/* When a ball meets a convex body. */
#ifndef CAROM_WORLD_CONVEX_MEETING_H
#define CAROM_WORLD_CONVEX_MEETING_H

#include "world/world_state.h"

typedef struct ConvexMeeting {
    double time; /* INFINITY: not before the time given */
    bool look;   /* undecided up to this time, where the search has to go on */
    bool failed; /* the flight could not be followed */
} ConvexMeeting;

/* From the later beginning of the two pieces, up to a time. The answer does not depend on that
 * time but for being INFINITY beyond it. Contacts that touch or press each other follow the rule of
 * meeting.h. */
ConvexMeeting crm_convex_meeting(const CaromWorld *world, const WorldBody *ball,
                                 const WorldBody *convex, double until);

/* Gap of a ball at a place and a convex body in a state, the nearest point of the body relative to
 * its centre, and the direction from there to the ball; world axes. */
double crm_convex_meeting_gap(const WorldBody *convex, const CaromBody *state, const double ball[3],
                              double radius, double arm[3], double normal[3]);

#endif
