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

static inline void pace_apply(const Piece *piece, size_t stride, const double *terms, int g,
                              double *paced) {
    size_t half = stride / 2;
    const Pair *from = (const Pair *)terms + (size_t)g * half;
    Pair *to = (Pair *)paced + (size_t)g * half;
    /* the terms of the two orders before, if there are any */
    const Pair *one = g > 0 ? from - half : from, *two = g > 1 ? from - 2 * half : from;
    double a = g > 0 ? piece->pace[1] : 0, b = g > 1 ? piece->pace[2] : 0;
    for (size_t i = 0; i < half; i++) {
        to[i] = pair_join(both(b), two[i], pair_join(both(a), one[i], from[i]));
    }
}

/* Order g of terms times the pace. */
void crm_pace_apply(const Given *given, const Piece *piece, const double *terms, int g,
                    double *paced);

#endif
