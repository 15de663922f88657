/* Reading the part of a scene about the time after the impact: a ball on a table. */
#ifndef CAROM_CLI_SCENE_SCENE_ROLL_H
#define CAROM_CLI_SCENE_SCENE_ROLL_H

#include "base/field.h"
#include "scene/scene.h"

/* Read "roll" into a scene whose bodies have been read. False: the error is set. */
bool scene_roll_read(const Field *root, Scene *scene);

#endif
