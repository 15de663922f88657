/* The impulse of least norm among all that give a velocity. */
#ifndef CAROM_IMPULSE_SHARING_H
#define CAROM_IMPULSE_SHARING_H

#include "impulse/impulse_law.h"

/* Scratch: L and H are size x size, the others size each. rank < 0: L is not yet there. */
typedef struct Sharing {
    int rank;
    double *L, *H;
    double *lambda, *step, *gradient, *trial, *image;
    double *y;
    int *order;
} Sharing;

/* Rank of W. */
int crm_sharing_rank(const Strike *strike, Sharing *sharing);

/* Is state->I the least already? It is if it is the projection of state->share. */
int crm_sharing_is_least(const Strike *strike, const StrikeState *state);

/* Replace state->I by the impulse of least Euclidean norm with the same W I that the law allows for
 * the velocity state->v: none where v_n > b, on a ray where a contact slips, in the cone elsewhere.
 * 1 if there is one (to rounding); else state is left alone. */
int crm_sharing_solve(const Strike *strike, Sharing *sharing, StrikeState *state);

/* Let every contact stick, v_n = b: velocity, and the impulse of least norm that the law allows. 0:
 * it allows none, or contacts cannot all have these velocities; the state then is of no use. */
int crm_sharing_at_rest(const Strike *strike, Sharing *sharing, StrikeState *state);

#endif
