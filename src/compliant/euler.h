/* The published Euler scheme for one compliant contact (Jia, Algorithm 1, equations (61) to (74)).
 *
 * It steps the normal impulse by a fixed h and is kept to be compared with. It is read like this,
 * which gives the printed digits:
 *
 *   start   the first step by the limits (61), (62), (72), (73)
 *   E_n     line 9 before line 5: one Euler step with (65); the force N = sqrt(2 k E_n) follows
 *   G_u,w   stick: one Euler step (67) with the new E_n. Slip: (68), (69) turn the spring, and its
 *           length is put on the cone, (46)
 *   v, I    line 12 before line 11: v follows from the impulse before the step, so that it is one
 *           step behind everywhere; then I by (64) with the new energies
 *   modes   stick ends at the first step after which (52) is passed and the particle would slide
 *           outwards; slip ends at the first step after which the sliding velocity (32) is not
 *           outwards any more
 *   phases  compression ends at the first step after which v_n >= 0, and starts again where
 *           v_n < 0 before the energy is used up; the impact ends with the step that uses it up
 *
 * The two springs u and w are kept as one vector, f = -(F_u, F_w), so the frame of the paper
 * (u against v_t) is only a frame.
 *
 * Order: the error falls like h where the impact starts in slip, and only like sqrt(h) where it
 * starts in stick, because G' is infinite at E_n = 0 and the steps there never see it; see
 * test/compliant/test_euler.c. A contact that is very stiff along the surface (B h/(W_nn eta^2) of
 * order 1) makes the scheme unstable.
 *
 * as_printed: friction e mu instead of mu while the contact slips in restitution, as in all numbers
 * that the paper prints. Stick then still ends at mu, and the spring gives up a part of its energy
 * at that moment, which the residual of the account shows. See docs/errata.md. */
#ifndef CAROM_COMPLIANT_EULER_H
#define CAROM_COMPLIANT_EULER_H

#include <carom/solve.h>

/* Euler steps after which the scheme gives up with CAROM_NOT_CONVERGED. */
#define EULER_MAX_STEPS 10000000

/* Solve one compliant contact. The input has been checked and crm_result_begin() called; fills the
 * result like the exact solver, with work = Euler steps and error = NaN, as a scheme knows nothing
 * about it; the energy account closes to the scheme's own error. CAROM_INVALID_INPUT: W is not
 * positive semidefinite. CAROM_NOT_CONVERGED: too many steps, or a step as long as the compression
 * itself. */
CaromStatus crm_compliant_euler_solve(const double W[9], const double v[3],
                                      const CaromContact *contact,
                                      const CaromSchemeOptions *options, CaromResult *result);

#endif
