/* Where a convex body is at a time of its piece of motion.
 *
 * In flight it turns by Euler's equations. In lasting contact a piece is a step of
 * carom_lasting_advance(): the centre moves by a polynomial of degree 2, and the body is turned by
 * t omega + t^2 arc, such that both ends of the step are met. Its speeds between are those with
 * which the energy falls evenly. At rest nothing changes. */
#ifndef CAROM_WORLD_CONVEX_PATH_H
#define CAROM_WORLD_CONVEX_PATH_H

#include "world/world_state.h"

/* The body at a time; false: its flight could not be followed. */
bool crm_convex_path_at(const CaromWorld *world, const WorldBody *body, double time,
                        CaromBody *state);

/* Move a state of the body from one time of its piece to a later one. */
bool crm_convex_path_move(const CaromWorld *world, const WorldBody *body, double from, double to,
                          CaromBody *state);

/* Upper bounds of |omega| and |omega'| over the piece. */
void crm_convex_path_bounds(const CaromWorld *world, const WorldBody *body, double *turn,
                            double *change);

/* Begin a piece of lasting contact that lasts for a time and ends with a state. */
void crm_convex_path_stay(const CaromWorld *world, WorldBody *body, double time,
                          const CaromBody *end);

/* Kinetic and potential energy of a body. */
double crm_convex_path_energy(const CaromWorld *world, const CaromBody *state);

#endif
