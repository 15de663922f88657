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

#ifdef __cplusplus
}
#endif

#endif
