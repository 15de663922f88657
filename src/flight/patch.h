/* The corners of vertices that lie in one plane. */
#ifndef CAROM_FLIGHT_PATCH_H
#define CAROM_FLIGHT_PATCH_H

#include <carom/flight.h>

/* Put the corners of the convex hull of the listed vertices first in the list, in counterclockwise
 * order seen against nu, and return how many there are. Vertices within a distance of another
 * corner, or of the line between two, are left out. */
int crm_patch_wrap(const double *vertices, const double nu[3], double near, int *list, int count);

#endif
