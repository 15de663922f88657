/* The bodies of a world at equal steps of time.
 *
 * Balls move by closed forms, which the record keeps; a convex body has steps of lasting contact
 * that are no events. So a world with convex bodies is run once more, and looked at on the way. It
 * takes the same path: to look does not change it. The exception is a convex body that is alone: in
 * lasting contact its steps end at the samples, so they agree with the record within the error of
 * that contact (1e-8 of the body's size in a step). */
#ifndef CAROM_CLI_WORLD_WORLD_SAMPLES_H
#define CAROM_CLI_WORLD_WORLD_SAMPLES_H

#include "world/world_scene.h"

/* A body at a time. */
typedef void (*WorldSample)(void *user, double time, int body, const CaromBody *state,
                            CaromPhase phase);

/* Run the world up to a time. All bodies are seen at 0, 1/rate, 2/rate, ... and at the end; those
 * of an event when it has happened, and those of an impact also before. False: see *error. */
bool world_samples(const WorldScene *scene, double end, double rate, WorldSample sample, void *user,
                   Error *error);

#endif
