/* A mechanism to simulate, read from JSON: the fields "mechanism", "gravity", "contacts" (one,
 * without a place), "simulate", and name, description, units, restitution as in any scene. */
#ifndef CAROM_CLI_MECHANISM_MECHANISM_SCENE_H
#define CAROM_CLI_MECHANISM_MECHANISM_SCENE_H

#include <jansson.h>

#include "base/error.h"
#include "mechanism/double_pendulum.h"
#include "scene/scene.h"

/* Owns its scene. */
typedef struct MechanismScene {
    Scene scene; /* what all scenes have; one contact; its W and v mean nothing */
    DoublePendulum pendulum;
    double q[2], u[2]; /* at the start */
    double time;
    double rest; /* part of the hardest approach below which rebounds are suppressed */
} MechanismScene;

/* The document is borrowed. False: *scene is all zero, see *error. */
bool mechanism_scene_read(json_t *document, MechanismScene *scene, Error *error);
void mechanism_scene_free(MechanismScene *scene);

#endif
