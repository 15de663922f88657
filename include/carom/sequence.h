/* Several rigid contacts by one two-body impact after another.
 *
 * The classical treatment: an impact at one approaching contact as if the others were not there,
 * then one at the next, until none approaches. The outcome depends on the order, which the caller
 * may choose; the set of outcomes over all orders shows how much is certain (carom solve
 * --outcomes). */
#ifndef CAROM_SEQUENCE_H
#define CAROM_SEQUENCE_H

#include <carom/problem.h>
#include <carom/result.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Chooses the next impact: returns an index into contacts[0 ... count - 1], the contacts that
 * approach, in ascending order; speeds[i] > 0 is the normal speed of approach of contacts[i]. */
typedef int (*CaromChoice)(void *context, int count, const int *contacts, const double *speeds);

/* Impacts after which a sequence is given up, for each contact. */
#define CAROM_SEQUENCE_IMPACTS 10000

/* Solve a rigid problem of n >= 1 contacts by a sequence of impacts, each as by carom_rigid_solve()
 * or carom_planar_solve() under problem->law; carom_solve() with CAROM_METHOD_SEQUENCE is the same
 * with choose NULL. W may be semidefinite.
 *
 * choose NULL: the fastest approaching contact is next. Speeds that agree to 1e-12 count as equal,
 * and the first of the equals in the order of the input is next; result->message then says that the
 * outcome may depend on this order, and the status stays as it is. choose is not called where only
 * one contact approaches.
 *
 * The sequence ends where no contact approaches faster than 1e-13 of the fastest approach before
 * the impact: with e < 1 a sequence may be infinite, with speeds that fall geometrically. Events
 * are those of all impacts in turn, each after an activation; impulses in events are sums over the
 * impacts so far. result->work counts the impacts. One contact: the result of carom_rigid_solve()
 * or carom_planar_solve(), unchanged.
 *
 * CAROM_ENERGY_GAIN: an impact has created energy; never under the energetic law.
 * CAROM_INVALID_INPUT: as for carom_solve(), or an index that choose must not return.
 * CAROM_NOT_CONVERGED: more than CAROM_SEQUENCE_IMPACTS * n impacts, or velocities that overflow,
 * which Newton's and Poisson's law can cause. More than CAROM_STACK_CONTACTS contacts allocate
 * memory. Thread-safe if choose is. */
CAROM_API CaromStatus carom_sequence_solve(const CaromProblem *problem, CaromChoice choose,
                                           void *context, CaromResult *result);

#ifdef __cplusplus
}
#endif

#endif
