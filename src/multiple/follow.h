/* Stiff slip: where rho/|V| is short, s relaxes towards V in a time that explicit series would have
 * to resolve, although s is quasi-steady. Then s lags behind V by the angle rho omega/|V|, from
 *
 *   V.s_perp = rho omega
 *
 * with rho_0 omega_j, which is small, taken from the sweep over the series before. Each sweep gains
 * more than a digit. */
#ifndef CAROM_MULTIPLE_FOLLOW_H
#define CAROM_MULTIPLE_FOLLOW_H

#include "multiple/network.h"

/* Mark the links whose direction follows V in the piece in hand; 1: there are such. */
int crm_follow_find(const Given *given, const NetworkState *state, Piece *piece);

/* Keep the series of a sweep for the next one; 1: over the step the directions have not changed. */
int crm_follow_remember(const Given *given, Piece *piece, double step);

/* Turn s to where V leads it, once the terms of order 0 are loaded. */
void crm_follow_turn(const Given *given, Piece *piece);

/* omega_(g-1) and s_g of a link that follows. */
void crm_follow_series(const Given *given, Piece *piece, int i, int g);

/* After the sweeps: release links whose directions have not settled, or whose s was so far from
 * where V leads it that the impulse differs. 1: there are such, and all have to be expanded again.
 */
int crm_follow_release(const Given *given, Piece *piece);

/* Keep the stiff directions constant, because the series are out of range. 0: there are none. */
int crm_follow_keep(const Given *given, Piece *piece);

#endif
