/* Flight, touches and rolling. */
#include <math.h>
#include <string.h>

#include "rows.h"

static void write_motion(const CaromBody *body, int64_t row, const Motions *out) {
    memcpy(out->position + 3 * row, body->position, sizeof body->position);
    memcpy(out->orientation + 4 * row, body->orientation, sizeof body->orientation);
    memcpy(out->velocity + 3 * row, body->velocity, sizeof body->velocity);
    memcpy(out->spin + 3 * row, body->angular_velocity, sizeof body->angular_velocity);
}

static void fail_motion(int64_t row, const Motions *out) {
    rows_nan(out->position + 3 * row, 3);
    rows_nan(out->orientation + 4 * row, 4);
    rows_nan(out->velocity + 3 * row, 3);
    rows_nan(out->spin + 3 * row, 3);
}

typedef struct FlyJob {
    const Shape *shape;
    const Bodies *body;
    const Rows *gravity, *dt;
    const Motions *out;
} FlyJob;

static void fly_part(const void *context, int64_t from, int64_t to) {
    const FlyJob *job = context;
    for (int64_t row = from; row < to; row++) {
        CaromBody body = bodies_at(job->shape, job->body, row);
        const char *message;
        CaromStatus status =
            carom_flight_advance(&body, rows_at(job->shape, job->gravity, row),
                                 rows_number(job->shape, job->dt, row, NAN), &message);
        (void)(status < 0 ? fail_motion(row, job->out) : write_motion(&body, row, job->out));
        rows_end(row, status, message, job->out->status, job->out->message);
    }
}

void rows_fly(const Shape *shape, const Bodies *body, const Rows *gravity, const Rows *dt,
              const Motions *out) {
    FlyJob job = {shape, body, gravity, dt, out};
    rows_run(shape, 20, fly_part, &job);
}

_Static_assert(MOTION == CAROM_MOTION, "the numbers of a motion");

typedef struct FlyDerivative {
    const Shape *shape;
    const Bodies *body;
    const Rows *gravity, *dt;
    double *jacobian;
    int32_t *status;
    uintptr_t *message;
} FlyDerivative;

static void fly_derivative_part(const void *context, int64_t from, int64_t to) {
    const FlyDerivative *job = context;
    for (int64_t row = from; row < to; row++) {
        CaromBody body = bodies_at(job->shape, job->body, row);
        const char *message;
        CaromStatus status = carom_flight_jacobian(&body, rows_at(job->shape, job->gravity, row),
                                                   rows_number(job->shape, job->dt, row, NAN),
                                                   job->jacobian + MOTION * MOTION * row, &message);
        rows_end(row, status, message, job->status, job->message);
    }
}

void rows_fly_derivative(const Shape *shape, const Bodies *body, const Rows *gravity,
                         const Rows *dt, double *jacobian, int32_t *status, uintptr_t *message) {
    FlyDerivative job = {shape, body, gravity, dt, jacobian, status, message};
    rows_run(shape, 100, fly_derivative_part, &job);
}

typedef struct TouchJob {
    const Shape *shape;
    const Bodies *body;
    const Rows *gravity, *radius;
    const double *vertices;
    int vertex_count;
    const Rows *point, *normal, *horizon;
    const Touches *out;
} TouchJob;

static void touch_row(const TouchJob *job, int64_t row) {
    const Shape *shape = job->shape;
    const Touches *out = job->out;
    CaromBody body = bodies_at(shape, job->body, row);
    CaromShape form = job->vertices ? carom_shape_vertices(job->vertices, job->vertex_count)
                                    : carom_shape_ball(rows_number(shape, job->radius, row, NAN));
    CaromPlane plane;
    CaromTouch touch;
    const char *message;
    memcpy(plane.point, rows_at(shape, job->point, row), sizeof plane.point);
    memcpy(plane.normal, rows_at(shape, job->normal, row), sizeof plane.normal);
    const double *gravity = rows_at(shape, job->gravity, row);
    double horizon = rows_number(shape, job->horizon, row, INFINITY);
    CaromStatus status =
        out->by_time ? carom_touch_gradient(&body, gravity, &form, &plane, horizon, &touch,
                                            out->by_time + MOTION * row,
                                            out->by_motion + MOTION * MOTION * row, &message)
                     : carom_flight_touch(&body, gravity, &form, &plane, horizon, &touch, &message);
    int found = status >= 0 && touch.found;
    out->found[row] = found;
    out->vertex[row] = found ? touch.vertex : -1;
    out->time[row] = found ? touch.time : NAN;
    out->speed[row] = found ? touch.speed : NAN;
    if (found) {
        memcpy(out->point + 3 * row, touch.point, sizeof touch.point);
        write_motion(&touch.body, row, &out->body);
    } else {
        rows_nan(out->point + 3 * row, 3);
        fail_motion(row, &out->body);
    }
    rows_end(row, status, message, out->body.status, out->body.message);
}

