/* Inertia of bodies as the library reads it. */
#ifndef CAROM_MECHANICS_INERTIA_H
#define CAROM_MECHANICS_INERTIA_H

#include <stdbool.h>

#include <carom/body.h>

/* Largest difference of mirrored entries, relative to the diagonal entries they couple: tolerates
 * input copied with ten digits. */
#define INERTIA_ASYMMETRY 1e-9

/* Body-axes inertia packed as in math/vec3.h. Mirrored entries may differ by rounding; their mean
 * is used, so that energy, W and velocities belong to the same inertia. */
static inline void inertia_pack(const CaromBody *body, double packed[6]) {
    const double *J = body->inertia;
    packed[0] = J[0];
    packed[1] = 0.5 * J[1] + 0.5 * J[3];
    packed[2] = 0.5 * J[2] + 0.5 * J[6];
    packed[3] = J[4];
    packed[4] = 0.5 * J[5] + 0.5 * J[7];
    packed[5] = J[8];
}

/* Does the body slide along its guide only? Its inertia is not used then. */
static inline bool body_is_guided(const CaromBody *body) {
    return body->guide[0] != 0.0 || body->guide[1] != 0.0 || body->guide[2] != 0.0;
}

#endif
