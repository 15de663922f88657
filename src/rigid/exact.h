/* The exact solve of one rigid contact. */
#ifndef CAROM_RIGID_EXACT_H
#define CAROM_RIGID_EXACT_H

#include "rigid/impact.h"

/* All of it: check the input, solve, check the answer. Samples are taken if there is a sampler. */
CaromStatus exact_solve(const double W[9], const double v[3], const CaromContact *contact,
                        CaromLaw law, Sampler *sampler, CaromResult *result);

/* The same by the copy for processors with AVX2 and FMA (fma/solver.c), which CAROM_FMA says is
 * there. */
CaromStatus exact_solve_fma(const double W[9], const double v[3], const CaromContact *contact,
                            CaromLaw law, Sampler *sampler, CaromResult *result);

/* Set up an impact in its own units from checked input. Returns 0 with a reason in *message if W
 * is not positive definite or the scales are beyond what doubles can hold. */
INTERNAL int exact_begin(Impact *impact, const double W[9], const double v[3],
                         const CaromContact *contact, CaromLaw law, CaromResult *result,
                         const char **message);

/* After exact_begin() failed: go on if W is singular but semidefinite, with the limit that it is.
 * Returns 0 if not, and then leaves *message alone. */
INTERNAL int exact_begin_singular(Impact *impact);

/* Fill stick and sticks, which only slip that stops needs. */
INTERNAL void exact_find_stick(Impact *impact);

/* The centrifugal invariant direction, in which slip starts from zero; there is one if the contact
 * cannot stick. */
INTERNAL void exact_centrifugal(const Impact *impact, double direction[2]);

/* Run the process to its end; impact->done says whether it got there. */
INTERNAL void exact_run(Impact *impact);

/* Fill the result in the caller's units, and tell if the law has created energy. */
INTERNAL void exact_finish(Impact *impact, CaromResult *result);

#endif
