/* The field of a JSON text to which a byte belongs. */
#ifndef CAROM_CLI_BASE_JSON_PLACE_H
#define CAROM_CLI_BASE_JSON_PLACE_H

#include <stddef.h>

/* The field at a position of the text. */
typedef struct JsonPlace {
    char path[128]; /* e.g. "contacts[0].mu"; "" for the document itself or if it is too deep */
    size_t value;   /* where the field's value starts; the position if it has none yet */
} JsonPlace;

/* Scan the first position bytes of a text; the rest may be invalid. */
JsonPlace json_place_find(const char *text, size_t position);

#endif
