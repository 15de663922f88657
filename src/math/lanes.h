/* SIMD: two or four doubles at once. Pair is a GNU C vector type; gcc and clang compile it to
 * vector instructions or to scalar arithmetic, with the same bits. v[i] is an element. Quad is a
 * vector type where the machine has AVX, else two pairs. */
#ifndef CAROM_MATH_LANES_H
#define CAROM_MATH_LANES_H

#include <stdint.h>

typedef double Pair __attribute__((vector_size(16)));

/* a[0] and a[1], without alignment. */
static inline Pair pair_load(const double *a) {
    return (Pair){a[0], a[1]};
}

static inline Pair both(double x) {
    return (Pair){x, x};
}

/* Result of comparing two pairs: all bits set or none. */
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

/* Select elements: 0 to 3 of a, 4 to 7 of b. */
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

/* Shifts of a sequence stored in quads. quad_two_back: {before[2], before[3], now[0], now[1]};
 * quad_one_back, from that and now: {before[3], now[0], now[1], now[2]}. */
static inline Quad quad_two_back(Quad before, Quad now) {
    return QUAD_PICK(before, now, 2, 3, 4, 5);
}

static inline Quad quad_one_back(Quad two_back, Quad now) {
    return QUAD_PICK(two_back, now, 1, 4, 3, 6);
}

/* {sum of a, sum of b} */
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

/* {1, z, z^2, z^3}; *fourth = z^4 in all elements. */
static inline Quad quad_powers(double z, Quad *fourth) {
    double z2 = z * z;
    *fourth = quad_all(z2 * z2);
    return quad_make(1, z, z2, z * z2);
}

/* {x[0] + x[2], x[1] + x[3]} */
static inline Pair quad_halves(Quad x) {
    return quad_low(x) + quad_high(x);
}

static inline double quad_sum(Quad x) {
    Pair half = quad_halves(x);
    return half[0] + half[1];
}

#endif
