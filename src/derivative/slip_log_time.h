/* The slope of slip next to an invariant direction: its variational equations in log-time. */
#ifndef CAROM_DERIVATIVE_SLIP_LOG_TIME_H
#define CAROM_DERIVATIVE_SLIP_LOG_TIME_H

#include "derivative/slip_slope.h"

/* Where log-time has arrived on a piece. */
typedef struct LogTime {
    double s[2], r;
    double p; /* since the start of the piece */
    int stops;
} LogTime;

/* Follow a curve to its end, or towards zero slip until the rest of it counts as straight: where
 * the piece stops, or slip is below the rounding of p (p is then less than that of the piece).
 * Integrals since the last mark are added. Returns 0, and leaves the slope as it was, if that takes
 * too many steps. */
int crm_slope_log_time(Slope *slope, const RigidPiece *piece, LogTime *at);

#endif
