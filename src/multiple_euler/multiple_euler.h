/* The published Euler scheme for several contacts: Y.-B. Jia, M. Mason, M. Erdmann, "Multiple
 * impacts: a state transition diagram approach", section 4 (no friction), Algorithm 1 (a shot) and
 * Algorithm 2 (any contacts).
 *
 * It steps one normal impulse, the primary one, by a fixed h, and is kept to be compared with.
 * A state is the set of contacts that act. The algorithms are read like this, by the lines of
 * Algorithm 1; Algorithm 2 has the same order:
 *
 *   3       a state that a contact enters without energy starts with one step whose impulse ratio
 *           rho solves the quadratic equation of (27), here for any W (stepper_step.c)
 *   5, 6    v = v- + W I with the impulses after the last increment
 *   7       E_i falls by the integral of (55) over that increment. The velocity is linear in it, so
 *           the integral is the mean of the velocities before and after, times dI_i: (21), (23)
 *   8 to 12 dI_i/dI_p = sqrt(k_i E_i/(k_p E_p)). The primary contact p is the one with the largest
 *           k E at each step, as note 18 advises. as_printed: as lines 8 and 10 have it, p stays
 *           until its contact ends
 *   14, 21  one step of the tangential springs by Jia's compliant model, as in compliant/euler.h
 *   16, 23  dI_t = -(f/N) dI_n, f being the force of the tangential springs
 *   28, 29  compression ends at the first step after which v_n >= 0, and starts again where v_n < 0
 *           before restitution ends; restitution ends where E <= stop_energy
 *   32      a contact that is open acts again as soon as v_n < 0
 *
 * A state in which one contact acts alone and has no friction is solved in closed form, sections
 * 4.3 and 4.4, up to E = 0.
 *
 * With as_printed, step 1e-5 and stop_energy 1e-4 this gives every digit of the paper's Table 1.
 * (With the velocity after the increment alone in line 7, I2 in its second row would be 0.76255
 * instead of 0.76239; with steps in S2 and S3, I1 in the last row 1.61353 instead of 1.61377.)
 * as_printed also has friction e mu in restitution, as compliant/euler.h says.
 *
 * Order: the error falls like h without friction; with friction as for one contact.
 * Not taken: e = 0 and limits of the stiffness, which the paper solves in a supplement. */
#ifndef CAROM_MULTIPLE_EULER_MULTIPLE_EULER_H
#define CAROM_MULTIPLE_EULER_MULTIPLE_EULER_H

#include <carom/solve.h>

/* Steps after which the scheme gives up with CAROM_NOT_CONVERGED; fewer for many contacts. */
#define MULTIPLE_EULER_STEPS 10000000

/* Solve several spatial contacts, or one by a law that only this scheme knows; crm_result_begin()
 * has been called. Fills the result like the exact solver, with work = steps and error = NaN. The
 * energy account closes to the scheme's own error; stop_energy is part of the normal loss.
 * CAROM_INVALID_INPUT: a field, named in the message. CAROM_NOT_CONVERGED: too many steps, or a
 * step that is too long. More than CAROM_STACK_CONTACTS contacts take memory from malloc(). */
CaromStatus crm_multiple_euler_solve(const CaromProblem *problem, const CaromSchemeOptions *options,
                                     CaromResult *result);

#endif
