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
    double *s;   /* count: mu |v_t|, as far as it has followed */
    double pace; /* part of the way that s goes in a step; 0: s stays 0, a convex problem */
} Splitting;

/* Factor W + penalty and start from z = 0, u = 0, s = 0. */
void crm_splitting_begin(const Strike *strike, double penalty, double pace, Splitting *splitting);

/* Steps; state gets I = z, v of it. */
void crm_splitting_run(const Strike *strike, int steps, Splitting *splitting, StrikeState *state);

#endif
