/* One compliant contact: solve and differentiate. */
#ifndef CAROM_DERIVATIVE_COMPLIANT_FOLLOW_H
#define CAROM_DERIVATIVE_COMPLIANT_FOLLOW_H

#include "derivative/one.h"

/* As crm_rigid_slope(); mu > 0. rows: 3, or 2 in a planar problem. */
CaromStatus crm_compliant_follow(const double *W, const double *v, int rows,
                                 const CaromContact *contact, CaromResult *result, OneSlope *slope);

#endif
