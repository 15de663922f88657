/* Properties of one contact's answer: it does not depend on the axes, the order of the bodies or
 * the units. */
#ifndef CAROM_TEST_SYMMETRY_H
#define CAROM_TEST_SYMMETRY_H

#include <stdint.h>

#include "support/contact/impact.h"

/* M turns contact vectors, by rows; then come the units. */
typedef struct Transformation {
    double M[9];
    double mass;      /* W is divided by this */
    double speed;     /* v is multiplied by this */
    double stiffness; /* of the normal spring; the ratio is kept */
} Transformation;

Impact transform_impact(const Impact *impact, const Transformation *by);

/* The answer to the original, from that to the transformed impact: impulse and velocity. */
Answer transform_back(const Answer *answer, const Transformation *by);

/* ---- checks ---- */

/* A solver under test, on random impacts. */
typedef struct SymmetryCheck {
    Impact (*draw)(uint64_t seed, uint64_t index);
    Answer (*solve)(const Impact *impact);
    /* Difference between the answer to an impact and that to its transform; 0 if rounding of the
     * input explains it, which *explained then counts. Runs on several threads. */
    double (*difference)(uint64_t index, const Impact *impact, const Transformation *by,
                         int *explained);
    uint64_t seed;
    int count; /* impacts for each symmetry */
    double bound;
    int most_explained;
} SymmetryCheck;

/* Every symmetry keeps the answer to within the bound. */
void check_symmetries(const SymmetryCheck *check);

/* Powers of two round nothing: the same bits, but for the exponent. The stiffness alone, whose
 * ratio is kept, changes nothing at all. */
void check_powers_of_two(const SymmetryCheck *check);

#endif
