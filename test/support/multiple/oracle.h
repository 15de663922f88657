/* An independent slow solver of several compliant contacts, in long double: the measure of the
 * tests.
 *
 * The state is v and the impulses I of all contacts and, for each contact that acts, its normal
 * force N and its tangential force q or the direction s of slip. With t the time
 *
 *   v' = W F,  I' = F,  N_i' = -k_i v_n,i
 *   stick  F_t = q,        q' = -kt v_t
 *   slip   F_t = -mu N s,  s turns at the rate (kt / mu N) v_t.s_perp
 *   latched: v_n = 0, N by the Schur complement
 *
 * Slip is singular where N -> 0. The clock theta with dt/dtheta = 1/(omega + sum r_i/N_i), r_i the
 * rate at which N_i falls or its direction turns, sends that to infinity: slip ends where what is
 * left of its impulse is below rounding. A contact that begins to act again does so with v_n = 0
 * and N ~ t^2: its direction then follows v_t, s = v_t/|v_t| with the first correction, until N is
 * large enough to integrate it. The first touch of all contacts is a Taylor series, order by order:
 * a contact at rest acts if its first coefficient that is not zero presses it.
 *
 * Everything else is integrated by Gragg's midpoint rule with extrapolation; an event is found by
 * repeating the step that jumped over it with ever better lengths.
 *
 * Bounces that accumulate. Without friction a contact whose stiffness has grown by the factor
 * latch_growth latches at the next end of compression, as e = 0 does at the first: v_n is held at
 * 0, by forces that push and do not pull. With friction there is no such rule here: at
 * largest_growth the stiffness stays as it is, and the bounces are followed through.
 *
 * No code is shared with the library. Where long double is no wider than double the results are
 * only as good as double. */
#ifndef CAROM_TEST_MULTIPLE_ORACLE_H
#define CAROM_TEST_MULTIPLE_ORACLE_H

#include "support/multiple/problems.h"

/* How to integrate; multiple_oracle_default() has the oracle's own settings. */
typedef struct MultipleSettings {
    double tolerance;      /* error per step, relative to the units of the problem */
    double start;          /* with friction: where the first series ends, in units of the motion */
    double latch_growth;   /* without friction, see above; infinite: never, as with friction */
    double largest_growth; /* of stiffnesses that cannot latch */
    long step_limit;       /* ok is 0 beyond */
} MultipleSettings;

MultipleSettings multiple_oracle_default(void);

/* Solve; ok is 0 if the step limit was hit or stiffnesses are not finite and positive.
 * Thread-safe. */
void multiple_oracle_solve(const MultipleProblem *problem, MultipleAnswer *answer);
void multiple_oracle_solve_with(const MultipleProblem *problem, MultipleSettings settings,
                                MultipleAnswer *answer);

#endif
