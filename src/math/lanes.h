/* Two or four numbers that are worked on at once. Pair is a GNU C extension that gcc and clang turn
 * into the machine's vector instructions, or into plain arithmetic where it has none; the same bits
 * either way. Elements by v[i]. Quad is one, too, where the machine has registers of that size,
 * else two pairs. */
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

/* What a comparison of two pairs says, all bits set or none. */
typedef int64_t Mask __attribute__((vector_size(16)));

static inline Pair magnitude(Pair x) {
    return (Pair)((Mask)x & (Mask){INT64_MAX, INT64_MAX});
}

/* a where the mask is set, else 0. */
static inline Pair pair_where(Mask mask, Pair a) {
    return (Pair)((Mask)a & mask);
}

#ifdef __AVX__

typedef double Quad __attribute__((vector_size(32)));
typedef double LooseQuad __attribute__((vector_size(32), aligned(8), may_alias));

/* Elements of a, from 0, and b, from 4. */
#ifdef __clang__
#define QUAD_PICK(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
typedef int64_t QuadMask __attribute__((vector_size(32)));
#define QUAD_PICK(a, b, ...) __builtin_shuffle(a, b, (QuadMask){__VA_ARGS__})
#endif

static inline Quad quad_load(const double *a) {
    return *(const LooseQuad *)a;
}

static inline void quad_store(double *a, Quad x) {
    *(LooseQuad *)a = x;
}

static inline Quad quad_make(double a, double b, double c, double d) {
    return (Quad){a, b, c, d};
}

static inline Quad quad_times(Quad a, Quad b) {
    return a * b;
}

/* a b + c */
static inline Quad quad_join(Quad a, Quad b, Quad c) {
    return a * b + c;
}

static inline Quad quad_plus(Quad a, Quad b) {
    return a + b;
}

static inline Quad quad_inverse(Quad a) {
    return 1 / a;
}

/* The four that begin two, or one, before now: {before[2], before[3], now[0], now[1]}, and of these
 * and now {before[3], now[0], now[1], now[2]}. */
static inline Quad quad_two_back(Quad before, Quad now) {
    return QUAD_PICK(before, now, 2, 3, 4, 5);
}

static inline Quad quad_one_back(Quad two_back, Quad now) {
    return QUAD_PICK(two_back, now, 1, 4, 3, 6);
}

/* The sums of all elements of a, and of b. */
static inline Pair quad_sums(Quad a, Quad b) {
    Quad sum = QUAD_PICK(a, b, 0, 4, 2, 6) + QUAD_PICK(a, b, 1, 5, 3, 7);
    return (Pair){sum[0], sum[1]} + (Pair){sum[2], sum[3]};
}

static inline Pair quad_low(Quad x) {
    return (Pair){x[0], x[1]};
}

static inline Pair quad_high(Quad x) {
    return (Pair){x[2], x[3]};
}

#else

typedef struct Quad {
    Pair lo, hi;
} Quad;

static inline Quad quad_load(const double *a) {
    return (Quad){pair_load(a), pair_load(a + 2)};
}

static inline void quad_store(double *a, Quad x) {
    a[0] = x.lo[0], a[1] = x.lo[1], a[2] = x.hi[0], a[3] = x.hi[1];
}

static inline Quad quad_make(double a, double b, double c, double d) {
    return (Quad){{a, b}, {c, d}};
}

static inline Quad quad_times(Quad a, Quad b) {
    return (Quad){a.lo * b.lo, a.hi * b.hi};
}

static inline Quad quad_join(Quad a, Quad b, Quad c) {
    return (Quad){a.lo * b.lo + c.lo, a.hi * b.hi + c.hi};
}

static inline Quad quad_plus(Quad a, Quad b) {
    return (Quad){a.lo + b.lo, a.hi + b.hi};
}

static inline Quad quad_inverse(Quad a) {
    return (Quad){1 / a.lo, 1 / a.hi};
}

static inline Quad quad_two_back(Quad before, Quad now) {
    return (Quad){before.hi, now.lo};
}

static inline Quad quad_one_back(Quad two_back, Quad now) {
    return (Quad){{two_back.lo[1], now.lo[0]}, {two_back.hi[1], now.hi[0]}};
}

static inline Pair quad_sums(Quad a, Quad b) {
    return (Pair){a.lo[0] + a.lo[1], b.lo[0] + b.lo[1]} +
           (Pair){a.hi[0] + a.hi[1], b.hi[0] + b.hi[1]};
}

static inline Pair quad_low(Quad x) {
    return x.lo;
}

static inline Pair quad_high(Quad x) {
    return x.hi;
}

#endif

static inline Quad quad_all(double x) {
    return quad_make(x, x, x, x);
}

/* 1, z, z^2, z^3, and z^4 four times. */
static inline Quad quad_powers(double z, Quad *fourth) {
    double z2 = z * z;
    *fourth = quad_all(z2 * z2);
    return quad_make(1, z, z2, z * z2);
}

/* The sums of even and of odd elements. */
static inline Pair quad_halves(Quad x) {
    return quad_low(x) + quad_high(x);
}

static inline double quad_sum(Quad x) {
    Pair half = quad_halves(x);
    return half[0] + half[1];
}

#endif
