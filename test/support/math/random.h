/* Random numbers that are the same on every machine. */
#ifndef CAROM_TEST_MATH_RANDOM_H
#define CAROM_TEST_MATH_RANDOM_H

#include <stdint.h>

/* xoshiro256** seeded by splitmix64. */
typedef struct Random {
    uint64_t state[4];
} Random;

/* Stream number index of a seed. */
Random random_start(uint64_t seed, uint64_t index);

uint64_t random_bits(Random *random);

/* In [0, 1), a multiple of 2^-53. */
double random_uniform(Random *random);

/* In [low, high); each power of two between them equally likely. */
double random_log(Random *random, double low, double high);

/* In [low, high). */
double random_between(Random *random, double low, double high);

/* Each component in [-size, size). */
void random_vector(Random *random, double size, double out[3]);

/* A symmetric positive definite W of order one. */
void random_matrix(Random *random, double W[9]);

#endif
