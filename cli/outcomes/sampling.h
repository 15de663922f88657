/* Random numbers that are the same on every machine: splitmix64. */
#ifndef CAROM_CLI_OUTCOMES_SAMPLING_H
#define CAROM_CLI_OUTCOMES_SAMPLING_H

#include <stdint.h>

typedef struct Sampling {
    uint64_t state;
} Sampling;

Sampling sampling_start(long seed);

/* The mixing of splitmix64: 64 bits in, 64 bits out, each of which depends on all. */
uint64_t sampling_mix(uint64_t bits);

/* In [0, 1). */
double sampling_uniform(Sampling *sampling);

/* 0 to count - 1. */
int sampling_index(Sampling *sampling, int count);

/* The numbers 0 to count - 1 in random order. */
void sampling_permutation(Sampling *sampling, int count, int *order);

#endif
