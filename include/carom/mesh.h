/* Mass properties of a solid bounded by triangles. */
#ifndef CAROM_MESH_H
#define CAROM_MESH_H

#include <stddef.h>

#include <carom/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct CaromMassProperties {
    double volume;
    double mass;       /* density * volume */
    double centre[3];  /* centre of mass */
    double inertia[9]; /* about the centre of mass, axes of the vertices, by rows */
} CaromMassProperties;

/* Mass properties of the uniform solid inside a closed triangle mesh. vertices: 3 numbers each;
 * faces: 3 vertex indices each, counter-clockwise seen from outside. CAROM_INVALID_INPUT (output
 * NaN): an index out of range, something not finite, density not > 0, a mesh that is not closed
 * (every directed edge must have its opposite exactly once), or one with volume <= 0 (faces
 * turned inside out). The check of closedness takes time quadratic in the faces. */
CAROM_API CaromStatus carom_mesh_properties(const double *vertices, size_t vertex_count,
                                            const int *faces, size_t face_count, double density,
                                            CaromMassProperties *properties, const char **message);

#ifdef __cplusplus
}
#endif

#endif
