/* Torque-free rotation of a body. */
#ifndef CAROM_FLIGHT_TURN_H
#define CAROM_FLIGHT_TURN_H

#include <carom/body.h>
#include <stdbool.h>

/* Order of the series: allows steps of about 2 radians at rounding level, without cancellation. */
#define TURN_ORDER 20

/* The constants of the rotation, and the current orientation. */
typedef struct Turn {
    double factor[6]; /* Cholesky factor of the inertia J, body axes */
    double L[3];      /* angular momentum, world axes */
    double size;      /* |L| */
    double energy;    /* omega.J omega/|L|, twice the energy of the rotation over |L| */
    double omega[3];  /* angular velocity at the start, world axes */
    double pace;      /* upper bound of |omega|, > 0; 1/pace is the unit of time inside */
    bool steady;      /* omega is constant */
    double q[4];      /* current orientation, of unit length */
} Turn;

/* Taylor series of one step, in powers of pace times the time since its start. */
typedef struct TurnSeries {
    double q[TURN_ORDER + 1][4];  /* orientation */
    double nu[TURN_ORDER + 1][3]; /* a direction fixed in the world, in body axes */
    int order;                    /* of the highest coefficients, at least 2 */
    double reach;                 /* time up to which the series hold, at most the span asked for */
} TurnSeries;

/* Start from a checked body; its quaternion is normalised. */
Turn crm_turn_start(const CaromBody *body);

/* The series from the current orientation, for a time up to |span|, which may be infinite.
 * direction is in world axes; NULL: nu is 0. */
void crm_turn_series(const Turn *turn, const double *direction, double span, TurnSeries *series);

/* Move the orientation to a time of the series within its reach. */
void crm_turn_follow(Turn *turn, const TurnSeries *series, double time);

/* Turn for a time of either sign. Counts *steps down; false if they run out. */
bool crm_turn_advance(Turn *turn, double time, int *steps);

/* Give the body the current orientation and angular velocity. */
void crm_turn_finish(const Turn *turn, CaromBody *body);

#endif
