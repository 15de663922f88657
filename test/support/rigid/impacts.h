/* Random impacts of many kinds, the same on every machine: only + - * /, sqrt and scaling by
 * powers of two go into them. */
#ifndef CAROM_TEST_RIGID_IMPACTS_H
#define CAROM_TEST_RIGID_IMPACTS_H

#include <stdint.h>

#include "support/contact/impact.h"

typedef enum ImpactClass {
    IMPACT_COMMON,         /* two bodies, everything of order one */
    IMPACT_CONDITIONED,    /* cond(W) from 1e2 to 1e8 */
    IMPACT_SMOOTH,         /* mu from 1e-8 to 1e-2, or 0 */
    IMPACT_ROUGH,          /* mu from 1 to 10 */
    IMPACT_RESTITUTION,    /* e = 0, 1 or from 1e-8 to 1e-2 */
    IMPACT_OBLIQUE,        /* |gamma|/|v_n| from 1e-6 to 1e6 */
    IMPACT_NEAR_INVARIANT, /* 1e-14 to 1e-2 rad from an invariant direction */
    IMPACT_ON_INVARIANT,   /* on one exactly, by symmetry */
    IMPACT_NO_SLIP,        /* gamma = 0 */
    IMPACT_ISOTROPIC,      /* B a multiple of 1 */
    IMPACT_CENTRAL,        /* d = 0 */
    IMPACT_BALL,           /* B nearly a multiple of 1 and d nearly 0, or exactly */
    IMPACT_THRESHOLD,      /* |B^-1 d| within 1e-12 to 1e-2 of mu */
    IMPACT_JAM,            /* mu |d| > w: v_n may fall, compression may restart */
    IMPACT_UNITS,          /* masses and velocities scaled by 1e-9 to 1e9 */
    IMPACT_LAW,            /* Poisson, Newton; a quarter made to restart their compression */
    IMPACT_STATIC,         /* mu_static > mu */
    IMPACT_MERGING, /* two invariant directions all but coincide, the slip starts near them or not
                     */
    IMPACT_CLASS_COUNT
} ImpactClass;

const char *impact_class_name(ImpactClass which);

/* Impact number index of a seed; its class is index % IMPACT_CLASS_COUNT. */
Impact random_impact(uint64_t seed, uint64_t index);

#endif
