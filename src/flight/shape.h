/* Checks of the shape and the plane that carom/flight.h describes. */
#ifndef CAROM_FLIGHT_SHAPE_H
#define CAROM_FLIGHT_SHAPE_H

#include <carom/flight.h>

/* NULL if the shape is usable, else a constant string that names the bad field. */
const char *crm_shape_problem(const CaromShape *shape);

/* The same for the plane; fills n, its unit normal. */
const char *crm_plane_problem(const CaromPlane *plane, double n[3]);

#endif
