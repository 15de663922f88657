/* The planar solver as the general calls use it. */
#ifndef CAROM_PLANAR_PLANAR_H
#define CAROM_PLANAR_PLANAR_H

#include "contact/record.h"

/* carom_planar_solve(), with samples of the process unless sampler is NULL. */
CaromStatus crm_planar_solve(const double W[4], const double v[2], const CaromContact *contact,
                             CaromLaw law, Sampler *sampler, CaromResult *result);

#endif
