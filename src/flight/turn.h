/* Rotation of a body on which no torque acts. */
#ifndef CAROM_FLIGHT_TURN_H
#define CAROM_FLIGHT_TURN_H

#include <carom/body.h>
#include <stdbool.h>

/* Order of the series: steps of about 2 radians at rounding level, where sums do not yet cancel. */
#define TURN_ORDER 20

/* What stays while a body turns, and its orientation now. */
typedef struct Turn {
    double factor[6]; /* Cholesky factor of the inertia J, body axes */
    double L[3];      /* angular momentum, world axes */
    double size;      /* |L| */
    double energy;    /* omega.J omega/|L|, twice the energy of the rotation over |L| */
    double omega[3];  /* angular velocity at the start, world axes */
    double pace;      /* an upper bound of |omega|, > 0, whose inverse is the unit of time inside */
    bool steady;      /* omega is constant */
    double q[4];      /* orientation now */
} Turn;

/* Taylor series of one step, in powers of pace times the time since its start. */
typedef struct TurnSeries {
    double q[TURN_ORDER + 1][4];  /* orientation */
    double nu[TURN_ORDER + 1][3]; /* a direction fixed in the world, in body axes */
    int order;                    /* of the highest coefficients, at least 2 */
    double reach;                 /* in time: how far the series hold, at most as far as asked */
} TurnSeries;

/* The body has been checked. */
Turn turn_start(const CaromBody *body);

/* The series from now on, for a time up to span (its sign does not matter; may be infinite).
 * direction is in world axes; NULL: none, nu is 0. */
void turn_series(const Turn *turn, const double *direction, double span, TurnSeries *series);

/* Move the orientation to a time of the series, at most its reach. */
void turn_follow(Turn *turn, const TurnSeries *series, double time);

/* Turn for a time of either sign. False: the steps left in *steps did not do; it is counted down.
 */
bool turn_advance(Turn *turn, double time, int *steps);

/* Give the body the orientation of now and the angular velocity that belongs to it. */
void turn_finish(const Turn *turn, CaromBody *body);

#endif
