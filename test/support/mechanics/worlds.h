/* Worlds of balls for tests. */
#ifndef CAROM_TEST_MECHANICS_WORLDS_H
#define CAROM_TEST_MECHANICS_WORLDS_H

#include <carom/world.h>

#include "support/math/random.h"

/* Most balls of these worlds. */
#define WORLDS_BALLS 64

/* A setup with room for what it points to. Materials: 0 balls, 1 everything immovable. */
typedef struct TestWorld {
    CaromWorldSetup setup;
    CaromWorldBody bodies[WORLDS_BALLS];
    CaromWorldPlane planes[6];
    CaromCushion cushions[4];
    CaromSurface surfaces[4];
} TestWorld;

/* No bodies, no planes; contacts with these coefficients everywhere. */
void worlds_begin(TestWorld *world, double mu, double e);

/* A uniform ball at rest. Returns it. */
CaromBody *worlds_add_ball(TestWorld *world, double mass, double radius, double x, double y,
                           double z);

/* A plane through a point. */
void worlds_add_plane(TestWorld *world, const double point[3], const double normal[3]);

/* The level plane z = 0 under gravity, with friction for lasting contact. */
void worlds_add_table(TestWorld *world, double mu_slide, double mu_roll, double mu_spin);

/* Balls of different size at random places and with random velocities and spins, in a cubic box of
 * half side 1. */
void worlds_fill_box(TestWorld *world, int count, double radius, Random *random);

/* Make the world; fails the test if it is refused. */
CaromWorld *worlds_create(const TestWorld *world);

/* A ball now. */
CaromMotion worlds_ball(const CaromWorld *world, int body);

#endif
