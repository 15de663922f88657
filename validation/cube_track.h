/* Impacts from tracked tosses of a cube (Pfrommer, Halm, Posa, ContactNets): those between two
 * flights, extracted by fitting both. */
#ifndef CAROM_VALIDATION_CUBE_TRACK_H
#define CAROM_VALIDATION_CUBE_TRACK_H

#include <stdio.h>

#include "judge.h"

typedef struct CubeCounts {
    int tosses;
    int impacts; /* between two flights */
    int kept;    /* those that impulses at the corners explain */
} CubeCounts;

/* The impacts of all tosses, in order; set is filled. Velocities are in axes with y up. */
void cube_track_read(FILE *file, Set *set, CubeCounts *counts);

#endif
