/* A convex body in lasting contact with the planes of its world. */
#ifndef CAROM_WORLD_CONVEX_CONTACT_H
#define CAROM_WORLD_CONVEX_CONTACT_H

#include "world/world_state.h"

/* Vertices in lasting contact touch within this part of the body's size; those of
 * carom_lasting_advance() do within 1e-7, and between the ends of a step they are where
 * convex_path.h puts them. */
#define CONVEX_CONTACT_TOUCH 1e-6

/* Follow a body that is the only one, from now to a time at most. Its motion and the world's time
 * are those of the end. */
CaromStatus crm_convex_contact_follow(CaromWorld *world, double limit, CaromLastingEnd *end,
                                      const char **message);

/* One step of a body among others, from its state in motion, which is of now: it begins a piece of
 * lasting contact (CAROM_LASTING_TIME), or comes to rest, flies, or is about to hit a plane. */
CaromStatus crm_convex_contact_step(CaromWorld *world, WorldBody *body, CaromLastingEnd *end,
                                    const char **message);

/* Lift a body out of all planes: its vertices may be inside them by the tolerance of lasting
 * contact, which flight does not allow. Its velocities pay for the energy of that. */
void crm_convex_contact_lift(const CaromWorld *world, const WorldBody *body, CaromBody *state);

/* Make a state the body's motion from now on; phase and accelerations stay. */
void crm_convex_contact_take(const CaromWorld *world, WorldBody *body, const CaromBody *state);

/* Begin the piece of motion anew at its present state. */
void crm_convex_contact_rebase(const CaromWorld *world, WorldBody *body);

#endif
