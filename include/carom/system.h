/* Any mechanism: from a mass matrix, generalised speeds and contact Jacobians to contact space, and
 * back from impulses to generalised speeds.
 *
 * With mass matrix M (n x n), generalised speeds u (n) and the Jacobians of all contacts stacked
 * in J (m x n; 3 rows t1, t2, n per contact, or 2 rows t, n per contact in a planar problem),
 *
 *   v = J u,   W = J M^-1 J^T,   u+ = u + M^-1 J^T I.
 *
 * Everything goes through the responses R = M^-1 J^T, kept as m rows of n: what a unit impulse
 * along each row does to the speeds. Callers whose library solves with M faster than a dense
 * Cholesky fill R themselves. */
#ifndef CAROM_SYSTEM_H
#define CAROM_SYSTEM_H

#include <stddef.h>

#include <carom/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Responses of a mechanism with a dense mass matrix: R = M^-1 J^T by one Cholesky factorisation.
 * M is n x n by rows, symmetric positive definite; workspace has room for n * n numbers (the factor
 * is left there). CAROM_INVALID_INPUT (R NaN): something not finite, M not symmetric (1e-9
 * relative) or not positive definite; *message (if message is not NULL) names the field. */
CAROM_API CaromStatus carom_system_responses(int n, const double *M, int m, const double *J,
                                             double *workspace, double *R, const char **message);

/* W (m x m by rows, exactly symmetric) and v (m) from Jacobians, responses and speeds. Either
 * output may be NULL. CAROM_INVALID_INPUT (outputs NaN): something not finite. */
CAROM_API CaromStatus carom_system_contact_space(int n, int m, const double *J, const double *R,
                                                 const double *u, double *W, double *v,
                                                 const char **message);

/* u += R^T I: the speeds after the impulses I (m). */
CAROM_API void carom_system_apply(int n, int m, const double *R, const double *impulse, double *u);

/* Kinetic energy u.M u/2. */
CAROM_API double carom_system_energy(int n, const double *M, const double *u);

#ifdef __cplusplus
}
#endif

#endif
