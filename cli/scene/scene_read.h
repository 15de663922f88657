/* From a parsed JSON document to a scene. */
#ifndef CAROM_CLI_SCENE_JSON_H
#define CAROM_CLI_SCENE_JSON_H

#include <jansson.h>

#include "scene/scene.h"

/* Fill an all-zero scene. On failure *error says what is wrong with which field, and the scene
 * holds what was read so far: scene_free() it either way. */
bool scene_from_json(json_t *document, Scene *scene, SceneError *error);

#endif
