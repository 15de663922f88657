/* All answers of a planar problem at impulse level, also where W is singular.
 *
 * With unknowns x >= 0 along the edges of the friction cones, the answers of a set of modes are a
 * polyhedron: v_n = b and v_t = 0 or I on one edge where a contact is closed, v_n >= b where it is
 * open. The simplex method in long double finds a point of it, and the range of the velocities in
 * it. Nothing is shared with the library. */
#ifndef CAROM_TEST_IMPULSE_POLYHEDRA_H
#define CAROM_TEST_IMPULSE_POLYHEDRA_H

#include "support/multiple/problems.h"

enum { POLYHEDRA_CONTACTS = 4, POLYHEDRA_MOST = 64 };

/* One answer for each velocity. */
typedef struct Polyhedra {
    int count;
    int spread; /* some set of modes has many velocities */
    long double v[POLYHEDRA_MOST][2 * POLYHEDRA_CONTACTS];
    long double energy[POLYHEDRA_MOST]; /* change of kinetic energy */
} Polyhedra;

void impulse_polyhedra(const MultipleProblem *problem, Polyhedra *found);

#endif
