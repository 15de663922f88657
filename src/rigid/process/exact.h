/* The exact solve of one rigid contact, with the checks of its input and its answer. */
#ifndef CAROM_RIGID_EXACT_H
#define CAROM_RIGID_EXACT_H

#include "contact/record.h"

/* crm_rigid_solve() by the plain copy of the solver, and by the one for AVX2 and FMA (solver.c). */
CaromStatus crm_rigid_exact(const double W[9], const double v[3], const CaromContact *contact,
                            CaromLaw law, Sampler *sampler, CaromResult *result);
CaromStatus crm_rigid_exact_fma(const double W[9], const double v[3], const CaromContact *contact,
                                CaromLaw law, Sampler *sampler, CaromResult *result);

#endif
