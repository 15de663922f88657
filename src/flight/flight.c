/* Free flight: the parabola of the centre of mass, and the torque-free rotation. */
#include "flight/flight.h"

#include <math.h>
#include <stddef.h>

#include "flight/turn.h"
#include "math/vec3.h"
#include "mechanics/validate.h"

const char *flight_problem(const CaromBody *body, const double gravity[3]) {
    /* the checks of the bodies want a site: one that has nothing wrong with it */
    const CaromBody bodies[2] = {*body, carom_body_fixed()};
    const CaromSite site = {.first = 0, .second = 1, .normal = {0, 0, 1}};
    const char *problem = carom_bodies_problem(bodies, 2, &site, 1);
    if (problem) {
        return problem;
    }
    if (isinf(body->mass)) {
        return "bodies[].mass is infinite: the body does not fly";
    }
    return vec3_is_finite(gravity) ? NULL : "gravity is not finite";
}

void flight_move(CaromBody *body, const double gravity[3], double dt) {
    for (int i = 0; i < 3; i++) {
        body->position[i] += dt * (body->velocity[i] + dt * gravity[i] / 2);
        body->velocity[i] += dt * gravity[i];
    }
}

bool body_is_finite(const CaromBody *body) {
    return vec3_is_finite(body->position) && vec3_is_finite(body->velocity) &&
           vec3_is_finite(body->angular_velocity) && isfinite(body->orientation[0]) &&
           vec3_is_finite(body->orientation + 1);
}

/* The flight itself; NULL or what is wrong. */
static const char *advance(CaromBody *body, const double gravity[3], double dt,
                           CaromStatus *status) {
    const char *problem = flight_problem(body, gravity);
    *status = CAROM_INVALID_INPUT;
    if (problem || !isfinite(dt)) {
        return problem ? problem : "dt is not finite";
    }
    CaromBody flown = *body;
    int steps = CAROM_FLIGHT_STEPS;
    Turn turn = turn_start(body);
    flight_move(&flown, gravity, dt);
    if (!isfinite(turn.pace) || !body_is_finite(&flown)) {
        return "the flight exceeds the range of double precision";
    }
    if (!turn_advance(&turn, dt, &steps)) {
        *status = CAROM_NOT_CONVERGED;
        return "dt is so long that the body turns too often";
    }
    turn_finish(&turn, &flown);
    if (!body_is_finite(&flown)) {
        return "the flight exceeds the range of double precision";
    }
    *body = flown;
    *status = CAROM_OK;
    return NULL;
}

CaromStatus carom_flight_advance(CaromBody *body, const double gravity[3], double dt,
                                 const char **message) {
    CaromStatus status;
    const char *problem = advance(body, gravity, dt, &status);
    if (message) {
        *message = problem ? problem : "";
    }
    return status;
}
