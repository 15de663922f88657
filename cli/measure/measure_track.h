/* Tracked positions from a CSV file. */
#ifndef CAROM_CLI_MEASURE_MEASURE_TRACK_H
#define CAROM_CLI_MEASURE_MEASURE_TRACK_H

#include <stdbool.h>

#include <carom/measure.h>

#include "base/error.h"

/* What a track has: a flight t, z and x, y if they were seen (else 0); a ball on a table t, x, y; a
 * tumbling body t, x, y, z, qw, qx, qy, qz. */
typedef enum MeasureTrack { MEASURE_FLIGHT, MEASURE_TABLE, MEASURE_TUMBLE } MeasureTrack;

/* Read its columns. Further columns are not used. path NULL: standard input. The caller frees
 * *points. False: see *error. */
bool measure_track_read(const char *path, MeasureTrack kind, CaromTrackPoint **points, int *count,
                        Error *error);

#endif
