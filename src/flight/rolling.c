/* The ball on a table in closed form: include/carom/rolling.h has the equations.
 *
 * Sliding ends after the time 2 |u0|/(7 mu_slide g) with the velocity v = v0 - 2/7 u0, which does
 * not depend on mu_slide. */
#include <carom/rolling.h>
#include <float.h>
#include <stddef.h>

#include "contact/status_end.h"
#include "math/functions.h"
#include "math/vec3.h"

/* Slip within this of the terms that it is the difference of counts as none: a contact that sticks
 * at the end of an impact has such a slip by rounding. */
static const double SLIP_ROUNDING = 16 * DBL_EPSILON;

static bool state_is_finite(const CaromRollingState *state) {
    return vec3_is_finite(state->position) && vec3_is_finite(state->velocity) &&
           vec3_is_finite(state->angular_velocity);
}

static void state_fail(CaromRollingState *state) {
    for (int i = 0; i < 3; i++) {
        state->position[i] = state->velocity[i] = state->angular_velocity[i] = NAN;
    }
}

static void path_fail(CaromRollingPath *path) {
    for (int i = 0; i < 3; i++) {
        path->begin[i] = NAN;
        state_fail(&path->state[i]);
    }
    path->deceleration[0] = path->deceleration[1] = path->slip[0] = path->slip[1] = NAN;
    path->radius = NAN;
}

/* NULL, or the name of the bad field. */
static const char *rolling_problem(const CaromTable *table, const CaromRollingState *start) {
    if (!table || !start) {
        return "table and start must not be NULL";
    }
    if (!(table->radius > 0 && isfinite(table->radius))) {
        return "radius is not > 0";
    }
    if (!(table->mu_slide >= 0 && isfinite(table->mu_slide))) {
        return "mu_slide is not >= 0";
    }
    if (!(table->mu_roll >= 0 && isfinite(table->mu_roll))) {
        return "mu_roll is not >= 0";
    }
    if (!(table->gravity > 0 && isfinite(table->gravity))) {
        return "gravity is not > 0";
    }
    if (!vec3_is_finite(start->position)) {
        return "position is not finite";
    }
    if (!vec3_is_finite(start->velocity)) {
        return "velocity is not finite";
    }
    return vec3_is_finite(start->angular_velocity) ? NULL : "angular_velocity is not finite";
}

/* Spin of a ball that rolls at this velocity: z x v/r. */
static void roll_spin(CaromRollingState *state, double radius) {
    state->angular_velocity[0] = -state->velocity[1] / radius;
    state->angular_velocity[1] = state->velocity[0] / radius;
}

static double time_to_stop(double speed, double deceleration) {
    return speed > 0 ? speed / deceleration : 0;
}

/* Move the centre for a time in which its velocity changes linearly to that of next. */
static void centre_move(const CaromRollingState *from, double time, CaromRollingState *next) {
    for (int i = 0; i < 3; i++) {
        next->position[i] = from->position[i] + time * (from->velocity[i] + next->velocity[i]) / 2;
    }
}

/* Begin phase i a time after phase i - 1, or never if the time is infinite; next has its
 * velocities. False if the state is out of range. */
static bool begin_phase(CaromRollingPath *path, int i, double time, CaromRollingState *next) {
    path->begin[i] = path->begin[i - 1] + time;
    if (isinf(path->begin[i])) {
        state_fail(&path->state[i]);
        return true;
    }
    centre_move(&path->state[i - 1], time, next);
    path->state[i] = *next;
    return state_is_finite(next);
}

