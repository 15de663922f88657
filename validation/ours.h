/* The models of carom as planar impacts. */
#ifndef CAROM_VALIDATION_OURS_H
#define CAROM_VALIDATION_OURS_H

#include "impact.h"

/* Fill models; returns their number. The first is the rigid, energetic one. */
int ours_models(Model *models);

/* Does slip stop in the rigid, energetic model? */
bool ours_slip_stops(const Impact *impact, const double *coefficients);

#endif
