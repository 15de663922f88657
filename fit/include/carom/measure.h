/* Bench procedures: coefficients and speeds from what is easily measured, with standard errors.
 *
 * Part of libcarom-fit. Sources: Y.-B. Jia, M. Mason, M. Erdmann, "Multiple impacts: a state
 * transition diagram approach", section 9, with the corrections of docs/errata.md and docs/fit.md.
 *
 * Where a procedure is repeated the value is the mean, and its standard error the larger of the
 * scatter of the repetitions and the propagated uncertainty. NAN: not known (one repetition, no
 * uncertainty given). All functions are thread-safe; those of tracks allocate working memory. */
#ifndef CAROM_MEASURE_H
#define CAROM_MEASURE_H

#include <carom/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A number with its standard error; 0: exact. */
typedef struct CaromMeasured {
    double value, standard_error;
} CaromMeasured;

/* All return CAROM_INVALID_INPUT for numbers out of range, with *result NAN and *message (if
 * message is not NULL) a constant string that names what is wrong. */

/* e from drop and bounce heights: sqrt(bounce/drop), count pairs; sigma of a height, 0: unknown. */
CAROM_API CaromStatus carom_measure_drop(const double *drops, const double *bounces, int count,
                                         double sigma, CaromMeasured *result, const char **message);

/* e from the heights of successive bounces, the first the drop; count >= 2. ln h falls by 2 ln e
 * from one to the next: a straight line is fitted to it, weighted for the same error of every
 * height. */
CAROM_API CaromStatus carom_measure_heights(const double *heights, int count, double sigma,
                                            CaromMeasured *result, const char **message);

/* e from the times of successive bounces, count >= 3: flights get shorter by the factor e. Weighted
 * likewise. */
CAROM_API CaromStatus carom_measure_times(const double *times, int count, double sigma,
                                          CaromMeasured *result, const char **message);

/* e from pendulum heights, released and reached. mass_ratio 0: the same pendulum after it hit a
 * fixed body, sqrt(reached/released). mass_ratio > 0: a ball at rest that was hit by a pendulum,
 * the ball's mass over the pendulum's: (1 + mass_ratio) sqrt(reached/released) - 1. (The paper
 * prints the first formula for the second arrangement.) Heights that would need e below 0 or above
 * 1 are refused. */
CAROM_API CaromStatus carom_measure_pendulum(const double *released, const double *reached,
                                             int count, double sigma, double mass_ratio,
                                             CaromMeasured *result, const char **message);

/* mu_static from tilt angles in radians at which bodies begin to slide: tan. */
CAROM_API CaromStatus carom_measure_tilt(const double *angles, int count, double sigma,
                                         CaromMeasured *result, const char **message);

/* mu_roll from a ball that rolls down a ramp of a height and then a distance on the table: h/d.
 * as_printed: 7h/(5d), which takes a ball that slides down. */
CAROM_API CaromStatus carom_measure_ramp(const double *heights, const double *distances, int count,
                                         double sigma, int as_printed, CaromMeasured *result,
                                         const char **message);

/* Speed of a mass (a cue) that some equal springs have pushed from a stretch to another:
 * sqrt(springs k (stretch^2 - rest^2)/m). */
CAROM_API CaromStatus carom_measure_springs(int springs, CaromMeasured stiffness,
                                            CaromMeasured stretch, CaromMeasured rest,
                                            CaromMeasured mass, CaromMeasured *result,
                                            const char **message);

/* stiffness_ratio from Poisson's ratio: (2 - nu)/(2 (1 - nu)). */
CAROM_API CaromStatus carom_measure_poisson(CaromMeasured nu, CaromMeasured *result,
                                            const char **message);

/* Where a body was at a time. */
typedef struct CaromTrackPoint {
    double time, position[3];
    double orientation[4]; /* unit quaternion (w, x, y, z); only for carom_measure_tumble() */
} CaromTrackPoint;

/* Two flights and the bounce between them. */
typedef struct CaromTrackBounce {
    double time;                       /* of the impact: where both flights meet in z */
    int last;                          /* index of the last point before it */
    CaromMeasured before[3], after[3]; /* velocities at the impact */
    CaromMeasured e;                   /* -after z over before z */
    double rms;                        /* of the positions */
} CaromTrackBounce;

/* Velocities before and after a bounce from tracked positions, z along the normal: a parabola with
 * the given gravity is fitted to each flight. count >= 6 in order of time; the split between the
 * flights is the one that fits best. An axis whose coordinate never changes was not tracked (a film
 * shows two): its scatter does not count, and its velocity has the error NAN. So it is below. */
CAROM_API CaromStatus carom_measure_bounce(const CaromTrackPoint *points, int count,
                                           const double gravity[3], CaromTrackBounce *result,
                                           const char **message);

/* A ball on a table after a shot, and the velocities with which it started. */
typedef struct CaromTrackRoll {
    CaromMeasured velocity[2], angular_velocity[2]; /* x, y, at the time of the first point */
    CaromMeasured mu_slide, mu_roll;
    double rms; /* of the positions */
} CaromTrackRoll;

/* Fit the path of carom/rolling.h to positions (x, y) on the table, count >= 6. mu_slide, mu_roll:
 * given, or NAN: fitted, too. If the ball never rolls in the track, mu_roll and how long the slip
 * lasts are not told: their standard errors are NAN or large. */
CAROM_API CaromStatus carom_measure_roll(const CaromTrackPoint *points, int count, double radius,
                                         double gravity, double mu_slide, double mu_roll,
                                         CaromTrackRoll *result, const char **message);

/* A tumbling body in free flight. */
typedef struct CaromTrackTumble {
    CaromMeasured velocity[3], angular_velocity[3]; /* world axes, at the time asked for */
    double rms;                                     /* of the positions */
    double angle;                                   /* rms of the rotations, in radians */
} CaromTrackTumble;

/* Velocities of a body from positions and orientations in one flight, count >= 3: a parabola, and
 * Euler's equations with the principal moments of inertia (any unit, body axes), at a time. */
CAROM_API CaromStatus carom_measure_tumble(const CaromTrackPoint *points, int count,
                                           const double gravity[3], const double inertia[3],
                                           double time, CaromTrackTumble *result,
                                           const char **message);

#ifdef __cplusplus
}
#endif

#endif
