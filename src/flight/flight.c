/* Free flight: the parabola of the centre of mass, and the torque-free rotation. */
#include "flight/flight.h"

#include <math.h>
#include <stddef.h>

#include "flight/turn.h"
#include "math/vec3.h"
#include "mechanics/inertia.h"
#include "mechanics/validate.h"

const char *crm_flight_problem(const CaromBody *body, const double gravity[3]) {
    if (!body || !gravity) {
        return "body and gravity must not be NULL";
    }
    const char *problem = crm_body_problem(body);
    if (problem) {
        return problem;
    }
    if (isinf(body->mass)) {
        return "bodies[].mass is infinite: the body does not fly";
    }
    if (body_is_guided(body)) {
        return "bodies[].guide: a guided body does not fly";
    }
    return vec3_is_finite(gravity) ? NULL : "gravity is not finite";
}

void crm_flight_move(CaromBody *body, const double gravity[3], double dt) {
    for (int i = 0; i < 3; i++) {
        body->position[i] += dt * (body->velocity[i] + dt * gravity[i] / 2);
        body->velocity[i] += dt * gravity[i];
    }
}

bool crm_body_is_finite(const CaromBody *body) {
    return vec3_is_finite(body->position) && vec3_is_finite(body->velocity) &&
           vec3_is_finite(body->angular_velocity) && isfinite(body->orientation[0]) &&
           vec3_is_finite(body->orientation + 1);
}

/* Fly for dt; NULL, or the reason for the status. */
static const char *flight_advance(CaromBody *body, const double gravity[3], double dt,
                                  CaromStatus *status) {
    const char *problem = crm_flight_problem(body, gravity);
    *status = CAROM_INVALID_INPUT;
    if (problem || !isfinite(dt)) {
        return problem ? problem : "dt is not finite";
    }
    CaromBody flown = *body;
    int steps = CAROM_FLIGHT_STEPS;
    Turn turn = crm_turn_start(body);
    crm_flight_move(&flown, gravity, dt);
    if (!isfinite(turn.pace) || !crm_body_is_finite(&flown)) {
        return "body, gravity, dt: the flight exceeds the range of double precision";
    }
    if (!crm_turn_advance(&turn, dt, &steps)) {
        *status = CAROM_NOT_CONVERGED;
        return "dt: the body turns too often in this time";
    }
    crm_turn_finish(&turn, &flown);
    if (!crm_body_is_finite(&flown)) {
        return "body, gravity, dt: the flight exceeds the range of double precision";
    }
    *body = flown;
    *status = CAROM_OK;
    return NULL;
}

CaromStatus carom_flight_advance(CaromBody *body, const double gravity[3], double dt,
                                 const char **message) {
    CaromStatus status;
    const char *problem = flight_advance(body, gravity, dt, &status);
    if (message) {
        *message = problem ? problem : "";
    }
    return status;
}
