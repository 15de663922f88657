/* The solver for one rigid contact as the general calls use it. */
#ifndef CAROM_RIGID_RIGID_H
#define CAROM_RIGID_RIGID_H

#include "contact/record.h"

/* Check the input of one rigid contact, all but the definiteness of W. */
CaromStatus crm_rigid_check(const double W[9], const double v[3], const CaromContact *contact,
                            const char **message);

/* carom_rigid_solve(), with samples of the process unless sampler is NULL. */
CaromStatus crm_rigid_solve(const double W[9], const double v[3], const CaromContact *contact,
                            CaromLaw law, Sampler *sampler, CaromResult *result);

#endif
