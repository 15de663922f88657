/* One rigid contact, spatial or planar: solve and differentiate. */
#ifndef CAROM_DERIVATIVE_RIGID_CHOICE_H
#define CAROM_DERIVATIVE_RIGID_CHOICE_H

#include "derivative/one.h"

/* The status of the solve; CAROM_NOT_CONVERGED with slope->message if there are no derivatives. The
 * inputs and outcomes of a planar contact are those of the spatial one with a second tangent that
 * does nothing. */
CaromStatus crm_rigid_slope(const double W[9], const double v[3], const CaromContact *contact,
                            CaromLaw law, CaromResult *result, OneSlope *slope);
CaromStatus crm_planar_slope(const double W[4], const double v[2], const CaromContact *contact,
                             CaromLaw law, CaromResult *result, OneSlope *slope);

#endif
