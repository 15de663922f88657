/* SIMD: two or four doubles at once. Pair and Quad are vector types of GNU C where the compiler has
 * them (gcc, clang), else structures; the bits are the same. LANE(x, i) is
 * an element. Quad is one vector where the machine has AVX, else two pairs. CAROM_PLAIN_C chooses
 * structures on all. */
#ifndef CAROM_MATH_LANES_H
#define CAROM_MATH_LANES_H

#include <float.h>

/* Sums whose rounding errors are computed (math/exact_sum.h) and decisions next to them need
 * doubles that are doubles. With x87 a fifth of the reference cases was wrong, by up to 5 %. */
#if FLT_EVAL_METHOD == 2
#error "carom needs arithmetic in doubles; gcc and clang on 32-bit x86: -msse2 -mfpmath=sse"
#endif

#if defined(__GNUC__) && !defined(__TINYC__) && !defined(CAROM_PLAIN_C)

#include <stdint.h>

#define CAROM_VECTORS
#define INLINE static inline __attribute__((always_inline))

typedef double Pair __attribute__((vector_size(16)));

#define LANE(x, i) ((x)[i])

INLINE Pair pair_make(double a, double b) {
    return (Pair){a, b};
}

INLINE Pair pair_plus(Pair a, Pair b) {
    return a + b;
}

INLINE Pair pair_minus(Pair a, Pair b) {
    return a - b;
}

INLINE Pair pair_times(Pair a, Pair b) {
    return a * b;
}

INLINE Pair pair_over(Pair a, Pair b) {
    return a / b;
}

INLINE Pair pair_negate(Pair a) {
    return -a;
}

/* Result of comparing two pairs: all bits set or none. */
typedef int64_t Mask __attribute__((vector_size(16)));

INLINE Pair magnitude(Pair x) {
    return (Pair)((Mask)x & (Mask){INT64_MAX, INT64_MAX});
}

/* a where x is above the limit, else 0. */
INLINE Pair pair_where(Pair x, double limit, Pair a) {
    return (Pair)((Mask)a & (x > limit));
}

/* x where x > y, else y; one instruction, which compilers do not find. */
INLINE Pair pair_larger(Pair x, Pair y) {
#if defined(__SSE2__) && !defined(CAROM_NO_LANES)
    return __builtin_ia32_maxpd(x, y);
#else
    Mask first = (Mask)(x > y);
    return (Pair)(((Mask)x & first) | ((Mask)y & ~first));
#endif
}

#else

#include <math.h>

#define INLINE static inline

typedef struct Pair {
    double lane[2];
} Pair;

#define LANE(x, i) ((x).lane[i])

INLINE Pair pair_make(double a, double b) {
    return (Pair){{a, b}};
}

INLINE Pair pair_plus(Pair a, Pair b) {
    return pair_make(LANE(a, 0) + LANE(b, 0), LANE(a, 1) + LANE(b, 1));
}

INLINE Pair pair_minus(Pair a, Pair b) {
    return pair_make(LANE(a, 0) - LANE(b, 0), LANE(a, 1) - LANE(b, 1));
}

INLINE Pair pair_times(Pair a, Pair b) {
    return pair_make(LANE(a, 0) * LANE(b, 0), LANE(a, 1) * LANE(b, 1));
}

INLINE Pair pair_over(Pair a, Pair b) {
    return pair_make(LANE(a, 0) / LANE(b, 0), LANE(a, 1) / LANE(b, 1));
}

INLINE Pair pair_negate(Pair a) {
    return pair_make(-LANE(a, 0), -LANE(a, 1));
}

INLINE Pair magnitude(Pair x) {
    return pair_make(fabs(LANE(x, 0)), fabs(LANE(x, 1)));
}

INLINE Pair pair_where(Pair x, double limit, Pair a) {
    return pair_make(LANE(x, 0) > limit ? LANE(a, 0) : 0, LANE(x, 1) > limit ? LANE(a, 1) : 0);
}

INLINE Pair pair_larger(Pair x, Pair y) {
    return pair_make(LANE(x, 0) > LANE(y, 0) ? LANE(x, 0) : LANE(y, 0),
                     LANE(x, 1) > LANE(y, 1) ? LANE(x, 1) : LANE(y, 1));
}

#endif

INLINE Pair pair_less(Pair x, Pair y) {
    return pair_negate(pair_larger(pair_negate(x), pair_negate(y)));
}

INLINE double larger_lane(Pair x) {
    return LANE(x, 0) > LANE(x, 1) ? LANE(x, 0) : LANE(x, 1);
}

INLINE Pair both(double x) {
    return pair_make(x, x);
}

/* a[0] and a[1], without alignment. */
INLINE Pair pair_load(const double *a) {
    return pair_make(a[0], a[1]);
}

/* a b + c */
INLINE Pair pair_join(Pair a, Pair b, Pair c) {
    return pair_plus(pair_times(a, b), c);
}

#if defined(__AVX__) && defined(CAROM_VECTORS)

typedef double Quad __attribute__((vector_size(32)));
typedef double LooseQuad __attribute__((vector_size(32), aligned(8), may_alias));

