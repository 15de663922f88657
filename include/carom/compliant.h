/* One contact with springs along and across the surface: the direct call for hot paths.
 *
 * A massless particle at the contact is tied to the first body by a normal spring and an isotropic
 * tangential one; it sticks to the second body or slides on it with Coulomb friction. Only the
 * ratio of the stiffnesses (CaromContact.stiffness_ratio) matters. The law of restitution is the
 * energetic one. docs/compliance.md has the equations. */
#ifndef CAROM_COMPLIANT_H
#define CAROM_COMPLIANT_H

#include <carom/problem.h>
#include <carom/result.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Solve one compliant contact; the same as carom_solve() with one contact, model
 * CAROM_MODEL_COMPLIANT and the default options, without its indirection. W (3x3 by rows, symmetric
 * positive semidefinite with W_nn > 0; the lower triangle is only checked for symmetry). mu_static
 * must be 0 or equal to mu: the model has one coefficient of friction. */
CAROM_API CaromStatus carom_compliant_solve(const double W[9], const double v[3],
                                            const CaromContact *contact, CaromResult *result);

#ifdef __cplusplus
}
#endif

#endif
