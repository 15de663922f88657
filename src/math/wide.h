/* Four doubles at once, and functions that are compiled once more for processors with AVX2.
 *
 * A function that is marked WIDE has the same bits as its copy without the mark: no operation is
 * contracted or reordered. Its body is an inline function that both share. NARROW is the copy
 * without the mark where it must not be merged with the other. */
#ifndef CAROM_MATH_WIDE_H
#define CAROM_MATH_WIDE_H

#include "math/lanes.h"

#ifdef CAROM_VECTORS

/* One vector or two, anywhere in an array of doubles. */
typedef double Four __attribute__((vector_size(32), aligned(8), may_alias));
typedef int64_t FourMask __attribute__((vector_size(32)));

#define NARROW static __attribute__((noinline))
#ifdef CAROM_WIDE
#define WIDE static __attribute__((target("avx2")))
#else
#define WIDE static
#endif

/* Macros: without AVX a function that takes or returns a Four would get a warning. */
#define four_load(a) (*(const Four *)(a))
#define four_store(a, x) ((void)(*(Four *)(a) = (x)))
#define four_zero() ((Four){0, 0, 0, 0})
#define four_make(a, b, c, d) ((Four){a, b, c, d})
#define FOUR_LANE(x, i) ((x)[i])
#define four_plus(a, b) ((a) + (b))
#define four_minus(a, b) ((a) - (b))
#define four_times(a, b) ((a) * (b))
#define four_scale(a, by) ((a) * (by))
#define four_magnitude(x) ((Four)((FourMask)(x)&FOUR_MAGNITUDE))
#define FOUR_MAGNITUDE ((FourMask){INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX})
/* Collects where x is above a limit; four_any: was it anywhere? */
#define four_above(any, x, limit) ((any) | ((x) > (limit)))
#define four_any(any) four_any_of((any) | FOUR_HALVES(any))
#define four_any_of(any) (((any)[0] | (any)[1]) != 0)
#ifdef __clang__
#define FOUR_HALVES(x) __builtin_shufflevector(x, x, 2, 3, 0, 1)
#else
#define FOUR_HALVES(x) __builtin_shuffle(x, (FourMask){2, 3, 0, 1})
#endif

#else

typedef struct Four {
    double lane[4];
} Four;
typedef struct FourMask {
    int any;
} FourMask;

#define NARROW static
#define WIDE static

INLINE Four four_load(const double *a) {
    return (Four){{a[0], a[1], a[2], a[3]}};
}

INLINE void four_store(double *a, Four x) {
    for (int i = 0; i < 4; i++) {
        a[i] = x.lane[i];
    }
}

#define FOUR_LANE(x, i) ((x).lane[i])

INLINE Four four_make(double a, double b, double c, double d) {
    return (Four){{a, b, c, d}};
}

INLINE Four four_zero(void) {
    return (Four){{0, 0, 0, 0}};
}

INLINE Four four_plus(Four a, Four b) {
    return (Four){{a.lane[0] + b.lane[0], a.lane[1] + b.lane[1], a.lane[2] + b.lane[2],
                   a.lane[3] + b.lane[3]}};
}

INLINE Four four_minus(Four a, Four b) {
    return (Four){{a.lane[0] - b.lane[0], a.lane[1] - b.lane[1], a.lane[2] - b.lane[2],
                   a.lane[3] - b.lane[3]}};
}

INLINE Four four_times(Four a, Four b) {
    return (Four){{a.lane[0] * b.lane[0], a.lane[1] * b.lane[1], a.lane[2] * b.lane[2],
                   a.lane[3] * b.lane[3]}};
}

INLINE Four four_scale(Four a, double by) {
    return four_times(a, (Four){{by, by, by, by}});
}

INLINE Four four_magnitude(Four x) {
    return (Four){{fabs(x.lane[0]), fabs(x.lane[1]), fabs(x.lane[2]), fabs(x.lane[3])}};
}

INLINE FourMask four_above(FourMask any, Four x, Four limit) {
    for (int i = 0; i < 4; i++) {
        any.any |= x.lane[i] > limit.lane[i];
    }
    return any;
}

INLINE int four_any(FourMask any) {
    return any.any;
}

#endif

/* The sum of the two halves; a macro as above. */
#define four_folded(x)                                                                             \
    pair_plus(pair_make(FOUR_LANE(x, 0), FOUR_LANE(x, 1)),                                         \
              pair_make(FOUR_LANE(x, 2), FOUR_LANE(x, 3)))

/* May functions marked WIDE be called? */
static inline int has_wide(void) {
#ifdef CAROM_WIDE
    return __builtin_cpu_supports("avx2");
#else
    return 0;
#endif
}

#endif
