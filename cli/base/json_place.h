/* Where in a JSON text a byte lies: the path of the field around it. */
#ifndef CAROM_CLI_JSON_PLACE_H
#define CAROM_CLI_JSON_PLACE_H

#include <stddef.h>

/* The field that was being written when the text had come to a position. */
typedef struct JsonPlace {
    char path[128]; /* e.g. "contacts[0].mu"; "" for the document itself or too deep to say */
    size_t value;   /* where the field's value starts, or the position if it has none yet */
} JsonPlace;

/* Walk over the first position bytes of a text, which may be broken from there on. */
JsonPlace json_place_find(const char *text, size_t position);

#endif