static void touch_part(const void *context, int64_t from, int64_t to) {
    for (int64_t row = from; row < to; row++) {
        touch_row(context, row);
    }
}

void rows_touch(const Shape *shape, const Bodies *body, const Rows *gravity, const Rows *radius,
                const double *vertices, int vertex_count, const Rows *plane_point,
                const Rows *plane_normal, const Rows *horizon, const Touches *out) {
    TouchJob job = {shape,        body,        gravity,      radius,  vertices,
                    vertex_count, plane_point, plane_normal, horizon, out};
    rows_run(shape, 50, touch_part, &job);
}

void rows_balls_touch(const Shape *shape, const Rows *first_position, const Rows *first_velocity,
                      const Rows *second_position, const Rows *second_velocity,
                      const Rows *distance, const BallTouches *out) {
    for (int64_t row = 0; row < shape->count; row++) {
        CaromBody first = carom_body_default(), second = first;
        CaromBallTouch touch;
        const char *message;
        size_t size = sizeof first.position;
        memcpy(first.position, rows_at(shape, first_position, row), size);
        memcpy(first.velocity, rows_at(shape, first_velocity, row), size);
        memcpy(second.position, rows_at(shape, second_position, row), size);
        memcpy(second.velocity, rows_at(shape, second_velocity, row), size);
        CaromStatus status = carom_balls_touch(
            &first, &second, rows_number(shape, distance, row, NAN), &touch, &message);
        out->found[row] = status >= 0 && touch.found;
        out->time[row] = touch.time;
        memcpy(out->normal + 3 * row, touch.normal, size);
        memcpy(out->by_position + 3 * row, touch.by_position, size);
        memcpy(out->by_velocity + 3 * row, touch.by_velocity, size);
        rows_end(row, status, message, out->status, out->message);
    }
}

typedef struct RollJob {
    const Shape *shape;
    const Rows *radius, *mu_slide, *mu_roll, *gravity, *position, *velocity, *spin, *time;
    const Rollings *out;
} RollJob;

static void roll_row(const RollJob *job, int64_t row) {
    const Shape *shape = job->shape;
    const Rollings *out = job->out;
    CaromTable table = {
        rows_number(shape, job->radius, row, NAN), rows_number(shape, job->mu_slide, row, NAN),
        rows_number(shape, job->mu_roll, row, NAN), rows_number(shape, job->gravity, row, NAN)};
    CaromRollingState start, state;
    CaromRollingPath path;
    CaromRollingPhase phase = CAROM_ROLLING_PHASE_REST;
    const char *message;
    size_t size = sizeof start.position;
    memcpy(start.position, rows_at(shape, job->position, row), size);
    memcpy(start.velocity, rows_at(shape, job->velocity, row), size);
    memcpy(start.angular_velocity, rows_at(shape, job->spin, row), size);
    CaromStatus status = carom_rolling_path(&table, &start, &path, &message);
    if (status >= 0) {
        status = carom_rolling_at(&path, rows_number(shape, job->time, row, NAN), &state, &phase,
                                  &message);
    } else {
        rows_nan((double *)&state, sizeof state / sizeof(double));
    }
    memcpy(out->position + 3 * row, state.position, size);
    memcpy(out->velocity + 3 * row, state.velocity, size);
    memcpy(out->spin + 3 * row, state.angular_velocity, size);
    memcpy(out->begin + 3 * row, path.begin, sizeof path.begin);
    out->phase[row] = status >= 0 ? (int32_t)phase : -1;
    rows_end(row, status, message, out->status, out->message);
}

static void roll_part(const void *context, int64_t from, int64_t to) {
    for (int64_t row = from; row < to; row++) {
        roll_row(context, row);
    }
}

void rows_roll(const Shape *shape, const Rows *radius, const Rows *mu_slide, const Rows *mu_roll,
               const Rows *gravity, const Rows *position, const Rows *velocity, const Rows *spin,
               const Rows *time, const Rollings *out) {
    RollJob job = {shape, radius, mu_slide, mu_roll, gravity, position, velocity, spin, time, out};
    rows_run(shape, 2, roll_part, &job);
}
