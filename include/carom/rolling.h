/* A ball on a table after a shot: it slides, then rolls, then rests.
 *
 * The table is horizontal, z is up, and the ball (uniform, radius r) stays on it. With the slip of
 * the lowest point u = v - r omega x z, its direction s = u/|u|, and g the acceleration of gravity,
 *
 *   sliding   v' = -mu_slide g s,      omega' = 5/2 mu_slide g/r  z x s,   u' = -7/2 mu_slide g s
 *   rolling   v' = -5/7 mu_roll g v/|v|,   omega = z x v/r,                u = 0
 *
 * (omega: its horizontal part). The direction of slip does not change, so the centre slides on a
 * parabola; then it rolls along a straight line. All of it is closed form. A slip at the start that
 * is 0 but for rounding (3.6e-15 of |v| + r |omega|) counts as none.
 *
 * What is left out: a vertical velocity is ignored, as if the ball did not hop; the spin about the
 * vertical axis stays as it is, also when the centre rests; rolling friction acts only in rolling.
 * Nothing is in the way: no cushions, no other balls.
 *
 * Source: Y.-B. Jia, M. Mason, M. Erdmann, "Multiple impacts: a state transition diagram approach",
 * section 9.2, where the factor 5/7 is printed as 2/7 (docs/errata.md). Thread-safe; nothing is
 * kept between calls. */
#ifndef CAROM_ROLLING_H
#define CAROM_ROLLING_H

#include <carom/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The ball and what it is on. */
typedef struct CaromTable {
    double radius;   /* of the ball, > 0 */
    double mu_slide; /* friction in sliding, >= 0; 0: the slip never ends */
    double mu_roll;  /* friction in rolling, >= 0: resisting torque over weight times radius; 0: it
                        rolls for ever */
    double gravity;  /* acceleration, > 0 */
} CaromTable;

typedef enum CaromRollingPhase {
    CAROM_ROLLING_PHASE_SLIDING = 0,
    CAROM_ROLLING_PHASE_ROLLING = 1,
    CAROM_ROLLING_PHASE_REST = 2 /* the centre is; a spin about the vertical axis may be left */
} CaromRollingPhase;

/* Where the ball is and how it moves, in world axes. */
typedef struct CaromRollingState {
    double position[3]; /* of the centre */
    double velocity[3]; /* of the centre */
    double angular_velocity[3];
} CaromRollingState;

/* The way of a ball. Phase i lasts from begin[i] to begin[i + 1], the last one for ever; what does
 * not happen lasts no time. */
typedef struct CaromRollingPath {
    double begin[3];            /* 0, and when rolling and rest begin; INFINITY: never */
    CaromRollingState state[3]; /* at these times; NaN where the time is INFINITY */
    double deceleration[2];     /* of the centre while it slides and rolls; >= 0 */
    double slip[2];             /* direction of slip while it slides, (x, y); 0 if it never slips */
    double radius;
} CaromRollingPath;

/* The path of a ball that starts as given; start->velocity[2] is ignored and taken as 0.
 *
 * CAROM_INVALID_INPUT: something not finite, a radius or gravity not > 0, a mu < 0, or a path that
 * exceeds the range of double precision. Then *path is all NaN and *message (if message is not
 * NULL) is a constant string that names what is wrong; else "". */
CAROM_API CaromStatus carom_rolling_path(const CaromTable *table, const CaromRollingState *start,
                                         CaromRollingPath *path, const char **message);

/* The ball at a time >= 0, and (if phase is not NULL) what it is doing; at the moment of a change
 * it is the later phase. A time of INFINITY asks where it comes to rest.
 *
 * CAROM_INVALID_INPUT: a time that is NaN or negative, or at which the ball is beyond the range of
 * double precision; then *state is NaN and *phase CAROM_ROLLING_PHASE_REST. */
CAROM_API CaromStatus carom_rolling_at(const CaromRollingPath *path, double time,
                                       CaromRollingState *state, CaromRollingPhase *phase,
                                       const char **message);

#ifdef __cplusplus
}
#endif

#endif
