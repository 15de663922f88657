/* MANY doubles at once, one of each of several independent problems: what happens to an element
 * depends on that element alone, so its bits depend neither on its neighbours nor on MANY.
 *
 * MANY is the number of doubles in a register of the machine that is compiled for: 8 with AVX-512,
 * 4 with AVX, else 2. CAROM_LANES says that there is such a type: not where the compiler has no
 * vectors, nor with CAROM_NO_LANES. */
#ifndef CAROM_MATH_MANY_H
#define CAROM_MATH_MANY_H

#include "math/lanes.h"

#if defined(CAROM_VECTORS) && !defined(CAROM_NO_LANES)

#define CAROM_LANES

#include <math.h>

#ifndef MANY
#if defined(__AVX512F__)
#define MANY 8
#elif defined(__AVX__)
#define MANY 4
#else
#define MANY 2
#endif
#endif

typedef double Many __attribute__((vector_size(8 * MANY)));
/* All bits of an element set, or none: the result of a comparison, whose elements clang calls long
 * long. */
#ifdef __clang__
typedef long long ManyMask __attribute__((vector_size(8 * MANY)));
#else
typedef int64_t ManyMask __attribute__((vector_size(8 * MANY)));
#endif
/* The bits of a Many as numbers that wrap. */
typedef uint64_t ManyBits __attribute__((vector_size(8 * MANY)));
/* A Many anywhere in an array of doubles. */
typedef double LooseMany __attribute__((vector_size(8 * MANY), aligned(8), may_alias));

INLINE Many many_all(double x) {
    return x - (Many){0};
}

INLINE Many many_load(const double *a) {
    return *(const LooseMany *)a;
}

INLINE void many_store(double *a, Many x) {
    *(LooseMany *)a = x;
}

INLINE Many many_choose(ManyMask where, Many yes, Many no) {
#if MANY == 4 && defined(__AVX__)
    return __builtin_ia32_blendvpd256(no, yes, (Many)where);
#else
    return (Many)(((ManyMask)yes & where) | ((ManyMask)no & ~where));
#endif
}

/* x where it holds, else 0. */
INLINE Many many_where(ManyMask where, Many x) {
    return (Many)((ManyMask)x & where);
}

INLINE Many many_abs(Many x) {
    return (Many)((ManyMask)x & INT64_MAX);
}

/* The second if either is NaN. */
INLINE Many many_least(Many x, Many y) {
    return many_choose(x < y, x, y);
}

INLINE Many many_most(Many x, Many y) {
    return many_choose(x > y, x, y);
}

INLINE Many many_sqrt(Many x) {
#if MANY == 8 && defined(__AVX512F__) && defined(__clang__)
    return (Many)__builtin_ia32_sqrtpd512(x, 4);
#elif MANY == 8 && defined(__AVX512F__)
    return (Many)__builtin_ia32_sqrtpd512_mask(x, x, -1, 4);
#elif MANY == 8 && defined(__AVX__)
    typedef double Half __attribute__((vector_size(32)));
    union {
        Many all;
        Half half[2];
    } u = {x};
    u.half[0] = __builtin_ia32_sqrtpd256(u.half[0]);
    u.half[1] = __builtin_ia32_sqrtpd256(u.half[1]);
    return u.all;
#elif MANY == 4 && defined(__AVX__)
    return __builtin_ia32_sqrtpd256(x);
#else
    for (int i = 0; i < MANY; i++) {
        x[i] = sqrt(x[i]);
    }
    return x;
#endif
}

INLINE int many_any(ManyMask mask) {
#if MANY == 4 && defined(__AVX__)
    return __builtin_ia32_movmskpd256((Many)mask) != 0;
#else
    int64_t any = 0;
    for (int i = 0; i < MANY; i++) {
        any |= mask[i];
    }
    return any != 0;
#endif
}

#endif

#endif
