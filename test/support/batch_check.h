/* What every batch does, whatever its cases. */
#ifndef CAROM_TEST_BATCH_CHECK_H
#define CAROM_TEST_BATCH_CHECK_H

#include <stdint.h>

#include <carom/batch.h>

/* Equal bits, any NaN equal to any other. */
int batch_same(const CaromOutcome *a, const CaromOutcome *b);

/* The batch call gives these outcomes, to the last bit, if the cases are cut anywhere, come in
 * another order (so that each has other neighbours and another place), or one at a time. */
void batch_check_independent(const CaromCase *cases, const CaromOutcome *outcomes, int count,
                             uint64_t seed);

#endif
