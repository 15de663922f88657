/* What the files of free flight share. */
#ifndef CAROM_FLIGHT_FLIGHT_H
#define CAROM_FLIGHT_FLIGHT_H

#include <carom/flight.h>
#include <stdbool.h>

/* NULL if the body can fly, or a constant string that names what is wrong. */
const char *flight_problem(const CaromBody *body, const double gravity[3]);

/* NULL if the shape and the plane can be used, or likewise. n is the unit normal. */
const char *shape_problem(const CaromShape *shape);
const char *plane_problem(const CaromPlane *plane, double n[3]);

/* Move the centre of mass for a time of either sign. */
void flight_move(CaromBody *body, const double gravity[3], double dt);

/* Every number of the body is finite. */
bool body_is_finite(const CaromBody *body);

#endif
