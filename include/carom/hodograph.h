/* The geometry of slip at one rigid contact: invariant directions, the stick test, the
 * closed-form hodograph, and bounds. W is 3x3 by rows; B = W[t,t], d = W[t,n], w = W[n,n]. */
#ifndef CAROM_HODOGRAPH_H
#define CAROM_HODOGRAPH_H

#include <carom/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Count of invariant directions when every direction is one (B a multiple of 1 and d = 0). */
#define CAROM_ALL_DIRECTIONS (-1)

/* A direction of slip that lasts: s with s x (d - mu B s) = 0. */
typedef struct CaromInvariant {
    double direction[2]; /* unit vector s in the tangent plane */
    double rate;         /* dr/dp along it, s.(d - mu B s); > 0: centrifugal, else centripetal */
    int stable;          /* 1 if nearby slip directions turn towards it */
} CaromInvariant;

/* The two to four invariant directions, by angle in (-pi, pi]; *count is their number or
 * CAROM_ALL_DIRECTIONS. A double root counts once. */
CAROM_API CaromStatus carom_invariant_directions(const double W[9], double mu,
                                                 CaromInvariant invariants[4], int *count,
                                                 const char **message);

/* |B^-1 d|: a contact at rest sticks if this is at most mu_static. NaN if B is singular. */
CAROM_API double carom_stick_ratio(const double W[9]);

/* w - mu |d|. Jia and Wang's condition (18) holds if it is > 0; the normal velocity then rises
 * all the time. Not needed for the solve. */
CAROM_API double carom_solvability_margin(const double W[9], double mu);

/* An upper bound of the normal impulse at which compression first ends, whatever the path:
 * (mu |gamma| - v_n)/lambda_min(W). */
CAROM_API double carom_compression_bound(const double W[9], const double v[3], double mu);

/* Closed-form hodograph: the sliding speed *r at direction angle theta, for slip that started with
 * sliding velocity gamma. Defined for theta between the two invariant directions next to gamma's
 * direction (the slip comes from one and tends to the other, both in the limit);
 * CAROM_INVALID_INPUT (*r NaN) outside, or if gamma is zero or on an invariant direction. */
CAROM_API CaromStatus carom_hodograph_speed(const double W[9], double mu, const double gamma[2],
                                            double theta, double *r, const char **message);

#ifdef __cplusplus
}
#endif

#endif
