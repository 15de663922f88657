/* Roots for steps and units, whose digits do not matter. */
#ifndef CAROM_MATH_ROUGH_H
#define CAROM_MATH_ROUGH_H

#include <stdint.h>
#include <string.h>

#include "math/functions.h"

/* x^(1/n) for x > 0, to 0.06/|n| + 0.001: the bits of a double are about its logarithm.
 * Speed: no chain of square roots. */
static inline double rough_root(double x, int n) {
    const int64_t one = 0x3ff0000000000000, fraction = 0x000fffffffffffff;
    int64_t bits, part;
    double root, f;
    if (sizeof x != sizeof bits) {
        return pow(x, 1.0 / n); /* the tests compile this for another type, too */
    }
    memcpy(&bits, &x, sizeof bits);
    bits = one + (bits - one) / n;
    part = one | (bits & fraction);
    memcpy(&root, &bits, sizeof root);
    memcpy(&f, &part, sizeof f);
    f -= 1;
    /* 2^f instead of 1 + f */
    return root * (1 - f * (1 - f) * (0.288 - 0.11 * f));
}

#endif
