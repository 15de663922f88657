/* How many random cases to run. */
#ifndef CAROM_TEST_SCALE_H
#define CAROM_TEST_SCALE_H

/* count times the environment variable CAROM_TEST_SCALE (default 1), at least 1: slow builds run
 * fewer cases, long runs more. */
int scaled(int count);

#endif
