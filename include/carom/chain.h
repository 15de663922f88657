/* Derivatives chained to what users have: bodies, mechanisms, and the time of a touch.
 *
 * All in reverse. A function L of the speeds after an impact is known by its weights, dL/d(speeds
 * after); its gradient by everything before takes three steps:
 *
 *   carom_bodies_weigh()              dL/dI, from the weights
 *   carom_differentiate_reverse()     dL/d(W, v, coefficients), from dL/dI
 *   carom_bodies_gradient()           dL/d(bodies, sites)
 *
 * and likewise with carom_system_...(). One weight 1 and the rest 0 gives a row of the Jacobian. No
 * function allocates; all are pure functions of their arguments. */
#ifndef CAROM_CHAIN_H
#define CAROM_CHAIN_H

#include <carom/body.h>
#include <carom/flight.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The weights of the velocities of a body after an impact. */
typedef struct CaromBodyWeight {
    double velocity[3], angular_velocity[3];
} CaromBodyWeight;

/* The gradient by a body. A body of infinite mass has none by mass and inertia (0); a guided one
 * none by inertia, rotation and angular velocity (0), its guide stays as it is, and only the part
 * along that of the gradient by its velocity is of use. */
typedef struct CaromBodyGradient {
    double mass;
    double inertia[6]; /* body axes: xx, xy, xz, yy, yz, zz; xy is by both mirrored entries */
    double position[3];
    double rotation[3]; /* by a small rotation vector, world axes, of the body about its centre */
    double velocity[3], angular_velocity[3];
} CaromBodyGradient;

/* The gradient by a site. The tangent stays as it is given or chosen. */
typedef struct CaromSiteGradient {
    double point[3];  /* the bodies stay: their lever arms change */
    double normal[3]; /* by the normal as it is given, not normalised */
} CaromSiteGradient;

/* dL/dI (3n numbers) from the weights of the bodies. CAROM_INVALID_INPUT as for
 * carom_bodies_contact_space(). */
CAROM_API CaromStatus carom_bodies_weigh(const CaromBody *bodies, int body_count,
                                         const CaromSite *sites, int site_count,
                                         const CaromBodyWeight *weights, double *impulse_weight,
                                         const char **message);

/* dL/d(bodies, sites): from the bodies before the impact, the impulse I (3n), the weights, and
 * gradient, dL/d(W, v) as carom_differentiate_reverse() writes it for n spatial contacts. Either
 * output may be NULL. CAROM_INVALID_INPUT as for carom_bodies_contact_space(); then the outputs are
 * NaN. */
CAROM_API CaromStatus carom_bodies_gradient(const CaromBody *bodies, int body_count,
                                            const CaromSite *sites, int site_count,
                                            const double *impulse, const CaromBodyWeight *weights,
                                            const double *gradient, CaromBodyGradient *by_bodies,
                                            CaromSiteGradient *by_sites, const char **message);

/* dL/dI (m numbers) of a mechanism with responses R = M^-1 J^T (m rows of n; carom/system.h), from
 * the weights (n) of its speeds after. */
CAROM_API void carom_system_weigh(int n, int m, const double *R, const double *weights,
                                  double *impulse_weight);

/* dL/d(u, M, J). response is M^-1 weights (n), as carom_system_responses() computes it with the
 * weights as a Jacobian of one row; gradient as in carom_bodies_gradient(), impulse I (m). by_M is
 * n x n and symmetric: half of the derivative by both mirrored entries in each. Any output may be
 * NULL. */
CAROM_API void carom_system_gradient(int n, int m, const double *J, const double *R,
                                     const double *u, const double *impulse, const double *weights,
                                     const double *response, const double *gradient, double *by_u,
                                     double *by_M, double *by_J);

/* The touch of two balls in flight, or of a ball and a plane, and how its time depends on where
 * they are. */
typedef struct CaromBallTouch {
    int found;             /* 0: they do not touch; the rest is NaN then */
    double time;           /* from now, > 0 */
    double normal[3];      /* out of the second into the first, at the touch */
    double by_position[3]; /* of the time, by the first's position; minus that by the second's */
    double by_velocity[3]; /* likewise by its velocity */
} CaromBallTouch;

/* Two balls under the same gravity, which does not matter. distance: sum of the radii, > 0. Balls
 * that overlap and approach touch now. A state x, v after the impact at that time follows with
 * dx = dx- + (v- - v+) dt: positions at a later time have exact derivatives. */
CAROM_API CaromStatus carom_balls_touch(const CaromBody *first, const CaromBody *second,
                                        double distance, CaromBallTouch *touch,
                                        const char **message);

/* A ball and a plane; the time as carom_flight_touch() finds it without a horizon. */
CAROM_API CaromStatus carom_ball_touch_plane(const CaromBody *ball, const double gravity[3],
                                             double radius, const CaromPlane *plane,
                                             CaromBallTouch *touch, const char **message);

/* The motion of a body as twelve numbers, three each: position, rotation (a small rotation vector,
 * world axes, of the body about its centre), velocity, angular velocity. */
#define CAROM_MOTION 12

/* The Jacobian of free flight: the motion after a time dt by the motion before, 12 x 12 by rows.
 * The rotation by its variational equations along carom_flight_advance(), which gives statuses and
 * messages, too; on failure all numbers are NaN. */
CAROM_API CaromStatus carom_flight_jacobian(const CaromBody *body, const double gravity[3],
                                            double dt, double jacobian[CAROM_MOTION * CAROM_MOTION],
                                            const char **message);

/* The touch of a body with a plane (carom_flight_touch() with a horizon), and how it depends on the
 * motion of the body now: by_time, dt/dmotion (12 numbers), and by_motion, the motion at the touch,
 * whose time moves, too (12 x 12 by rows; may be NULL). A convex body touches with the vertex that
 * touch->vertex names; where two touch at once the derivative belongs to that one. All are NaN if
 * there is no touch, or one that does not close (speed 0). */
CAROM_API CaromStatus carom_touch_gradient(const CaromBody *body, const double gravity[3],
                                           const CaromShape *shape, const CaromPlane *plane,
                                           double horizon, CaromTouch *touch,
                                           double by_time[CAROM_MOTION],
                                           double by_motion[CAROM_MOTION * CAROM_MOTION],
                                           const char **message);

#ifdef __cplusplus
}
#endif

#endif
