/* Slow and independent answers of the impulse-level law, in long double. Nothing is shared with the
 * library. */
#ifndef CAROM_TEST_IMPULSE_ORACLE_H
#define CAROM_TEST_IMPULSE_ORACLE_H

#include "support/math/random.h"
#include "support/multiple/problems.h"

#define IMPULSE_ORACLE_MOST 64

/* Solutions found; nearly equal ones are there once. */
typedef struct ImpulseOracle {
    int count;
    long double I[IMPULSE_ORACLE_MOST][24], v[IMPULSE_ORACLE_MOST][24];
    long double energy[IMPULSE_ORACLE_MOST]; /* change of kinetic energy */
} ImpulseOracle;

/* A planar problem of at most 4 contacts: all sets of modes (open, stick, slip either way), each
 * solved by elimination with full pivoting; sets whose equations are singular are left out. */
void impulse_oracle_planar(const MultipleProblem *problem, ImpulseOracle *oracle);

/* A problem of at most 8 contacts: a projected fixed-point iteration, contact by contact, from the
 * given number of random starts; those that converge to 1e-17 are kept. */
void impulse_oracle_spatial(const MultipleProblem *problem, Random *random, int starts,
                            ImpulseOracle *oracle);

/* The exact solution next to an answer (I, v) of the library: Newton's method in long double on the
 * equations that its modes have, all contacts that touch included. Where W is singular the system
 * is too, and impulses that elimination finds to be free stay; v is the same for all of them. I and
 * v are replaced. 0 if it does not converge. */
int impulse_polish(const MultipleProblem *problem, long double *I, long double *v);

#endif
