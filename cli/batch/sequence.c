/* Points in [0, 1)^d by their number. */
#include "batch/sequence.h"

#include <math.h>

#include "outcomes/sampling.h"

static uint64_t hash(uint64_t seed, uint64_t a, uint64_t b) {
    uint64_t start = sampling_mix(seed + 0x9E3779B97F4A7C15u);
    return sampling_mix(sampling_mix(start + a * 0xD1B54A32D192ED03u) + b * 0x9E3779B97F4A7C15u);
}

double sequence_random(uint64_t seed, int dimension, uint64_t index) {
    return (double)(hash(seed, (uint64_t)dimension, index) >> 11) * 0x1p-53;
}

/* A permutation of 0 to count - 1 without a table: a Feistel network permutes the next power of 4,
 * and what lands beyond the end is permuted again until it does not. */
static uint64_t permute(uint64_t seed, int dimension, uint64_t index, uint64_t count) {
    int half = 1;
    while (half < 31 && ((uint64_t)1 << (2 * half)) < count) {
        half++;
    }
    uint64_t mask = ((uint64_t)1 << half) - 1;
    do {
        uint64_t left = index >> half, right = index & mask;
        for (uint64_t round = 0; round < 6; round++) {
            uint64_t next = left ^ (hash(seed, (uint64_t)dimension * 8 + round, right) & mask);
            left = right;
            right = next;
        }
        index = left << half | right;
    } while (index >= count);
    return index;
}

double sequence_latin(uint64_t seed, int dimension, uint64_t index, uint64_t count) {
    double part = sequence_random(~seed, dimension, index);
    double point = ((double)permute(seed, dimension, index, count) + part) / (double)count;
    return point < 1 ? point : 1 - 0x1p-53;
}

/* Primitive polynomials (degree, coefficients between the first and the last) and first direction
 * numbers of the dimensions after the first, from Joe and Kuo's table. */
static const struct {
    int degree;
    unsigned polynomial;
    unsigned first[6];
} directions[SEQUENCE_DIMENSIONS - 1] = {
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
};

enum { BITS = 52 };

/* The first direction numbers of a dimension, as fractions of 2^BITS. */
static void make_directions(int dimension, int count, uint64_t numbers[BITS]) {
    if (dimension == 0) {
        for (int i = 0; i < count; i++) {
            numbers[i] = (uint64_t)1 << (BITS - 1 - i);
        }
        return;
    }
    int degree = directions[dimension - 1].degree;
    unsigned polynomial = directions[dimension - 1].polynomial;
    for (int i = 0; i < count; i++) {
        if (i < degree) {
            numbers[i] = (uint64_t)directions[dimension - 1].first[i] << (BITS - 1 - i);
            continue;
        }
        numbers[i] = numbers[i - degree] ^ (numbers[i - degree] >> degree);
        for (int k = 1; k < degree; k++) {
            if (polynomial >> (degree - 1 - k) & 1) {
                numbers[i] ^= numbers[i - k];
            }
        }
    }
}

double sequence_sobol(uint64_t seed, int dimension, uint64_t index) {
    uint64_t numbers[BITS], point = hash(seed, (uint64_t)dimension, 0) >> (64 - BITS);
    int count = 0;
    while (count < BITS && index >> count) {
        count++;
    }
    make_directions(dimension, count, numbers);
    for (int i = 0; i < count; i++) {
        if (index >> i & 1) {
            point ^= numbers[i];
        }
    }
    return ((double)point + 0.5) * 0x1p-52;
}

double sequence_normal(double p) {
    double q = p < 0.5 ? p : 1 - p, sign = p < 0.5 ? -1 : 1;
    double t = sqrt(-2 * log(q));
    /* Hastings' approximation, to 5e-4, then Halley's method on the tail's area */
    double x = t - ((0.010328 * t + 0.802853) * t + 2.515517) /
                       (((0.001308 * t + 0.189269) * t + 1.432788) * t + 1);
    for (int i = 0; i < 3; i++) {
        double area = 0.5 * erfc(x * 0.70710678118654752440);
        double slope = 0.39894228040143267794 * exp(-0.5 * x * x);
        double step = (area - q) / slope;
        x += step / (1 - 0.5 * x * step);
    }
    return sign * x;
}