/* The whole path; false if it is out of range. */
static bool path_build(const CaromTable *table, const CaromRollingState *start,
                       CaromRollingPath *path) {
    double r = table->radius;
    CaromRollingState *state = path->state;
    state[0] = *start;
    state[0].velocity[2] = 0;
    path->radius = r;
    path->begin[0] = 0;
    path->deceleration[0] = table->mu_slide * table->gravity;
    path->deceleration[1] = table->mu_roll * table->gravity * 5 / 7;

    double u[3] = {start->velocity[0] - r * start->angular_velocity[1],
                   start->velocity[1] + r * start->angular_velocity[0], 0};
    double terms = hypot(start->velocity[0], start->velocity[1]) +
                   r * hypot(start->angular_velocity[0], start->angular_velocity[1]);
    double slip = hypot(u[0], u[1]), s[3] = {u[0], u[1], 0};
    if (isfinite(terms) && slip <= SLIP_ROUNDING * terms) {
        slip = s[0] = s[1] = 0;
    }
    if (!isfinite(slip) || !isfinite(path->deceleration[0]) || !isfinite(path->deceleration[1])) {
        return false;
    }
    vec3_normalise(s);
    path->slip[0] = s[0];
    path->slip[1] = s[1];

    CaromRollingState next = state[0];
    if (slip > 0) {
        vec3_axpy(-2.0 / 7, u, next.velocity);
        roll_spin(&next, r);
    }
    if (!begin_phase(path, 1, time_to_stop(2 * (slip / 7), path->deceleration[0]), &next)) {
        return false;
    }
    double speed = hypot(next.velocity[0], next.velocity[1]);
    next.velocity[0] = next.velocity[1] = 0;
    next.angular_velocity[0] = next.angular_velocity[1] = 0;
    return begin_phase(path, 2, time_to_stop(speed, path->deceleration[1]), &next);
}

CaromStatus carom_rolling_path(const CaromTable *table, const CaromRollingState *start,
                               CaromRollingPath *path, const char **message) {
    if (!path) {
        return status_end("path must not be NULL", message);
    }
    const char *problem = rolling_problem(table, start);
    if (!problem && !path_build(table, start, path)) {
        problem = "the path exceeds the range of double precision";
    }
    if (problem) {
        path_fail(path);
    }
    return status_end(problem, message);
}

/* Slide for a time t. */
static void rolling_slide(const CaromRollingPath *path, double t, CaromRollingState *state) {
    double a = path->deceleration[0], turning = 2.5 * a / path->radius;
    const double s[3] = {path->slip[0], path->slip[1], 0};
    vec3_axpy(-a * t, s, state->velocity);
    state->angular_velocity[0] -= turning * t * s[1];
    state->angular_velocity[1] += turning * t * s[0];
    centre_move(&path->state[0], t, state);
}

/* Roll for a time t: velocity and spin shrink in proportion. */
static void rolling_roll(const CaromRollingPath *path, double t, CaromRollingState *state) {
    const CaromRollingState *from = &path->state[1];
    double whole = hypot(from->velocity[0], from->velocity[1]);
    double speed = fmax(whole - path->deceleration[1] * t, 0);
    double part = whole > 0 ? speed / whole : 0;
    for (int i = 0; i < 2; i++) {
        state->velocity[i] *= part;
        state->angular_velocity[i] *= part;
    }
    centre_move(from, t, state);
}

CaromStatus carom_rolling_at(const CaromRollingPath *path, double time, CaromRollingState *state,
                             CaromRollingPhase *phase, const char **message) {
    int now = CAROM_ROLLING_PHASE_REST;
    bool known = path && state && time >= 0 && path->begin[0] == 0;
    if (known) {
        while (now > 0 && !(time >= path->begin[now] && isfinite(path->begin[now]))) {
            now--;
        }
        *state = path->state[now];
        if (now == CAROM_ROLLING_PHASE_SLIDING) {
            rolling_slide(path, time, state);
        } else if (now == CAROM_ROLLING_PHASE_ROLLING) {
            rolling_roll(path, time - path->begin[1], state);
        }
    }
    if (phase) {
        *phase = (CaromRollingPhase)now;
    }
    if (!known || !state_is_finite(state)) {
        if (state) {
            state_fail(state);
        }
        if (phase) {
            *phase = CAROM_ROLLING_PHASE_REST;
        }
        return status_end(!path || !state ? "path and state must not be NULL"
                          : known         ? "time: the ball is beyond the range of double precision"
                                  : "time must be a number >= 0, path one of carom_rolling_path()",
                          message);
    }
    return status_end(NULL, message);
}
