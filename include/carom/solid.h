/* Inertia of simple bodies of uniform density. */
#ifndef CAROM_SOLID_H
#define CAROM_SOLID_H

#include <carom/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The axis of a cylinder, tube, cone or rod is z. */
typedef enum CaromSolid {
    CAROM_SOLID_BALL = 0,     /* radius */
    CAROM_SOLID_SHELL = 1,    /* radius; a thin hollow sphere */
    CAROM_SOLID_BOX = 2,      /* sides along x, y, z */
    CAROM_SOLID_CYLINDER = 3, /* radius, height */
    CAROM_SOLID_TUBE = 4,     /* radius, height; a thin hollow cylinder without ends */
    CAROM_SOLID_CONE = 5, /* radius, height; the centre of mass is a quarter of it above the base */
    CAROM_SOLID_ROD = 6   /* length, radius; a long cylinder */
} CaromSolid;

/* Dimensions of a solid: 1 to 3; 0 for a value that is not one. */
CAROM_API int carom_solid_dimensions(CaromSolid solid);

/* Name of a solid as it appears in scenes ("ball", ...); a constant string, NULL for a value that
 * is not one. */
CAROM_API const char *carom_solid_string(CaromSolid solid);

/* The inertia about the centre of mass, by rows, as CaromBody has it. size: the dimensions above.
 * CAROM_INVALID_INPUT (the inertia is NaN): mass or a dimension is not a finite number > 0, or the
 * result exceeds the range of double precision. */
CAROM_API CaromStatus carom_solid_inertia(CaromSolid solid, double mass, const double *size,
                                          double inertia[9], const char **message);

#ifdef __cplusplus
}
#endif

#endif
