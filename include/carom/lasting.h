/* A convex body that stays in contact with planes: it slides, sticks, tips over edges and corners,
 * lifts off, and comes to rest.
 *
 * Bounces that die out leave a body in touch. From there its vertices push against the planes, with
 * Coulomb's friction at each:
 *
 *   m x'' = m g + sum f,   (J omega)' = sum r x f,   0 <= f_n,  0 <= gap,  |f_t| <= mu f_n against
 * slip.
 *
 * This is integrated in steps. One step is free flight, exact, and impulses at all vertices that
 * touch, by the law of several rigid contacts with e = 0 (docs/impulse.md), such that the
 * velocities at its end obey the law: Moreau's time stepping, of second order where nothing
 * changes. The step is halved until two halves agree with the whole. Energy does not rise. A vertex
 * that touches faster than a given speed is an impact, which is the caller's to solve. */
#ifndef CAROM_LASTING_H
#define CAROM_LASTING_H

#include <stddef.h>

#include <carom/flight.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Most contacts of vertices and planes at once. */
#define CAROM_LASTING_CONTACTS 64

/* What the body is, and what it touches. All arrays are the caller's and are only read. */
typedef struct CaromLasting {
    CaromShape shape; /* vertices; a ball is refused: its motion on a plane has a closed form
                         (rolling.h) */
    const CaromPlane *planes;
    const double *mu; /* of each plane; >= 0 */
    int plane_count;  /* >= 1 */
    double gravity[3];
    double speed; /* a vertex that touches faster is an impact; > 0, or INFINITY: none is, all land
                     plastically */
    double tolerance;  /* of a step, relative to the body's size; 1e-12 to 1e-2; 0: 1e-8 */
    double first_step; /* a time to try first, as next_step of a run before; 0: chosen */
} CaromLasting;

typedef enum CaromLastingEnd {
    CAROM_LASTING_TIME = 0,   /* the time has passed */
    CAROM_LASTING_REST = 1,   /* the body rests, for ever: its velocities are 0 */
    CAROM_LASTING_FLIGHT = 2, /* no vertex touches */
    CAROM_LASTING_IMPACT = 3, /* a vertex touches faster than `speed` */
    CAROM_LASTING_FAILED = 4  /* see the status */
} CaromLastingEnd;

typedef struct CaromLastingRun {
    CaromLastingEnd end;
    double time;      /* from the start */
    int steps;        /* accepted */
    int solves;       /* of the law */
    double next_step; /* a time with which to go on */
    double clamped;   /* energy that the steps would have gained in all, and were not allowed to */
} CaromLastingRun;

/* Sees the body after each step. Not 0: stop, with CAROM_LASTING_TIME. */
typedef int (*CaromLastingVisit)(void *user, double time, const CaromBody *body);

/* Numbers (not bytes) of workspace; 0 if the shape has no vertices. */
CAROM_API size_t carom_lasting_workspace(const CaromLasting *lasting);

/* Go on from a state in touch for a time of at most horizon (> 0, INFINITY allowed). visit may be
 * NULL.
 *
 * Vertices within 1e-7 of the body's size of a plane touch it. At CAROM_LASTING_FLIGHT and
 * CAROM_LASTING_IMPACT the body is raised out of the planes, so that carom_flight_touch() takes it.
 * workspace: as above, or NULL: the
 * function allocates and frees its own.
 *
 * CAROM_INVALID_INPUT: a body, shape, plane or number out of range, or a body inside a plane by
 * more than that. CAROM_NOT_CONVERGED: more than 1000000 steps, more than CAROM_LASTING_CONTACTS
 * contacts, or the law has no solution. On failure the body is where it failed, and *message (if
 * message is not NULL) says why. */
CAROM_API CaromStatus carom_lasting_advance(CaromBody *body, const CaromLasting *lasting,
                                            double horizon, CaromLastingVisit visit, void *user,
                                            double *workspace, CaromLastingRun *run,
                                            const char **message);

#ifdef __cplusplus
}
#endif

#endif
