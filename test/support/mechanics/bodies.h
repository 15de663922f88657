/* Bodies for the tests, and a property of all solvers: the answer does not depend on which body is
 * the first. */
#ifndef CAROM_TEST_MECHANICS_BODIES_H
#define CAROM_TEST_MECHANICS_BODIES_H

#include <stdint.h>

#include <carom/carom.h>

/* A homogeneous ball at the origin, at rest. */
CaromBody body_ball(double mass, double radius);

/* A solver of one contact. */
typedef CaromStatus (*ContactSolver)(const double W[9], const double v[3],
                                     const CaromContact *contact, CaromResult *result);

/* Let random pairs of bodies hit, once as they are and once with the other one called the first,
 * and fail unless their velocities afterwards agree to 5e-14, or if the solver fails. Velocities
 * are of order 1; measured: rigid 6.4e-15, compliant 1.8e-15. */
void check_bodies_swap(uint64_t seed, int count, ContactSolver solve);

#endif
