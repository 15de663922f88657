/* What reports say about impulses and velocities. The solution must have a result. */
#ifndef CAROM_CLI_MOTION_WORDS_H
#define CAROM_CLI_MOTION_WORDS_H

#include "solve/motion.h"
#include "solve/solution.h"

/* Length of the tangential part of a contact's vector. */
double report_tangential(const double *x, int rows);

/* How many times a contact acts, and whether it latches. */
int report_times(const CaromResult *result, int contact, bool *latched);

/* A body's velocity (angular: angular velocity) after the impact. With several contacts, components
 * that are only rounding error become 0. */
void report_after(const Scene *scene, const Solution *solution, const MotionNoise *noise, int body,
                  bool angular, double shown[3]);

/* The sentence that replaces the angular velocities; NULL: show them. */
const char *report_turn_words(const Scene *scene, const Solution *solution);

#endif
