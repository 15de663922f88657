/* A mechanism strikes with several points at once: generalised speeds in, generalised speeds out.
 *
 * The law is that of several rigid contacts at impulse level (docs/impulse.md): no contact
 * penetrates, each approaching contact leaves at e times its normal speed of approach or faster,
 * and friction is Coulomb's for impulses and velocities after. With mass matrix M (n x n), speeds u
 * (n) and the contact Jacobians stacked in J (m x n; rows t1, t2, n per contact, planar t, n) as in
 * carom/system.h:
 *
 *   W = J M^-1 J^T,   v- = J u,   u+ = u + M^-1 J^T I. */
#ifndef CAROM_STRIKE_H
#define CAROM_STRIKE_H

#include <stddef.h>

#include <carom/problem.h>
#include <carom/result.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A mechanism and its contacts; all arrays are the caller's and are only read. Either M or R. */
typedef struct CaromStrike {
    int speed_count;   /* n, 1 to 3 CAROM_CONTACTS_MAX */
    int contact_count; /* 1 to CAROM_CONTACTS_MAX */
    int planar;        /* 1: two rows per contact instead of three */
    const double *M;   /* n x n by rows, symmetric positive definite; NULL: R is given */
    /* Responses M^-1 J^T as m rows of n, for callers whose library solves with M faster than a
     * dense Cholesky; NULL: they are computed from M. */
    const double *R;
    const double *J;              /* m rows of n */
    const CaromContact *contacts; /* mu and e of each; the other fields play no part */
} CaromStrike;

/* Numbers (not bytes) of workspace for carom_strike_solve(); 0 if a count is out of range. */
CAROM_API size_t carom_strike_workspace(int speed_count, int contact_count);

/* Replace the speeds u (n) by those after the impact. One contact is solved by the same law.
 *
 * workspace: carom_strike_workspace() numbers, or NULL: the function allocates and frees its own.
 * result: what happened at the contacts (set its impulse and velocity to arrays of m, or to NULL),
 * or NULL. Returns its status; on failure (< 0) u is left alone: CAROM_NOT_APPROACHING if no
 * contact approaches, CAROM_NO_SOLUTION if the law has none. Thread-safe. */
CAROM_API CaromStatus carom_strike_solve(const CaromStrike *strike, double *u, double *workspace,
                                         CaromResult *result);

#ifdef __cplusplus
}
#endif

#endif
