/* The sampled process of an impact as a table. */
#ifndef CAROM_CLI_TRACE_CSV_H
#define CAROM_CLI_TRACE_CSV_H

#include <stdbool.h>

#include "scene/scene.h"

/* Most samples of all contacts together: they are kept in memory, 640 MB then. */
#define TRACE_SAMPLES_MAX 10000000

/* Write the exact process of a scene. One contact: columns p, ix, iy, iz, vx, vy, vz, stored, mode;
 * a planar one has it, in, vt, vn instead of the six in the middle, and a compliant one the column
 * tangential after the others. Several contacts: the column clock, then all these but p for each
 * contact, with its index: ix_0 and so on. On failure *error says why. */
bool trace_csv_write(const char *path, const Scene *scene, int samples, SceneError *error);

#endif
