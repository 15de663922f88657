/* Free flight: the check of its input, and the motion of the centre of mass. */
#ifndef CAROM_FLIGHT_FLIGHT_H
#define CAROM_FLIGHT_FLIGHT_H

#include <carom/flight.h>
#include <stdbool.h>

/* NULL if the body can fly, else a constant string that names the bad field. */
const char *crm_flight_problem(const CaromBody *body, const double gravity[3]);

/* Move the centre of mass by dt, which may be negative. */
void crm_flight_move(CaromBody *body, const double gravity[3], double dt);

/* True if position, orientation and velocities are finite. */
bool crm_body_is_finite(const CaromBody *body);

#endif
