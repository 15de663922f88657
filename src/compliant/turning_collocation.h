/* Collocation of a slip that turns, where its direction is too stiff for series. */
#ifndef CAROM_COMPLIANT_TURNING_COLLOCATION_H
#define CAROM_COMPLIANT_TURNING_COLLOCATION_H

#include "compliant/turning_piece.h"

/* Collocation over [0, h]. Returns the error of the direction over the tolerance; INFINITY if there
 * is no solution. *end gets the state at h, *friction the work of friction. */
double crm_turning_collocate(TurningPiece *piece, double h, Moment *end, double *friction);

#endif
