/* The shot of a world: a ball hit by a cue. */
#ifndef CAROM_CLI_WORLD_WORLD_SHOT_H
#define CAROM_CLI_WORLD_WORLD_SHOT_H

#include "base/field.h"
#include "world/world_scene.h"

/* Read "shot" of the field "world", if there is one; the balls have been read. */
bool world_shot_read(const Field *world, WorldScene *scene);

#endif
