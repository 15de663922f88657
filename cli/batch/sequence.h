/* Points in [0, 1)^d by their number: random, Latin hypercube, Sobol. */
#ifndef CAROM_CLI_BATCH_SEQUENCE_H
#define CAROM_CLI_BATCH_SEQUENCE_H

#include <stdint.h>

/* Most dimensions of Sobol's points. */
enum { SEQUENCE_DIMENSIONS = 16 };

double sequence_random(uint64_t seed, int dimension, uint64_t index);

/* One of count points: each of count equal parts of every axis has exactly one. */
double sequence_latin(uint64_t seed, int dimension, uint64_t index, uint64_t count);

/* Sobol's points with the direction numbers of Joe and Kuo (2008), shifted at random (digit by
 * digit, which keeps how even they are). */
double sequence_sobol(uint64_t seed, int dimension, uint64_t index);

/* The x below which a standard normal variable is with probability p, 0 < p < 1. */
double sequence_normal(double p);

#endif
