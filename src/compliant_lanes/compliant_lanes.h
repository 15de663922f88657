/* Many compliant impacts of one contact at once, each in an element of vectors; the others are left
 * to the solver for one. */
#ifndef CAROM_COMPLIANT_LANES_H
#define CAROM_COMPLIANT_LANES_H

#include <carom/batch.h>

/* Most impacts of one call. */
enum { COMPLIANT_LANES_BLOCK = 512 };

/* Solve the compliant ones of up to COMPLIANT_LANES_BLOCK cases. open[i], 1 before, becomes 0 where
 * outcomes[i] is complete. Each outcome, and whether it is left, depends on its case alone. */
void crm_compliant_lanes(int count, const CaromCase *cases, CaromOutcome *outcomes,
                         unsigned char *open);
/* By the copy for AVX2 and FMA, and by the plain one. */
void crm_compliant_lanes_fma(int count, const CaromCase *cases, CaromOutcome *outcomes,
                             unsigned char *open);

#endif
