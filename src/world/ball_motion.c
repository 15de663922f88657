/* A ball on a level plane. With N the acceleration of gravity into the plane, n its normal, slip
 * u = v - r omega x n, its direction s, and kappa m r^2 the moment of inertia,
 *
 *   sliding   v' = -mu_slide N s,   omega' = mu_slide N/(kappa r) n x s,
 *             u' = -mu_slide N (1 + 1/kappa) s: s is constant, and slip ends at a known time;
 *   rolling   v' = -mu_roll N/(1 + kappa) v/|v|,   omega = n x v/r (along the plane);
 *   spinning  (omega.n)' = -mu_spin N/(kappa r) sign(omega.n), beside both or alone.
 *
 * With kappa = 2/5: 7/2, 5/7 and 5/2 (Jia, Mason and Erdmann, section 9.2; carom/rolling.h). A
 * piece ends where one of these ends, whichever is first. */
#include "world/ball_motion.h"

#include <float.h>

#include "math/functions.h"
#include "math/vec3.h"

/* Slip and speed within this of the terms that they are differences of count as 0. */
static const double STILL_ROUNDING = 16 * DBL_EPSILON;

void carom_motion_advance(CaromMotion *motion, double time) {
    if (!motion) {
        return;
    }
    double dt = time - motion->time;
    for (int k = 0; k < 3; k++) {
        motion->position[k] += dt * (motion->velocity[k] + dt * motion->acceleration[k] / 2);
        motion->velocity[k] += dt * motion->acceleration[k];
        motion->angular_velocity[k] += dt * motion->angular_acceleration[k];
    }
    motion->time = time;
}

void crm_ball_fly(const CaromWorld *world, WorldBody *body) {
    CaromMotion *motion = &body->motion;
    motion->phase = CAROM_PHASE_FLIGHT;
    motion->plane = -1;
    motion->end = INFINITY;
    for (int k = 0; k < 3; k++) {
        motion->acceleration[k] = world->gravity[k];
        motion->angular_acceleration[k] = 0;
    }
}

/* Remove the part of a vector along a unit vector; returns it. */
static double take_along(double x[3], const double n[3]) {
    double along = vec3_dot(x, n);
    vec3_axpy(-along, n, x);
    return along;
}

/* A time at which a speed is used up. */
static double time_of(double speed, double rate) {
    return rate > 0 ? speed / rate : INFINITY;
}

/* Give the ball the spin of rolling, and keep that about n. */
static void spin_of_rolling(CaromMotion *motion, double radius, const double n[3], double spin) {
    double across[3];
    vec3_cross(n, motion->velocity, across);
    for (int k = 0; k < 3; k++) {
        motion->angular_velocity[k] = across[k] / radius + spin * n[k];
    }
}

/* Slide along the slip u; returns when it ends. */
static double begin_sliding(WorldBody *body, const WorldPlane *plane, const CaromSurface *surface,
                            const double u[3], double slip) {
    CaromMotion *motion = &body->motion;
    double push = surface->mu_slide * plane->pull, across[3];
    vec3_cross(plane->normal, u, across);
    motion->phase = CAROM_PHASE_SLIDING;
    for (int k = 0; k < 3; k++) {
        motion->acceleration[k] = -push * u[k] / slip;
        motion->angular_acceleration[k] = push / (body->kappa * body->radius) * across[k] / slip;
    }
    return time_of(slip, push * (1 + 1 / body->kappa));
}

/* Roll at a speed; returns when it ends. */
static double begin_rolling(WorldBody *body, const WorldPlane *plane, const CaromSurface *surface,
                            double speed) {
    CaromMotion *motion = &body->motion;
    double brake = surface->mu_roll * plane->pull / (1 + body->kappa);
    motion->phase = CAROM_PHASE_ROLLING;
    for (int k = 0; k < 3; k++) {
        motion->acceleration[k] = -brake * motion->velocity[k] / speed;
    }
    vec3_cross(plane->normal, motion->acceleration, motion->angular_acceleration);
    for (int k = 0; k < 3; k++) {
        motion->angular_acceleration[k] /= body->radius;
    }
    return time_of(speed, brake);
}

/* Slow down the spin about the normal; returns when it ends. */
static double begin_spinning(WorldBody *body, const WorldPlane *plane, const CaromSurface *surface,
                             double spin) {
    double brake = surface->mu_spin * plane->pull / (body->kappa * body->radius);
    vec3_axpy(spin > 0 ? -brake : brake, plane->normal, body->motion.angular_acceleration);
    return time_of(fabs(spin), brake);
}

void crm_ball_settle(const CaromWorld *world, WorldBody *body, int index) {
    const WorldPlane *plane = &world->planes[index];
    const CaromSurface *surface = world_surface(world, body->material, plane->material);
    CaromMotion *motion = &body->motion;
    const double *n = plane->normal;
    double turn[3], round[3], u[3];
    take_along(motion->velocity, n);
    for (int k = 0; k < 3; k++) {
        motion->acceleration[k] = motion->angular_acceleration[k] = 0;
        turn[k] = motion->angular_velocity[k];
        u[k] = motion->velocity[k];
    }
    double spin = take_along(turn, n), speed = sqrt(vec3_dot(u, u));
    double terms = speed + body->radius * sqrt(vec3_dot(turn, turn));
    vec3_cross(turn, n, round);
    vec3_axpy(-body->radius, round, u);
    spin = fabs(spin) * body->radius > STILL_ROUNDING * terms ? spin : 0;
    double slip = sqrt(vec3_dot(u, u)), phase_time = INFINITY, spin_time = INFINITY;
    motion->plane = index;
    if (slip > STILL_ROUNDING * terms) {
        phase_time = begin_sliding(body, plane, surface, u, slip);
    } else {
        spin_of_rolling(motion, body->radius, n, spin);
        motion->phase = spin != 0 ? CAROM_PHASE_SPINNING : CAROM_PHASE_REST;
        if (speed > 0) {
            phase_time = begin_rolling(body, plane, surface, speed);
        }
    }
    if (spin != 0) {
        spin_time = begin_spinning(body, plane, surface, spin);
    }
    body->spin_ends = spin_time < phase_time;
    motion->end = motion->time + fmin(spin_time, phase_time);
}

CaromWorldEventKind crm_ball_finish_piece(const CaromWorld *world, WorldBody *body) {
    CaromMotion *motion = &body->motion;
    int plane = motion->plane;
    const double *n = world->planes[plane].normal;
    double size = vec3_max_abs(motion->velocity);
    CaromWorldEventKind kind = CAROM_WORLD_SPIN_END;
    carom_motion_advance(motion, motion->end);
    if (body->spin_ends) {
        take_along(motion->angular_velocity, n);
    } else {
        double spin = vec3_dot(motion->angular_velocity, n);
        bool sliding = motion->phase == CAROM_PHASE_SLIDING;
        bool stops = !sliding || vec3_max_abs(motion->velocity) <= STILL_ROUNDING * size;
        for (int k = 0; stops && k < 3; k++) {
            motion->velocity[k] = 0;
        }
        spin_of_rolling(motion, body->radius, n, spin);
        kind = stops ? CAROM_WORLD_STOP : CAROM_WORLD_ROLLING;
    }
    crm_ball_settle(world, body, plane);
    return kind;
}

bool crm_ball_is_still(const WorldBody *body) {
    return body->motion.phase == CAROM_PHASE_REST || body->motion.phase == CAROM_PHASE_POCKETED;
}
