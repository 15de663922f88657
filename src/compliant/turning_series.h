/* Taylor series of a slip that turns. */
#ifndef CAROM_COMPLIANT_TURNING_SERIES_H
#define CAROM_COMPLIANT_TURNING_SERIES_H

#include "compliant/turning_piece.h"

/* The clock for a piece that starts here. */
void crm_turning_series_begin(TurningPiece *piece, const Process *process);

/* Taylor series from here; returns how far they hold. */
double crm_turning_series(TurningPiece *piece);

/* How fast the direction is pulled towards V, per unit of x; M > 0. */
double crm_turning_series_pull(const TurningPiece *piece);

#endif
