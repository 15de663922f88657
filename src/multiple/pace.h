/* The clock of a piece: even, or one that stretches the end of a slip.
 *
 * Close to N = 0 the direction of slip contains the power q = |V|/|rho'| of the remaining time. If
 * that time is (1 - x/PACE_ROOT)^PACE_ROOT instead of 1 - x the power is PACE_ROOT q, so smooth
 * that the series hold almost to the end. With dt = unit pace(x) dx, velocities and forces times
 * the pace take the place of velocities and forces wherever something is integrated. */
#ifndef CAROM_MULTIPLE_PACE_H
#define CAROM_MULTIPLE_PACE_H

#include "multiple/network.h"

/* The clock that suits the piece that begins here. */
void crm_pace_choose(const Given *given, const NetworkState *state, Piece *piece);

/* How far the piece may go, in its units. */
double crm_pace_reach(const Piece *piece);

/* dt/dx at x, in units of the piece. */
double crm_pace_at(const Piece *piece, double x);

/* Order g of terms times the pace. */
void crm_pace_apply(const Given *given, const Piece *piece, const double *terms, int g,
                    double *paced);

#endif
