/* Arrays of any length. NULL counts as empty. */
#ifndef CAROM_MATH_ARRAY_H
#define CAROM_MATH_ARRAY_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

static inline bool array_is_finite(const double *x, size_t count) {
    for (size_t i = 0; x && i < count; i++) {
        if (!isfinite(x[i])) {
            return false;
        }
    }
    return true;
}

static inline void array_fill_nan(double *x, size_t count) {
    for (size_t i = 0; x && i < count; i++) {
        x[i] = NAN;
    }
}

#endif
