/* One planar contact: friction along a line, closed form. */
#ifndef CAROM_PLANAR_H
#define CAROM_PLANAR_H

#include <carom/problem.h>
#include <carom/result.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Solve one planar rigid contact in closed form: at most three linear stretches, no iteration. W is
 * 2x2 by rows (t, n), v is (t, n); impulse and velocity of the result have 2 numbers, its events'
 * vectors are (t, 0, n). Otherwise as carom_rigid_solve(). W may be singular where the answer is
 * still defined: W_tt = 0 (the mechanism cannot slip; its tangential velocity stays and friction
 * acts along it if it is not 0). */
CAROM_API CaromStatus carom_planar_solve(const double W[4], const double v[2],
                                         const CaromContact *contact, CaromLaw law,
                                         CaromResult *result);

/* The order of calculation of a planar impact in the flow chart of D. Morgan, "Algebraic Solution
 * to the Planar Rigid Body Impact Problem", Fig. 2.8, from the sequence of its result: "a-b-e" slip
 * stops in compression (or there is none at the start), "a-c-d-e" in restitution, "a-c-e" not at
 * all. "": not a sequence of carom_planar_solve(), or NULL. A constant string. */
CAROM_API const char *carom_planar_order(const char *sequence);

#ifdef __cplusplus
}
#endif

#endif
