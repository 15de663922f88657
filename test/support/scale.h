/* How many random cases to run, and which. */
#ifndef CAROM_TEST_SCALE_H
#define CAROM_TEST_SCALE_H

/* count times the environment variable CAROM_TEST_SCALE (default 1), at least 1: slow builds run
 * fewer cases, long runs more. */
int scaled(int count);

/* The environment variable CAROM_TEST_SEED, or this seed. */
unsigned seeded(unsigned seed);

#endif
