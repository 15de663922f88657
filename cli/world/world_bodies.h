/* The balls and convex bodies of a world. */
#ifndef CAROM_CLI_WORLD_WORLD_BODIES_H
#define CAROM_CLI_WORLD_WORLD_BODIES_H

#include "base/field.h"
#include "world/world_scene.h"

/* Read "balls" and "bodies" of the field "world"; the materials have been read. The balls come
 * first. */
bool world_bodies_read(const Field *world, WorldScene *scene);

#endif
