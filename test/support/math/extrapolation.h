/* The integrator of the oracles of compliant contacts, in long double: one step of an ordinary
 * differential equation by Gragg's midpoint rule with extrapolation, and the first zero inside it.
 */
#ifndef CAROM_TEST_MATH_EXTRAPOLATION_H
#define CAROM_TEST_MATH_EXTRAPOLATION_H

typedef long double Real;

/* The midpoint rule with 2, 4, ... 2 EXTRAPOLATION_COLUMNS substeps; the largest state. */
#define EXTRAPOLATION_COLUMNS 8
#define EXTRAPOLATION_SIZE 512

/* y' = rate, of the system that is integrated. */
typedef void (*Rates)(const void *system, const Real *y, Real *rate);

/* A step of length h from y, size numbers; lower is the same with one column less, whose distance
 * is the estimated error. */
void extrapolate(Rates rates, const void *system, int size, const Real *y, Real h, Real *out,
                 Real *lower);

/* A value that is watched in a step: positive as long as nothing happens. */
typedef struct Watched {
    Real (*after)(const void *what, Real h, Real *rate); /* repeats the step with length h */
    const void *what;
    Real start, start_rate, end, end_rate; /* of the step, and the rates in time */
} Watched;

/* Where it first falls through 0 in a step of length h, or h if it does not. If it dips and comes
 * back, its lowest point lies inside. */
Real first_fall(const Watched *watched, Real h, int *falls);

static inline Real dot2(const Real *a, const Real *b) {
    return a[0] * b[0] + a[1] * b[1];
}

#endif
