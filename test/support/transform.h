/* What an impact's answer must not depend on: the axes, the order of the bodies, the units. */
#ifndef CAROM_TEST_TRANSFORM_H
#define CAROM_TEST_TRANSFORM_H

#include "support/rigid/impacts.h"

/* M turns contact vectors, by rows; then come the units. */
typedef struct Transformation {
    double M[9];
    double mass;      /* W is divided by this */
    double speed;     /* v is multiplied by this */
    double stiffness; /* of the normal spring; the ratio is kept */
} Transformation;

/* A way to transform, drawn at random. */
typedef struct Symmetry {
    const char *name;
    Transformation (*make)(Random *random);
} Symmetry;

/* rotation, by any angle about the normal; quarter turn, one way or the other; mirror, the second
 * tangent the other way; swap of the bodies; units, larger or smaller by 1e3 or 1e9, each by
 * itself.
 */
enum { SYMMETRY_COUNT = 5 };
extern const Symmetry SYMMETRIES[SYMMETRY_COUNT];

/* Units of mass and speed that are powers of two, from 2^-40 to 2^40: they round nothing. */
Transformation transform_powers_of_two(Random *random);

Impact transform_impact(const Impact *impact, const Transformation *by);

/* The answer to the original, from that to the transformed impact: impulse and velocity. */
Answer transform_back(const Answer *answer, const Transformation *by);

/* Impulse and velocity equal, where 0 and -0 are, and a failure one for both. */
int answer_same_numbers(const Answer *a, const Answer *b);

/* ---- bodies ---- */

/* Mass, inertia, place and motion of order one. */
CaromBody random_body(Random *random);

/* A solver of one contact. */
typedef CaromStatus (*ContactSolver)(const double W[9], const double v[3],
                                     const CaromContact *contact, CaromResult *result);

/* Let two bodies hit at a random place, once as they are and once with the other one called the
 * first: the largest difference of their velocities, or -1 if they do not approach there. Fails the
 * test if the solver does, or if only one of the two ways approaches. */
double swapped_bodies_differ(Random *random, const CaromBody bodies[2], const CaromContact *contact,
                             ContactSolver solve);

#endif
