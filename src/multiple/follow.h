/* Stiff slip: where rho/|V| is short, s relaxes towards V in a time that explicit series would have
 * to resolve, although s is quasi-steady. Then s lags behind V by the angle rho omega/|V|, from
 *
 *   V.s_perp = rho omega
 *
 * with rho_0 omega_j, of one order more than the series have so far, taken from the sweep over the
 * series before. After a sweep the equation is solved for all orders together, with V and N of the
 * sweep. */
#ifndef CAROM_MULTIPLE_FOLLOW_H
#define CAROM_MULTIPLE_FOLLOW_H

#include "multiple/network.h"

/* Sweeps whose directions are wrong by no more, as the effect on a speed, have settled. */
static const double FOLLOW_SETTLED = 1e-14;

/* May the direction of a spring follow V, by what the state says? */
int crm_follow_may(const Given *given, const Piece *piece);

/* Mark the links whose direction follows V in the piece in hand; their number. */
int crm_follow_find(const Given *given, const NetworkState *state, Piece *piece);

/* Correct the lags by so many terms of the series, for the first sweep. */
void crm_follow_guess(const Given *given, Piece *piece, int terms);

/* Correct the lags by the series of a sweep for the next one, and release links whose s is so far
 * from where V leads it that the impulse differs. *change is the largest effect on a speed,
 * over the step, by which the directions of this sweep were wrong; returns the number of links that
 * still follow. */
int crm_follow_correct(const Given *given, Piece *piece, double step, double *change);

/* Release the slowest of the links that have not settled, which may be why others have not; the
 * number of links that still follow. */
int crm_follow_release(const Given *given, Piece *piece);

/* Turn s to where V leads it, once the terms of order 0 are loaded. */
void crm_follow_turn(const Given *given, Piece *piece);

/* The effect of that turn on the impulse, as a speed. */
double crm_follow_effect(const Given *given, const Piece *piece, int i);

/* omega_(g-1) and s_g of a link that follows. */
void crm_follow_series(const Given *given, Piece *piece, int i, int g);

/* No direction follows V. */
void crm_follow_none(const Given *given, Piece *piece);

/* Keep the stiff directions constant, because the series are out of range. 0: there are none. */
int crm_follow_keep(const Given *given, Piece *piece);

#endif
