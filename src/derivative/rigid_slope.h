/* One rigid contact, spatial or planar: solve and differentiate, as compiled for one kind of
 * processor. */
#ifndef CAROM_DERIVATIVE_RIGID_SLOPE_H
#define CAROM_DERIVATIVE_RIGID_SLOPE_H

#include "derivative/copies.h"
#include "derivative/one.h"

/* The copies of crm_rigid_slope() and crm_planar_slope() (rigid_choice.h, copies.h). */
CaromStatus crm_rigid_slope_copy(const double W[9], const double v[3], const CaromContact *contact,
                                 CaromLaw law, CaromResult *result, OneSlope *slope);
CaromStatus crm_planar_slope_copy(const double W[4], const double v[2], const CaromContact *contact,
                                  CaromLaw law, CaromResult *result, OneSlope *slope);
#ifndef CAROM_FMA_COPY
CaromStatus crm_rigid_slope_fma(const double W[9], const double v[3], const CaromContact *contact,
                                CaromLaw law, CaromResult *result, OneSlope *slope);
CaromStatus crm_planar_slope_fma(const double W[4], const double v[2], const CaromContact *contact,
                                 CaromLaw law, CaromResult *result, OneSlope *slope);
#endif

#endif
