/* One impact of a world: solve what touches, and give the bodies their new motions. */
#ifndef CAROM_WORLD_WORLD_IMPACT_H
#define CAROM_WORLD_WORLD_IMPACT_H

#include "world/world_state.h"

/* Solve the cluster. CAROM_NOT_APPROACHING: nothing happens. The impact, which points into the
 * cluster, and its problem and result, are filled for a visitor. */
CaromStatus crm_world_impact_solve(CaromWorld *world, CaromWorldImpact *impact,
                                   CaromProblem *problem, CaromResult *result);

/* Give the bodies of the cluster the velocities after, and let them go on: fly, or stay on a plane.
 * The first `starts` bodies get a new piece of motion in any case, the others if they have changed.
 * Lists them in cluster->moved and returns how many there are. */
int crm_world_impact_apply(CaromWorld *world, int starts);

/* Let a ball go on from the state in its motion: stay on a level plane that it touches and does not
 * leave faster than `rest`, or fly. */
void crm_world_impact_continue(const CaromWorld *world, WorldBody *body);

#endif
