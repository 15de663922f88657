/* A slow solver of one rigid contact in long double, to measure errors down to 1e-16.
 *
 * It shares no code with the library: Taylor series of order 30 in log-time (d sigma = dp/r),
 * where the slip direction s = (x, y), the speed r and all integrals are polynomial:
 *
 *   x' = -g y,  y' = g x,  r' = f r,  p' = r,  I_t' = -mu s r,  E' = -v_n r,  F' = mu r^2
 *
 * with f = s.(d - mu B s), g = s_perp.(d - mu B s). Slip that has settled on an invariant
 * direction, stick and resumed slip are linear in p. Where long double is no wider than double
 * the results are only as good as double. */
#ifndef CAROM_TEST_RIGID_TRUTH_H
#define CAROM_TEST_RIGID_TRUTH_H

#include <stdint.h>

#include "support/contact/impact.h"

/* Solve; the answer's ok is 0 if the step limit was hit. */
Answer truth_solve(const Impact *impact);

/* The same with input and answer in long double, for differences. */
typedef struct WideImpact {
    long double W[9], v[3], mu, mu_static, e;
    CaromLaw law;
} WideImpact;

typedef struct WideAnswer {
    long double impulse[3], velocity[3];
    char sequence[CAROM_SEQUENCE_SIZE];
    int restarts;
} WideAnswer;

WideImpact truth_widen(const Impact *impact);

/* Returns 0 if the step limit was hit. */
int truth_solve_wide(const WideImpact *impact, WideAnswer *answer);

/* The same, but slip whose speed falls below rounding counts as stopped. Slip that passes zero
 * closely, or leaves again, differs from slip that stops only by digits that double precision does
 * not have; with mu < |B^-1 d| <= mu_static the outcomes differ (stick or not), and both are
 * right. */
Answer truth_solve_stopping(const Impact *impact);

/* How far the answer moves if the input is changed in its last place: the largest distances of
 * count random changes. A backward-stable solver in double precision may be off by that much,
 * whatever its method. Changes are relative to the norms of B, d and gamma, not to single entries:
 * those depend on how the tangent axes happen to lie (the same impact, turned, gives 6e-14 to
 * 3e-12). *sequences_differ (if not NULL) is set to 1 if a change altered the sequence (without
 * l). */
Distance truth_sensitivity(const Impact *impact, const Answer *truth, int count, uint64_t seed,
                           int *sequences_differ);

#endif
