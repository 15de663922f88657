/* Many planar rigid impacts at once, each in an element of vectors; the others are left to the
 * solver for one. */
#ifndef CAROM_PLANAR_LANES_H
#define CAROM_PLANAR_LANES_H

#include <carom/batch.h>

/* Most impacts of one call. */
enum { PLANAR_LANES_BLOCK = 512 };

/* Solve the planar rigid ones of up to PLANAR_LANES_BLOCK cases. open[i], 1 before, becomes 0 where
 * outcomes[i] is complete: to the last bit what carom_planar_solve() gives. */
void crm_planar_lanes(int count, const CaromCase *cases, CaromOutcome *outcomes,
                      unsigned char *open);
/* By the copy for AVX2, with the same bits: it has no contraction. */
void crm_planar_lanes_fma(int count, const CaromCase *cases, CaromOutcome *outcomes,
                          unsigned char *open);

#endif
