/* Four doubles at once, and functions that are compiled once more for processors with AVX2.
 *
 * A function that is marked WIDE has the same bits as its copy without the mark: no operation is
 * contracted or reordered. Its body is an inline function that both share. */
#ifndef CAROM_MATH_WIDE_H
#define CAROM_MATH_WIDE_H

#include <stdint.h>

/* One vector or two, anywhere in an array of doubles. */
typedef double Four __attribute__((vector_size(32), aligned(8), may_alias));
typedef int64_t FourMask __attribute__((vector_size(32)));

/* The bits of a magnitude. */
static const FourMask FOUR_MAGNITUDE = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX};

#define INLINE static inline __attribute__((always_inline))

#ifdef CAROM_FMA
#define WIDE static __attribute__((target("avx2")))
#else
#define WIDE static
#endif

/* May functions marked WIDE be called? */
static inline int has_wide(void) {
#ifdef CAROM_FMA
    return __builtin_cpu_supports("avx2");
#else
    return 0;
#endif
}

#endif
