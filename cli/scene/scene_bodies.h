/* Reading the bodies of a scene. */
#ifndef CAROM_CLI_SCENE_SCENE_BODIES_H
#define CAROM_CLI_SCENE_SCENE_BODIES_H

#include "base/field.h"
#include "scene/scene.h"

/* Read the bodies and where they touch, and compute W and v. The contacts' coefficients must have
 * been read before. */
bool scene_bodies_read(const Field *root, Scene *scene);

/* Read mass, inertia, place and motion of a body; its other fields are the caller's. */
bool scene_body_read_motion(const Field *field, CaromBody *body);

/* Read a body that is named by its index or its name. */
bool scene_body_reference(const Field *field, const Scene *scene, int *index);

#endif
