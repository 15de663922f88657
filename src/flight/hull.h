/* The faces and edges of the convex hull of vertices.
 *
 * Points within HULL_NEAR of the size of each other, of an edge or of a face belong together: faces
 * are polygons, and points inside the hull do no harm. Flat hulls have two faces, hulls on a line
 * one edge, a point an edge without length. */
#ifndef CAROM_FLIGHT_HULL_H
#define CAROM_FLIGHT_HULL_H

#include <stddef.h>

#include <carom/flight.h>

/* Covers the rounding of vertices that were copied with ten digits. */
#define HULL_NEAR 1e-9

/* Memory is the caller's, by the functions below. */
typedef struct Hull {
    const double *vertices;
    double size; /* distance of the farthest vertex from the origin */
    int face_count, edge_count;
    double *planes; /* per face: outward unit normal, and its product with a point of the face */
    int *starts;    /* per face, and of the end: where its corners begin */
    int *corners;   /* of all faces, counterclockwise seen from outside */
    int *edges;     /* two vertices each */
    int *room;      /* to work in */
} Hull;

/* Numbers and ints of memory that a hull of so many vertices takes. */
size_t crm_hull_numbers(int vertex_count);
size_t crm_hull_ints(int vertex_count);

/* Find faces and edges. NULL, or why they cannot be told: a constant string. */
const char *crm_hull_build(const CaromShape *shape, double *numbers, int *ints, Hull *hull);

#endif
