/* Whole tosses of the cube: a measured track from the first flight to rest, models that follow it,
 * and how far they are from it. */
#ifndef CAROM_VALIDATION_TOSS_H
#define CAROM_VALIDATION_TOSS_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TOSSES_MAX = 1000, TOSS_FRAMES_MAX = 2000, TOSS_COEFFICIENTS_MAX = 4 };

/* Where the cube is; z is up, the table is z = 0. */
typedef struct Pose {
    double time; /* from the start */
    double position[3], orientation[4];
} Pose;

/* A toss: the state at the last frame before the first touch, and the frames after it. */
typedef struct Toss {
    double half, mass, inertia, gravity;
    Pose start;
    double velocity[3], angular_velocity[3]; /* world axes */
    int count;
    const Pose *frames;
} Toss;

/* Follow a toss and write the pose at the time of each frame. False: it failed on the way, and the
 * last pose that it had is written for the rest. */
typedef bool Follow(const Toss *toss, const double *coefficients, Pose *poses);

typedef struct TossModel {
    const char *name;
    Follow *follow;
    int count; /* of coefficients */
    const char *names[TOSS_COEFFICIENTS_MAX];
    double low[TOSS_COEFFICIENTS_MAX], high[TOSS_COEFFICIENTS_MAX];
    bool factor[TOSS_COEFFICIENTS_MAX]; /* searched by factors: the logarithm is the variable */
} TossModel;

/* Errors of one toss. */
typedef struct TossError {
    double position, position_end; /* mean over frames, at the last one; in edges */
    double rotation, rotation_end; /* in degrees */
    double corners;                /* rms distance of the corners, mean over frames; in edges */
    bool face;                     /* the right face is up at the end */
    bool failed;
} TossError;

TossError toss_error(const TossModel *model, const Toss *toss, const double *coefficients);

/* Coefficients with the least mean distance of the corners over the tosses (the distance of a toss
 * counts as half an edge at most: more is another face). The same search for every model: 20 points
 * for each coefficient, the first half spread evenly over the ranges, the others in a box around
 * the best one that shrinks. */
void toss_search(const TossModel *model, const Toss *tosses, int count, double *coefficients);

/* Models of carom; returns their number. */
int toss_ours(TossModel *models);

/* The engines that were found when this was built: each writes its models and returns their number,
 * or 0. Bullet and ODE have two: friction along the slip of each contact, and in two directions,
 * each of them limited by mu. */
int toss_bullet(TossModel *models);
int toss_mujoco(TossModel *models);
int toss_ode(TossModel *models);

/* Steps of an engine for a time: of 1/1480 s, a tenth of a frame. */
int toss_steps(double time);

#ifdef __cplusplus
}
#endif

#endif
