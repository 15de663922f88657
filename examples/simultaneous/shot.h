/* A cue strikes a ball on a table: section 9.2 of Y.-B. Jia, M. Mason, M. Erdmann, "Multiple
 * impacts: a state transition diagram approach".
 *
 * Coordinates: the speed of the cue along its axis c, which guides it, and the ball's velocity v
 * and angular velocity omega. Contacts: cue and ball (normal n, out of the ball), ball and table
 * (normal z). With the impulses I1 on the cue and I2 on the ball ((48) to (50) of the paper)
 *
 *   m v = I2 - I1,   omega = -5/(2 m r) (n x I1 + z x I2),
 *
 * so that v and r omega do not depend on the radius r. */
#ifndef CAROM_EXAMPLE_SHOT_H
#define CAROM_EXAMPLE_SHOT_H

#include <carom/carom.h>
#include <stdbool.h>

typedef struct Shot {
    double mass, radius; /* of the ball */
    double cue, speed;   /* mass of the cue, and its speed before */
    double n[3];         /* where the cue hits, from the centre of the ball; normalised when used */
    double heading; /* direction of the cue in the plane of the table: angle from -x towards -y */
    double k;       /* stiffness ratio k2/k1, table over cue */
    double eta[2];  /* eta^2: normal over tangential stiffness, cue and table */
    double mu[2], e[2]; /* friction and restitution, cue and table */
} Shot;

/* As in the paper, except for the mass: 0.1701 kg instead of 0.01701. */
extern const Shot shot_of_paper;

typedef struct ShotOutcome {
    CaromRollingState ball; /* velocities; at the origin */
    double lost;            /* relative loss of energy */
    char states[256];
} ShotOutcome;

/* Direction of the cue, 72 degrees down. */
void shot_axis(const Shot *shot, double c[3]);

/* False, with a message, if the shot was not solved or no energy was lost. */
bool shoot(const Shot *shot, ShotOutcome *outcome);

/* The same by small time steps, each the given part of sqrt(m/k1), with code independent of carom.
 */
void shoot_in_steps(const Shot *shot, double part, CaromRollingState *ball);

/* The radius for which impulses at the two contacts can cause these velocities: (n + z) x I1 =
 * -m (2/5 r omega + z x v) must be normal to n + z. */
double shot_radius(const CaromRollingState *ball);

/* The path of the ball afterwards. */
bool shot_path(const CaromRollingState *ball, double radius, CaromRollingPath *path);

/* The initial sense of curvature of the path: > 0 left. */
double shot_bend(const CaromRollingState *ball, double radius);

/* ---- vectors ---- */

static inline double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void cross(const double a[3], const double b[3], double c[3]) {
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

#endif
