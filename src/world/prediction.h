/* The next event of a body, from its motion and that of its neighbours. */
#ifndef CAROM_WORLD_PREDICTION_H
#define CAROM_WORLD_PREDICTION_H

#include "world/world_state.h"

/* Find the next event of a body, and put it into the heap. False: the flight of a convex body could
 * not be followed; *status and *message say why. */
bool crm_prediction_update(CaromWorld *world, int body, CaromStatus *status, const char **message);

/* The same for all bodies, after the grid has been fitted. */
bool crm_prediction_update_all(CaromWorld *world, CaromStatus *status, const char **message);

/* True if the event that a body waits for is out of date: its partner has changed. */
bool crm_prediction_is_stale(const CaromWorld *world, const Awaited *next);

/* Distance of a ball at its state in motion from a cushion, and the direction from the cushion to
 * the centre (may be NULL). */
double crm_prediction_cushion_gap(const CaromWorld *world, const WorldCushion *cushion,
                                  const CaromMotion *motion, double radius, double normal[3]);

#endif
