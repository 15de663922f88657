/* Tracked positions from a CSV file. */
#ifndef CAROM_CLI_MEASURE_MEASURE_TRACK_H
#define CAROM_CLI_MEASURE_MEASURE_TRACK_H

#include <stdbool.h>

#include <carom/measure.h>

#include "base/error.h"

/* Read columns t, x, y, z (z may be missing: 0) and, with turns, qw, qx, qy, qz. Further columns
 * are not used. path NULL: standard input. The caller frees *points. False: see *error. */
bool measure_track_read(const char *path, bool turns, CaromTrackPoint **points, int *count,
                        Error *error);

#endif
