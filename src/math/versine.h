/* Sine and versed sine (1 - cos) of two angles at once. */
#ifndef CAROM_MATH_VERSINE_H
#define CAROM_MATH_VERSINE_H

#include "math/functions.h"
#include "math/lanes.h"

/* The sine to a few ulps of 1; the versed sine to a few ulps of itself, however small the angle.
 * Taylor series for a quarter of the angle, doubled twice; libm beyond 3.2, where the series would
 * need more terms. */
static inline void sine_versine_pair(Pair angle, Pair *sine, Pair *versine) {
    if (!(fabs(LANE(angle, 0)) <= 3.2 && fabs(LANE(angle, 1)) <= 3.2)) {
        Pair half = pair_make(sin(LANE(angle, 0) / 2), sin(LANE(angle, 1) / 2));
        *sine = pair_make(sin(LANE(angle, 0)), sin(LANE(angle, 1)));
        *versine = pair_times(pair_times(half, half), pair_make(2, 2));
        return;
    }
    Pair y = pair_times(angle, pair_make(0.25, 0.25)), z = pair_times(y, y),
         s = pair_make(-1.0 / 1307674368000, -1.0 / 1307674368000);
    Pair v = pair_make(-1.0 / 20922789888000, -1.0 / 20922789888000);
    static const double S[] = {
        1.0 / 6227020800, -1.0 / 39916800, 1.0 / 362880, -1.0 / 5040, 1.0 / 120, -1.0 / 6, 1};
    static const double V[] = {1.0 / 87178291200, -1.0 / 479001600, 1.0 / 3628800, -1.0 / 40320,
                               1.0 / 720,         -1.0 / 24,        1.0 / 2};
    for (int i = 0; i < 7; i++) {
        s = pair_join(s, z, pair_make(S[i], S[i]));
        v = pair_join(v, z, pair_make(V[i], V[i]));
    }
    s = pair_times(s, y);
    v = pair_times(v, z);
    for (int i = 0; i < 2; i++) {
        Pair twice = pair_plus(s, s), doubled = pair_times(twice, pair_minus(pair_make(1, 1), v));
        v = pair_times(twice, s);
        s = doubled;
    }
    *sine = s;
    *versine = v;
}

#endif
