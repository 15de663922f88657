/* Two numbers, and two pairs of them, that are worked on at once. Pair is a GNU C extension that
 * gcc and clang turn into the machine's vector instructions, or into plain arithmetic where it has
 * none; the same bits either way. Elements by v[i]. */
#ifndef CAROM_MATH_LANES_H
#define CAROM_MATH_LANES_H

#include <stdint.h>

typedef double Pair __attribute__((vector_size(16)));

/* a[0] and a[1], wherever they lie. */
static inline Pair pair_load(const double *a) {
    return (Pair){a[0], a[1]};
}

static inline Pair both(double x) {
    return (Pair){x, x};
}

static inline Pair magnitude(Pair x) {
    typedef int64_t Mask __attribute__((vector_size(16)));
    return (Pair)((Mask)x & (Mask){INT64_MAX, INT64_MAX});
}

typedef struct Lanes {
    Pair lo, hi;
} Lanes;

static inline Lanes lanes_make(double a, double b, double c, double d) {
    return (Lanes){{a, b}, {c, d}};
}

static inline Lanes lanes_add(Lanes a, Lanes b) {
    return (Lanes){a.lo + b.lo, a.hi + b.hi};
}

static inline Lanes lanes_subtract(Lanes a, Lanes b) {
    return (Lanes){a.lo - b.lo, a.hi - b.hi};
}

static inline Lanes lanes_multiply(Lanes a, Lanes b) {
    return (Lanes){a.lo * b.lo, a.hi * b.hi};
}

static inline Lanes lanes_scale(Lanes a, double x) {
    Pair xx = {x, x};
    return (Lanes){a.lo * xx, a.hi * xx};
}

#endif
