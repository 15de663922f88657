/* The pieces of a ball's motion: flight, and sliding, rolling, spinning and rest on a plane. */
#ifndef CAROM_WORLD_BALL_MOTION_H
#define CAROM_WORLD_BALL_MOTION_H

#include "world/world_state.h"

/* Begin to fly from the state in body->motion, which may be a convex body's, too. */
void crm_ball_fly(const CaromWorld *world, WorldBody *body);

/* Stay on a level plane, from the state in body->motion; its velocity along the normal is dropped.
 * Begins to slide, roll, spin or rest. */
void crm_ball_settle(const CaromWorld *world, WorldBody *body, int plane);

/* Go to the end of the piece and begin the next. Returns what has ended. */
CaromWorldEventKind crm_ball_finish_piece(const CaromWorld *world, WorldBody *body);

/* True if it neither moves nor turns. */
bool crm_ball_is_still(const WorldBody *body);

#endif
