/* One rigid contact with Coulomb friction: the direct call for hot paths. */
#ifndef CAROM_RIGID_H
#define CAROM_RIGID_H

#include <carom/problem.h>
#include <carom/result.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Solve one rigid contact exactly; the same as carom_solve() with one contact and the default
 * options, without its indirection. W (3x3 by rows, symmetric positive definite, or
 * semidefinite where the contact cannot move in some tangential direction; the lower triangle is
 * only checked for symmetry). */
CAROM_API CaromStatus carom_rigid_solve(const double W[9], const double v[3],
                                        const CaromContact *contact, CaromLaw law,
                                        CaromResult *result);

#ifdef __cplusplus
}
#endif

#endif
