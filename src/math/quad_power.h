/* Logarithm and exponential function of four numbers at once: with AVX2 as in many_power.h, a few
 * units in the last place; else, and in deterministic builds, one after the other. */
#ifndef CAROM_MATH_QUAD_POWER_H
#define CAROM_MATH_QUAD_POWER_H

#include "math/functions.h"
#include "math/lanes.h"

/* vectors of four are Many there */
#if defined(CAROM_VECTORS) && defined(__AVX2__) && !defined(__AVX512F__) &&                        \
    !defined(CAROM_DETERMINISTIC)
#include "math/many_power.h"
#endif

#if defined(CAROM_LANES) && MANY == 4 && defined(__AVX2__) && !defined(CAROM_DETERMINISTIC)

/* For positive normal x. */
INLINE Quad quad_log(Quad x) {
    return (Quad)many_log((Many)x);
}

/* For x from -700 to 700; beyond, as there. */
INLINE Quad quad_exp(Quad x) {
    return (Quad)many_exp((Many)x);
}

#else

INLINE Quad quad_log(Quad x) {
    Pair a = quad_low(x), b = quad_high(x);
    return quad_make(log(LANE(a, 0)), log(LANE(a, 1)), log(LANE(b, 0)), log(LANE(b, 1)));
}

INLINE Quad quad_exp(Quad x) {
    Pair a = quad_low(x), b = quad_high(x);
    return quad_make(exp(LANE(a, 0)), exp(LANE(a, 1)), exp(LANE(b, 0)), exp(LANE(b, 1)));
}

#endif

#endif
