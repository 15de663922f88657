/* Planar impacts for the tests, and the library's answers. */
#ifndef CAROM_TEST_PLANAR_IMPACT_H
#define CAROM_TEST_PLANAR_IMPACT_H

#include <stdint.h>

#include "support/contact/impact.h"

typedef struct Planar {
    double W[4], v[2];
    CaromContact contact;
    CaromLaw law;
} Planar;

typedef struct PlanarOutcome {
    CaromStatus status;
    double impulse[2], velocity[2];
    CaromEvent events[CAROM_RIGID_EVENTS];
    CaromResult result;
} PlanarOutcome;

/* The library's answer, in an outcome that was filled with something else before. */
void planar_solve(const Planar *planar, PlanarOutcome *out);

/* W_nn = 1 and v_n = -1, energetic law. */
Planar planar_make(double Wtt, double Wtn, double vt, double mu, double e);

/* The same impact with a second tangent that has no part in it. */
Impact planar_embed(const Planar *planar);

/* The answer to the embedded impact. */
Answer planar_answer(const PlanarOutcome *out);

/* Impact number index of a seed: all three laws, nearly singular W, no slip, no friction, e = 0 and
 * 1 among them. */
Planar planar_random(uint64_t seed, uint64_t index);

/* Print an impact on standard error, to reproduce a failure. */
void planar_print(const Planar *p);

/* As CaromProblem, pointing into the impact. */
CaromProblem planar_problem(const Planar *planar);

#endif