/* Select elements: 0 to 3 of a, 4 to 7 of b. */
#ifdef __clang__
#define QUAD_PICK(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
typedef int64_t QuadMask __attribute__((vector_size(32)));
#define QUAD_PICK(a, b, ...) __builtin_shuffle(a, b, (QuadMask){__VA_ARGS__})
#endif

INLINE Quad quad_load(const double *a) {
    return *(const LooseQuad *)a;
}

INLINE void quad_store(double *a, Quad x) {
    *(LooseQuad *)a = x;
}

INLINE Quad quad_make(double a, double b, double c, double d) {
    return (Quad){a, b, c, d};
}

INLINE Quad quad_times(Quad a, Quad b) {
    return a * b;
}

/* a b + c */
INLINE Quad quad_join(Quad a, Quad b, Quad c) {
    return a * b + c;
}

INLINE Quad quad_plus(Quad a, Quad b) {
    return a + b;
}

INLINE Quad quad_minus(Quad a, Quad b) {
    return a - b;
}

INLINE Quad quad_inverse(Quad a) {
    return 1 / a;
}

INLINE Quad quad_of(Pair low, Pair high) {
    return (Quad){low[0], low[1], high[0], high[1]};
}

/* Shifts of a sequence stored in quads. quad_two_back: {before[2], before[3], now[0], now[1]};
 * quad_one_back, from that and now: {before[3], now[0], now[1], now[2]}. */
INLINE Quad quad_two_back(Quad before, Quad now) {
    return QUAD_PICK(before, now, 2, 3, 4, 5);
}

INLINE Quad quad_one_back(Quad two_back, Quad now) {
    return QUAD_PICK(two_back, now, 1, 4, 3, 6);
}

/* {sum of a, sum of b} */
INLINE Pair quad_sums(Quad a, Quad b) {
    Quad sum = QUAD_PICK(a, b, 0, 4, 2, 6) + QUAD_PICK(a, b, 1, 5, 3, 7);
    return (Pair){sum[0], sum[1]} + (Pair){sum[2], sum[3]};
}

INLINE Pair quad_low(Quad x) {
    return (Pair){x[0], x[1]};
}

INLINE Pair quad_high(Quad x) {
    return (Pair){x[2], x[3]};
}

#else

typedef struct Quad {
    Pair lo, hi;
} Quad;

INLINE Quad quad_load(const double *a) {
    return (Quad){pair_load(a), pair_load(a + 2)};
}

INLINE void quad_store(double *a, Quad x) {
    a[0] = LANE(x.lo, 0);
    a[1] = LANE(x.lo, 1);
    a[2] = LANE(x.hi, 0);
    a[3] = LANE(x.hi, 1);
}

INLINE Quad quad_make(double a, double b, double c, double d) {
    return (Quad){pair_make(a, b), pair_make(c, d)};
}

INLINE Quad quad_times(Quad a, Quad b) {
    return (Quad){pair_times(a.lo, b.lo), pair_times(a.hi, b.hi)};
}

INLINE Quad quad_join(Quad a, Quad b, Quad c) {
    return (Quad){pair_join(a.lo, b.lo, c.lo), pair_join(a.hi, b.hi, c.hi)};
}

INLINE Quad quad_plus(Quad a, Quad b) {
    return (Quad){pair_plus(a.lo, b.lo), pair_plus(a.hi, b.hi)};
}

INLINE Quad quad_minus(Quad a, Quad b) {
    return (Quad){pair_minus(a.lo, b.lo), pair_minus(a.hi, b.hi)};
}

INLINE Quad quad_of(Pair low, Pair high) {
    return (Quad){low, high};
}

INLINE Quad quad_inverse(Quad a) {
    return (Quad){pair_over(both(1), a.lo), pair_over(both(1), a.hi)};
}

INLINE Quad quad_two_back(Quad before, Quad now) {
    return (Quad){before.hi, now.lo};
}

INLINE Quad quad_one_back(Quad two_back, Quad now) {
    return (Quad){pair_make(LANE(two_back.lo, 1), LANE(now.lo, 0)),
                  pair_make(LANE(two_back.hi, 1), LANE(now.hi, 0))};
}

INLINE Pair quad_sums(Quad a, Quad b) {
    return pair_plus(pair_make(LANE(a.lo, 0) + LANE(a.lo, 1), LANE(b.lo, 0) + LANE(b.lo, 1)),
                     pair_make(LANE(a.hi, 0) + LANE(a.hi, 1), LANE(b.hi, 0) + LANE(b.hi, 1)));
}

INLINE Pair quad_low(Quad x) {
    return x.lo;
}

INLINE Pair quad_high(Quad x) {
    return x.hi;
}

#endif

INLINE Quad quad_all(double x) {
    return quad_make(x, x, x, x);
}

/* {1, z, z^2, z^3}; *fourth = z^4 in all elements. */
INLINE Quad quad_powers(double z, Quad *fourth) {
    double z2 = z * z;
    *fourth = quad_all(z2 * z2);
    return quad_make(1, z, z2, z * z2);
}

/* {x[0] + x[2], x[1] + x[3]} */
INLINE Pair quad_halves(Quad x) {
    return pair_plus(quad_low(x), quad_high(x));
}

INLINE double quad_sum(Quad x) {
    Pair half = quad_halves(x);
    return LANE(half, 0) + LANE(half, 1);
}

#endif
