/* Checks shared by the fuzz targets of scene readers. */
#ifndef CAROM_FUZZ_READER_H
#define CAROM_FUZZ_READER_H

#include "base/error.h"
#include "scene/scene.h"

/* Print the message and abort unless the condition holds. */
void require(int condition, const char *what);

/* A refused scene has a message of printable characters and owns no memory. */
void check_refusal(const Scene *scene, const Error *error);

#endif
