/* Between impacts: free flight of a body, and its next touch with a plane.
 *
 * In flight only gravity acts. The centre of mass moves on a parabola; the body turns by Euler's
 * equations with its angular momentum constant in world axes:
 *
 *   x'' = g,   J omega' = J omega x omega (body axes),   q' = q o (0, omega)/2.
 *
 * Bouncing is then flight to the next touch, impact, and so on:
 *
 *   carom_flight_touch() -> carom_bodies_contact_space(), carom_solve(), carom_bodies_apply()
 *
 * with the plane as an immovable body. Thread-safe; nothing is kept between calls. */
#ifndef CAROM_FLIGHT_H
#define CAROM_FLIGHT_H

#include <carom/body.h>
#include <carom/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Most steps that one call takes. A step turns the body by up to 2 radians, by less the more its
 * principal moments differ (0.4 for a flat box); so a call may turn it thousands of times before it
 * gives up with CAROM_NOT_CONVERGED. */
#define CAROM_FLIGHT_STEPS 100000

/* Let a body fly for a time dt, which may be negative: the flight before. gravity is in world axes.
 *
 * To rounding of its angular momentum, for any inertia: Taylor series of order up to 20 with steps
 * from their coefficients. The angular momentum is the same after any number of steps, and the
 * energy of the rotation is watched. A body whose inertia is a multiple of 1, or that turns about a
 * principal axis, needs no steps, however long it flies.
 *
 * CAROM_INVALID_INPUT: a body that carom_bodies_contact_space() would refuse, one of infinite mass,
 * gravity or dt not finite, or a result beyond the range of double precision.
 * CAROM_NOT_CONVERGED: more than CAROM_FLIGHT_STEPS steps. On failure the body is as it was and
 * *message (if message is not NULL) is a constant string that names what is wrong; else "". */
CAROM_API CaromStatus carom_flight_advance(CaromBody *body, const double gravity[3], double dt,
                                           const char **message);

/* An immovable plane. The body is on the side that the normal points to. */
typedef struct CaromPlane {
    double point[3];  /* any point of it, world axes */
    double normal[3]; /* out of the plane's body into the free side; normalised by the library */
} CaromPlane;

/* What of a body can touch the plane. Make it with one of the two functions below. */
typedef struct CaromShape {
    double radius;          /* > 0: a ball about the centre of mass; else the vertices count */
    const double *vertices; /* 3 numbers each, from the centre of mass, body axes; the caller's */
    int vertex_count;
} CaromShape;

/* A ball about the centre of mass; radius > 0. */
CAROM_API CaromShape carom_shape_ball(double radius);

/* The convex hull of at least one vertex. Points inside it do no harm. The vertices are only read
 * and must live as long as the shape is used. */
CAROM_API CaromShape carom_shape_vertices(const double *vertices, int vertex_count);

/* The smallest distance of the shape from the plane; negative: it is that deep inside. *vertex (if
 * vertex is not NULL) is the index of the vertex that is nearest (the first of equals), -1 for a
 * ball. NaN, with *vertex -1, if something is not usable. */
CAROM_API double carom_shape_gap(const CaromBody *body, const CaromShape *shape,
                                 const CaromPlane *plane, int *vertex);

/* The vertices with which a shape touches the plane: the corners of the convex hull of all vertices
 * that are inside the plane or within a distance (>= 0) above it. Vertices within that distance of
 * another corner, or of the line between two, are left out: they add nothing to the shape.
 *
 * Writes the indices to vertices, which has room for shape->vertex_count, in ascending order, and
 * returns how many there are. Returns 0 for a ball, -1 if something is not usable. After
 * carom_flight_touch() it lists what touches together: an impact of all of them at once takes a
 * CaromSite for each. A distance of 1e-9 of the body's size covers the rounding of its position. */
CAROM_API int carom_shape_touching(const CaromBody *body, const CaromShape *shape,
                                   const CaromPlane *plane, double distance, int *vertices);

/* A touch. */
typedef struct CaromTouch {
    int found;       /* 0: none within the horizon; then the rest, but work, means nothing */
    double time;     /* from now, >= 0 */
    int vertex;      /* index of the vertex that touches; -1: a ball */
    double point[3]; /* where, world axes */
    double speed;    /* at which the gap closes, >= 0; 0: the body rests on the plane */
    CaromBody body;  /* the body at that time, before any impact */
    int work;        /* steps of the rotation */
} CaromTouch;

/* The first time from now, within the horizon (> 0, INFINITY allowed), at which the gap between
 * the shape and the plane is 0 while it closes.
 *
 * No touch is skipped: the gap of each vertex is marched from one side, with a lower bound of its
 * second derivative on each step of the rotation. A vertex that has just bounced (its gap is 0 and
 * opens) is not reported again before it comes back. One that starts in touch and closes is
 * reported at time 0; so is one that stands still but for being pulled into the plane, with speed
 * 0. Of several at the same time the one that closes fastest is reported; carom_shape_touching()
 * lists all. What passes the plane at a distance below rounding (of the body's position and size)
 * may count as a touch.
 *
 * Without gravity towards the plane a spinning body may stay near it for ever: give a horizon.
 *
 * CAROM_INVALID_INPUT: as for carom_flight_advance(); a shape without vertices or with one that is
 * not finite; a plane without direction; a horizon that is not > 0; or a body that is inside the
 * plane at the start (by more than 1e-9 of its size; what is less counts as 0).
 * CAROM_NOT_CONVERGED: more than CAROM_FLIGHT_STEPS steps, or a vertex that passes the plane too
 * closely to tell (1000 steps towards one root). On failure *touch is all zero, its numbers NaN,
 * and *message (if message is not NULL) names what is wrong; else "". */
CAROM_API CaromStatus carom_flight_touch(const CaromBody *body, const double gravity[3],
                                         const CaromShape *shape, const CaromPlane *plane,
                                         double horizon, CaromTouch *touch, const char **message);

#ifdef __cplusplus
}
#endif

#endif
