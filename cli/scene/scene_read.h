/* Reading a scene from JSON.
 *
 * The reader checks each field by itself (type, size, range, names) and reports the first error
 * with the path of the field, e.g. "contacts[0].mu: must be a number >= 0, got -1". The library
 * checks the mechanics (W positive definite, approaching contacts). */
#ifndef CAROM_CLI_SCENE_SCENE_READ_H
#define CAROM_CLI_SCENE_SCENE_READ_H

#include <jansson.h>

#include "base/error.h"
#include "scene/scene.h"

/* Read a scene from a file ("-": standard input). False: *scene is all zero, see *error. */
bool scene_read_file(const char *path, Scene *scene, Error *error);

/* As scene_read_file(), from memory; the bytes may be anything and need no final zero. */
bool scene_read_memory(const char *bytes, size_t size, Scene *scene, Error *error);

/* Fill an all-zero scene from a parsed document. False: see *error, and scene_free() what was read
 * so far. */
bool scene_from_json(json_t *document, Scene *scene, Error *error);

#endif
