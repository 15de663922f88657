/* The contacts that touch at the moment of an impact. */
#ifndef CAROM_WORLD_TOUCHING_H
#define CAROM_WORLD_TOUCHING_H

#include "world/world_state.h"

/* Collect into world->cluster all contacts that touch now, from some bodies on: theirs, those of
 * the bodies they touch, and so on. */
void crm_touching_gather(CaromWorld *world, const int *bodies, int count);

/* Add a body that is not in the world, and its contact with a ball that is in the cluster; the site
 * says where, its first body is the ball's. */
void crm_touching_add_cue(CaromWorld *world, const CaromBody *cue, const CaromContact *contact,
                          CaromSite *site);

/* Complete the cluster: add the immovable body, leave out contacts that cannot act, sort. */
void crm_touching_finish(CaromWorld *world);

/* Forget it. */
void crm_touching_release(CaromWorld *world);

/* A body as it is now. */
void crm_touching_state(const CaromWorld *world, const WorldBody *body, CaromBody *state);

#endif
