/* Many rigid impacts at once, with derivatives, each in an element of vectors; the others are left
 * to the program for one impact. */
#ifndef CAROM_DERIVATIVE_SLOPE_LANES_H
#define CAROM_DERIVATIVE_SLOPE_LANES_H

#include <carom/derivative.h>

/* What lanes leave to the program for one impact. */
enum { SLOPE_DONE = 0, SLOPE_ALL = 1, SLOPE_DERIVATIVE = 2 };

/* Differentiate up to RIGID_LANES_BLOCK cases. open[i]: SLOPE_DONE; SLOPE_DERIVATIVE: outcomes[i]
 * is complete, with the bits of crm_rigid_lanes(); SLOPE_ALL. Each depends on its case alone. */
void crm_slope_lanes(int count, const CaromCase *cases, CaromOutcome *outcomes,
                     CaromCaseDerivative *derivatives, unsigned char *open);
/* By the copy for AVX2 and FMA. */
void crm_slope_lanes_fma(int count, const CaromCase *cases, CaromOutcome *outcomes,
                         CaromCaseDerivative *derivatives, unsigned char *open);

#endif
