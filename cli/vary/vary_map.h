/* A map: the outcomes of a scene over the ranges of two of its numbers. */
#ifndef CAROM_CLI_VARY_VARY_MAP_H
#define CAROM_CLI_VARY_VARY_MAP_H

#include <stdio.h>

#include "base/words.h"
#include "solve/solution.h"
#include "vary/vary_range.h"

/* Owns its arrays. */
typedef struct VaryMap {
    const Vary *vary;
    FILE *file;      /* rows are written there; NULL: the shown value of each point is kept */
    int columns;     /* of numbers */
    double *numbers; /* of the point in hand */
    int shown;       /* the column to keep */
    double *kept;    /* NULL with a file */
    int count;       /* of points so far */
} VaryMap;

/* A map of a scene as CSV, its heading written to the file; or with file NULL for a picture that
 * shows a component by its path in the scene ("": the loss of energy). False: see *error. Use
 * vary_map_free() in any case. */
bool vary_map_create(const Scene *scene, const Vary *vary, FILE *file, const char *shown,
                     VaryMap *map, Error *error);
void vary_map_free(VaryMap *map);

/* Add the point at the values of both ranges. False: out of memory. */
bool vary_map_add(VaryMap *map, const Scene *scene, const double values[2],
                  const Solution *solution);

#endif
