/* What a picture of a world with convex bodies has beside that of balls: paths by samples, and
 * outlines. */
#ifndef CAROM_CLI_WORLD_WORLD_TRACKS_H
#define CAROM_CLI_WORLD_WORLD_TRACKS_H

#include <stdio.h>

#include "world/world_record.h"

/* The paths of all bodies, point by point. */
typedef struct WorldTracks {
    double (*points)[3];
    int *bodies;
    size_t count, room;
    bool no_memory;
} WorldTracks;

/* Fill all-zero tracks. False: see *error. */
bool world_tracks_follow(const WorldScene *scene, const WorldRecord *record, WorldTracks *tracks,
                         Error *error);

/* Write the path of a body as the data block $pathN of gnuplot. */
void world_tracks_write(const WorldTracks *tracks, int body, FILE *script);

/* Write the outlines of all convex bodies at the start (end 0) or at the end (1), x to the right
 * and an axis upwards, as the data block $shapes0y and so on. False: out of memory. */
bool world_outlines_write(const WorldScene *scene, const WorldRecord *record, int end, int up,
                          FILE *script);

void world_tracks_free(WorldTracks *tracks);

#endif
