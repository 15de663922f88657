/* The distance of a point from a convex hull. */
#ifndef CAROM_FLIGHT_HULL_DISTANCE_H
#define CAROM_FLIGHT_HULL_DISTANCE_H

#include "flight/hull.h"

/* Distance of a point from the hull, in its axes; negative: inside. Fills the nearest point and the
 * unit vector from there to the point (inside: the normal of the nearest face). */
double crm_hull_distance(const Hull *hull, const double y[3], double nearest[3], double normal[3]);

#endif
