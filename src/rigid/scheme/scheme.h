/* The published Euler schemes for one rigid contact (Jia and Wang, Algorithm 1 and Table 1).
 *
 * They are kept for comparison, and are read as follows:
 *
 *   gamma   one explicit Euler step of gamma' = d - mu B s, then I from gamma (26), v_n from I (10)
 *   E       NI: Euler like gamma, E -= h v_n with v_n before the step. FS and VS: line 9 of
 *           Algorithm 1 follows the update of v_n in line 8, so E -= h v_n with v_n after it
 *   c, r    the first step after which v_n >= 0, or E <= 0 (Poisson: p, Newton: v_n at its end);
 *           the step is not shortened. Compression ends once, as published: Euler steps do not look
 *           for a restart
 *   s       the first step that turns gamma by more than a right angle, or after which |gamma| is
 *           at most the option `zero`; I is then put on the line of sticking, (35), and the rest is
 *           closed form. The same after an event l
 *   l       |s x gamma'| of (33) at most the option `straight` (' by I_z), checked before every
 *           step: closed form along s, (42) to (46)
 *   VS      step (36) with the option epsilon and curvature (37). Where the hodograph has an
 *           inflection (36) has no bound; a step is held to an arc of max(h1, |gamma|)
 *
 * NI looks for neither s nor l: once gamma is zero it chatters about zero.
 *
 * The paper prints neither tolerance. With straight = 0.06 and zero = 0.015 in its units VS gives
 * every event sequence of Figs. 4, 7 and 10, and examples/table1.c shows how much of Table 1.
 *
 * The tolerances leave an error however small the step. VS does not look at the end of the impact
 * when it chooses its step, and may pass it by far. */
#ifndef CAROM_RIGID_SCHEME_H
#define CAROM_RIGID_SCHEME_H

#include <carom/solve.h>

/* Euler steps after which a scheme gives up with CAROM_NOT_CONVERGED. */
#define SCHEME_MAX_STEPS 10000000

/* Solve one rigid contact by the method NI, FS or VS. The input has been checked. Fills the result
 * like the exact solver, with work = Euler steps and error = NaN: a scheme does not estimate it.
 * The energy account closes to the scheme's own error. CAROM_INVALID_INPUT: W is not positive
 * definite. */
CaromStatus crm_rigid_scheme_solve(const double W[9], const double v[3],
                                   const CaromContact *contact, CaromLaw law,
                                   const CaromOptions *options, CaromResult *result);

#endif
