/* The time of a touch and its derivatives: with a gap h(x, v, t) that closes at t, dt = -dh/h'. */
#include <carom/chain.h>

#include <math.h>

#include "contact/status_end.h"
#include "math/vec3.h"
#include "mechanics/validate.h"

/* Nothing found. */
static void clear_touch(CaromBallTouch *touch) {
    *touch = (CaromBallTouch){.time = NAN,
                              .normal = {NAN, NAN, NAN},
                              .by_position = {NAN, NAN, NAN},
                              .by_velocity = {NAN, NAN, NAN}};
}

/* The gap changes at a rate n.v < 0 when it closes. */
static void set_slopes(CaromBallTouch *touch, double closing) {
    for (int i = 0; i < 3; i++) {
        touch->by_position[i] = -touch->normal[i] / closing;
        touch->by_velocity[i] = touch->time * touch->by_position[i];
    }
}

CaromStatus carom_balls_touch(const CaromBody *first, const CaromBody *second, double distance,
                              CaromBallTouch *touch, const char **message) {
    if (!first || !second || !touch) {
        return status_end("first, second and touch must not be NULL", message);
    }
    const char *problem = crm_body_problem(first);
    problem = problem ? problem : crm_body_problem(second);
    clear_touch(touch);
    if (!problem && !(distance > 0 && distance < INFINITY)) {
        problem = "distance must be a finite number > 0";
    }
    if (problem) {
        return status_end(problem, message);
    }
    double x[3], v[3];
    vec3_sub(first->position, second->position, x);
    vec3_sub(first->velocity, second->velocity, v);
    /* |x + v t| = distance */
    double a = vec3_dot(v, v), b = vec3_dot(x, v), length = sqrt(vec3_dot(x, x));
    double c = (length - distance) * (length + distance), square = b * b - a * c;
    if (b < 0 && square > 0) {
        touch->found = 1;
        touch->time = c > 0 ? c / (-b + sqrt(square)) : 0;
        vec3_axpy(touch->time, v, x);
        vec3_normalise(x);
        for (int i = 0; i < 3; i++) {
            touch->normal[i] = x[i];
        }
        set_slopes(touch, vec3_dot(x, v));
    }
    return status_end(NULL, message);
}

CaromStatus carom_ball_touch_plane(const CaromBody *ball, const double gravity[3], double radius,
                                   const CaromPlane *plane, CaromBallTouch *touch,
                                   const char **message) {
    CaromShape shape = carom_shape_ball(radius);
    CaromTouch found;
    if (!touch) {
        return status_end("touch must not be NULL", message);
    }
    clear_touch(touch);
    CaromStatus status =
        carom_flight_touch(ball, gravity, &shape, plane, INFINITY, &found, message);
    if (status >= 0 && found.found && found.speed > 0) {
        double n[3] = {plane->normal[0], plane->normal[1], plane->normal[2]};
        vec3_normalise(n);
        touch->found = 1;
        touch->time = found.time;
        for (int i = 0; i < 3; i++) {
            touch->normal[i] = n[i];
        }
        set_slopes(touch, vec3_dot(n, found.body.velocity));
    }
    return status;
}
