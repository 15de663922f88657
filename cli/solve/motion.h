/* Changes of the bodies' motion, apart from rounding errors. */
#ifndef CAROM_CLI_SOLVE_MOTION_H
#define CAROM_CLI_SOLVE_MOTION_H

#include "solve/solution.h"

/* Sizes of rounding errors in velocities and angular velocities. */
typedef struct MotionNoise {
    double linear, angular;
} MotionNoise;

/* For a scene with bodies and a solution with a result. */
MotionNoise motion_noise(const Scene *scene, const Solution *solution);

/* Velocity (angular: angular velocity) of a body. */
const double *motion_of(const CaromBody *body, bool angular);

/* The impact changes component k of the body's velocity (angular velocity) by more than rounding;
 * and any component. */
bool motion_changes(const Scene *scene, const Solution *solution, const MotionNoise *noise,
                    int body, bool angular, int k);
bool motion_changes_any(const Scene *scene, const Solution *solution, const MotionNoise *noise,
                        int body, bool angular);

#endif
