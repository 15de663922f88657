/* Tracked tosses of a cube (Pfrommer, Halm, Posa, ContactNets), and the impacts between two
 * flights, extracted by fitting both. */
#ifndef CAROM_VALIDATION_CUBE_TRACK_H
#define CAROM_VALIDATION_CUBE_TRACK_H

#include <stdio.h>

#include <carom/body.h>
#include <carom/measure.h>

#include "judge.h"

/* Frames of a toss; of a flight at least, and at most those that are fitted. */
enum { CUBE_FRAMES_MAX = 2000, CUBE_FLIGHT_LEAST = 4, CUBE_FLIGHT_MOST = 16, CUBE_CORNERS = 8 };

/* Lengths of the data are 2 % short: the centre rests at 51.2 mm, flights fall with 9.61 m/s^2. */
#define CUBE_HALF 0.0512
#define CUBE_GRAVITY 9.61
#define CUBE_MASS 0.37
#define CUBE_INERTIA 8.1e-4

typedef struct CubeTrack {
    int count;
    CaromTrackPoint frames[CUBE_FRAMES_MAX];
} CubeTrack;

/* Corner number i from the centre, in world axes, with z up. */
void cube_corner(const double q[4], int i, double *corner);

/* Which corners are at the table, as bits. */
unsigned cube_touching(const CaromTrackPoint *p);

/* The cube at a frame, with the velocities of a fitted flight. */
CaromBody cube_body(const CaromTrackPoint *point, const CaromTrackTumble *tumble);

typedef void CubeVisit(void *user, const CubeTrack *track);

/* Each toss of a file, in order. */
void cube_track_visit(FILE *file, CubeVisit *visit, void *user);

typedef struct CubeCounts {
    int tosses;
    int impacts; /* between two flights */
    int kept;    /* those that impulses at the corners explain */
} CubeCounts;

/* The impacts of all tosses, in order; set is filled. Velocities are in axes with y up. */
void cube_track_read(FILE *file, Set *set, CubeCounts *counts);

#endif
