#include "world/convex_path.h"

#include <string.h>

#include "flight/turn.h"
#include "math/functions.h"
#include "math/vec3.h"

double crm_convex_path_energy(const CaromWorld *world, const CaromBody *state) {
    return carom_body_energy(state) - state->mass * vec3_dot(world->gravity, state->position);
}

/* The body at the beginning of its piece. */
static void path_begin(const WorldBody *body, CaromBody *state) {
    const CaromMotion *motion = &body->motion;
    *state = carom_body_default();
    state->mass = body->mass;
    memcpy(state->inertia, body->inertia, sizeof state->inertia);
    memcpy(state->position, motion->position, sizeof state->position);
    memcpy(state->velocity, motion->velocity, sizeof state->velocity);
    memcpy(state->orientation, motion->orientation, sizeof state->orientation);
    memcpy(state->angular_velocity, motion->angular_velocity, sizeof state->angular_velocity);
}

/* c = a o b, of quaternions. */
static void path_compose(const double a[4], const double b[4], double c[4]) {
    double cross[3];
    vec3_cross(a + 1, b + 1, cross);
    c[0] = a[0] * b[0] - vec3_dot(a + 1, b + 1);
    for (int k = 1; k < 4; k++) {
        c[k] = a[0] * b[k] + b[0] * a[k] + cross[k - 1];
    }
}

/* The angular velocity of a rotation by the vector angle that changes at a rate: rate + angle x
 * rate/2 + angle x (angle x rate)/6 + ... The angles of a step are small. */
static void path_spin(const double angle[3], const double rate[3], double omega[3]) {
    double once[3], twice[3];
    vec3_cross(angle, rate, once);
    vec3_cross(angle, once, twice);
    for (int k = 0; k < 3; k++) {
        omega[k] = rate[k] + once[k] / 2 + twice[k] / 6;
    }
}

/* Give the velocities the energy of a time between the ends of the step. */
static void path_balance(const CaromWorld *world, const WorldConvex *convex, double part,
                         CaromBody *state) {
    double energy = (1 - part) * convex->energy[0] + part * convex->energy[1];
    double kinetic = carom_body_energy(state);
    double wanted = energy - (crm_convex_path_energy(world, state) - kinetic);
    double factor = kinetic > 0 ? sqrt(fmax(wanted, 0) / kinetic) : 1;
    /* the interpolation has the energy but for its error; no more than that is changed */
    factor = fmin(factor, 2);
    for (int k = 0; k < 3; k++) {
        state->velocity[k] *= factor;
        state->angular_velocity[k] *= factor;
    }
}

/* The body in lasting contact after a time of its step. */
static void path_interpolate(const CaromWorld *world, const WorldBody *body, double dt,
                             CaromBody *state) {
    const CaromMotion *motion = &body->motion;
    const WorldConvex *convex = body->convex;
    double angle[3], rate[3], turn[4], q[4];
    for (int k = 0; k < 3; k++) {
        state->position[k] += dt * (motion->velocity[k] + dt * motion->acceleration[k] / 2);
        state->velocity[k] += dt * motion->acceleration[k];
        angle[k] = dt * (motion->angular_velocity[k] + dt * convex->arc[k]);
        rate[k] = motion->angular_velocity[k] + 2 * dt * convex->arc[k];
    }
    double half = sqrt(vec3_dot(angle, angle)) / 2, factor = half > 0 ? sin(half) / half / 2 : 0.5;
    turn[0] = cos(half);
    for (int k = 0; k < 3; k++) {
        turn[1 + k] = factor * angle[k];
    }
    path_compose(turn, state->orientation, q);
    memcpy(state->orientation, q, sizeof q);
    path_spin(angle, rate, state->angular_velocity);
    path_balance(world, convex, dt / (motion->end - motion->time), state);
}

bool crm_convex_path_at(const CaromWorld *world, const WorldBody *body, double time,
                        CaromBody *state) {
    const CaromMotion *motion = &body->motion;
    path_begin(body, state);
    if (motion->phase == CAROM_PHASE_LASTING && motion->end > motion->time &&
        motion->end < INFINITY) {
        path_interpolate(world, body, fmin(time, motion->end) - motion->time, state);
    }
    return motion->phase != CAROM_PHASE_FLIGHT ||
           carom_flight_advance(state, world->gravity, time - motion->time, NULL) == CAROM_OK;
}

bool crm_convex_path_move(const CaromWorld *world, const WorldBody *body, double from, double to,
                          CaromBody *state) {
    if (body->motion.phase == CAROM_PHASE_FLIGHT) {
        return carom_flight_advance(state, world->gravity, to - from, NULL) == CAROM_OK;
    }
    return crm_convex_path_at(world, body, to, state);
}

void crm_convex_path_bounds(const CaromWorld *world, const WorldBody *body, double *turn,
                            double *change) {
    const CaromMotion *motion = &body->motion;
    const double *omega = motion->angular_velocity;
    double speed = sqrt(vec3_dot(omega, omega));
    *turn = *change = 0;
    (void)world;
    if (motion->phase == CAROM_PHASE_FLIGHT) {
        CaromBody state;
        path_begin(body, &state);
        Turn flight = crm_turn_start(&state);
        *turn = flight.steady ? speed : flight.pace;
        *change = flight.steady ? 0 : flight.pace * flight.pace;
    } else if (motion->phase == CAROM_PHASE_LASTING && motion->end < INFINITY) {
        const double *arc = body->convex->arc;
        double bend = 2 * sqrt(vec3_dot(arc, arc)), angle = speed * (motion->end - motion->time);
        /* the factor covers the higher terms of path_spin() */
        *turn = 1.5 * (speed + bend * (motion->end - motion->time));
        *change = 1.5 * (bend + bend * angle + speed * speed);
    }
}

/* The vector of the rotation from a to b. */
static void path_rotation(const double a[4], const double b[4], double angle[3]) {
    double back[4] = {a[0], -a[1], -a[2], -a[3]}, turn[4];
    path_compose(b, back, turn);
    double sine = sqrt(vec3_dot(turn + 1, turn + 1)), sign = turn[0] < 0 ? -1 : 1;
    double factor = sine > 0 ? 2 * atan2(sine, fabs(turn[0])) / sine : 2;
    for (int k = 0; k < 3; k++) {
        angle[k] = sign * factor * turn[1 + k];
    }
}

void crm_convex_path_stay(const CaromWorld *world, WorldBody *body, double time,
                          const CaromBody *end) {
    CaromMotion *motion = &body->motion;
    WorldConvex *convex = body->convex;
    CaromBody begin;
    double angle[3];
    path_begin(body, &begin);
    path_rotation(motion->orientation, end->orientation, angle);
    for (int k = 0; k < 3; k++) {
        double way = end->position[k] - motion->position[k] - time * motion->velocity[k];
        motion->acceleration[k] = 2 * way / time / time;
        convex->arc[k] = (angle[k] - time * motion->angular_velocity[k]) / time / time;
        motion->angular_acceleration[k] = 2 * convex->arc[k];
    }
    convex->goal = *end;
    convex->energy[0] = crm_convex_path_energy(world, &begin);
    convex->energy[1] = crm_convex_path_energy(world, end);
    motion->phase = CAROM_PHASE_LASTING;
    motion->end = motion->time + time;
}
