/* One rigid contact with a singular W: directions that the mechanism cannot move
 * (rigid/process/semidefinite.h). */
#ifndef CAROM_DERIVATIVE_SINGULAR_SLOPE_H
#define CAROM_DERIVATIVE_SINGULAR_SLOPE_H

#include "contact/units.h"
#include "derivative/one.h"

/* No tangential direction moves but by B and d along the slip, which are 0 or so: slip keeps its
 * direction and does not stop. All in the impact's own units, the slip along the first axis. */
void crm_slide_slope(const Units *units, double B, double d, double speed,
                     const CaromContact *contact, OneSlope *out);

/* Take away the derivatives by what is along the locked direction t of the tangent plane. */
void crm_locked_spoil(const double t[2], OneSlope *out);

#endif
