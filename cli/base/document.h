/* A JSON document: from a file, or from bytes of any origin, to the parsed value.
 *
 * What is no JSON is refused with the place, by field as well as by line. Whole numbers become
 * reals, and a name that an object has twice is a fault. */
#ifndef CAROM_CLI_DOCUMENT_H
#define CAROM_CLI_DOCUMENT_H

#include <stddef.h>

#include <jansson.h>

#include "scene/scene.h"

/* Read a document from a file ("-": standard input). The caller owns it; NULL: *error says why. */
json_t *document_read_file(const char *path, SceneError *error);

/* The bytes of a file ("-": standard input) and a final zero; of a file larger than a scene may be
 * its beginning, which is too large as well. The caller frees them; NULL: *error says why. */
char *document_read_bytes(const char *path, size_t *size, SceneError *error);

/* As document_read_file(), from memory; the bytes need no final zero and may be anything. */
json_t *document_read_memory(const char *bytes, size_t size, SceneError *error);

#endif
