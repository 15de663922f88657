/* A first-order method that finds the neighbourhood of a solution where Newton's method does not.
 */
#ifndef CAROM_IMPULSE_SPLITTING_H
#define CAROM_IMPULSE_SPLITTING_H

#include "impulse/impulse_law.h"

/* Scratch: inverse is size x size, the others size each. */
typedef struct Splitting {
    double *inverse, *factor;
    double *z, *u, *right;
    double penalty;
    int convex; /* 1: s = 0, a convex problem */
} Splitting;

/* Factor W + penalty and start from z = 0, u = 0. */
void crm_splitting_begin(const Strike *strike, double penalty, Splitting *splitting);

/* Steps; state gets I = z, v of it. */
void crm_splitting_run(const Strike *strike, int steps, Splitting *splitting, StrikeState *state);

#endif
