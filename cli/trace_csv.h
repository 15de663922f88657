/* The sampled process of an impact as a table. */
#ifndef CAROM_CLI_TRACE_CSV_H
#define CAROM_CLI_TRACE_CSV_H

#include <stdbool.h>

#include "scene.h"

/* Write the exact process of a scene with one contact, columns p, ix, iy, iz, vx, vy, vz, stored,
 * mode; a planar one has it, in, vt, vn instead of the six in the middle, and a compliant one
 * the column tangential after the others. On failure *error says why. */
bool trace_csv_write(const char *path, const Scene *scene, int samples, SceneError *error);

#endif
