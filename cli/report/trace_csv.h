/* The sampled process of an impact as a table (CSV). */
#ifndef CAROM_CLI_REPORT_TRACE_CSV_H
#define CAROM_CLI_REPORT_TRACE_CSV_H

#include "base/error.h"
#include "scene/scene.h"

/* Most samples of all contacts together; they take 640 MB of memory. */
#define TRACE_SAMPLES_MAX 10000000

/* Write the exact process of a scene. One contact: columns p, ix, iy, iz, vx, vy, vz, stored, mode;
 * a planar contact has it, in, vt, vn for the vectors; a compliant one has tangential at the end.
 * Several contacts: clock, then all columns but p for each contact with its index, ix_0 and so on.
 * False: see *error. */
bool trace_csv_write(const char *path, const Scene *scene, int samples, Error *error);

#endif
