/* Velocities from tracked positions: flights, a ball on a table, a tumbling body. */
#include <carom/measure.h>

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <carom/flight.h>
#include <carom/rolling.h>

#include "descent/curve.h"

static CaromStatus fail(const char **message, const char *what) {
    if (message) {
        *message = what;
    }
    return CAROM_INVALID_INPUT;
}

/* Every number NAN; the structures are made of doubles, and an int that means nothing then. */
static void clear(void *result, size_t size) {
    double *numbers = result;
    for (size_t i = 0; result && i < size / sizeof *numbers; i++) {
        numbers[i] = NAN;
    }
}

static bool is_track(const CaromTrackPoint *points, int count) {
    for (int i = 0; i < count; i++) {
        const CaromTrackPoint *p = &points[i];
        if (!isfinite(p->time) || (i > 0 && !(p->time > points[i - 1].time)) ||
            !isfinite(p->position[0]) || !isfinite(p->position[1]) || !isfinite(p->position[2])) {
            return false;
        }
    }
    return true;
}

/* A parabola through one coordinate: position a + b (t - middle) + g (t - middle)^2/2. */
typedef struct Parabola {
    double middle, a, b, gravity;
    double squares;       /* of the residuals */
    double count, spread; /* sum of (t - middle)^2 */
} Parabola;

static Parabola fit_parabola(const CaromTrackPoint *points, int first, int last, int axis,
                             double gravity) {
    Parabola fit = {.gravity = gravity, .count = last - first + 1};
    for (int i = first; i <= last; i++) {
        fit.middle += points[i].time / fit.count;
    }
    for (int i = first; i <= last; i++) {
        double t = points[i].time - fit.middle, x = points[i].position[axis] - gravity * t * t / 2;
        fit.a += x / fit.count;
        fit.b += t * x;
        fit.spread += t * t;
    }
    fit.b /= fit.spread;
    for (int i = first; i <= last; i++) {
        double t = points[i].time - fit.middle;
        double r = points[i].position[axis] - gravity * t * t / 2 - fit.a - fit.b * t;
        fit.squares += r * r;
    }
    return fit;
}

/* The two flights of a track with a split after point `last`. */
typedef struct Flights {
    Parabola before[3], after[3];
    double squares;
} Flights;

static Flights fit_flights(const CaromTrackPoint *points, int count, int last,
                           const double gravity[3]) {
    Flights flights = {.squares = 0};
    for (int k = 0; k < 3; k++) {
        flights.before[k] = fit_parabola(points, 0, last, k, gravity[k]);
        flights.after[k] = fit_parabola(points, last + 1, count - 1, k, gravity[k]);
        flights.squares += flights.before[k].squares + flights.after[k].squares;
    }
    return flights;
}

static double height_at(const Parabola *fit, double time) {
    double t = time - fit->middle;
    return fit->a + fit->b * t + fit->gravity * t * t / 2;
}

/* Where both flights meet in z: by bisection between the points around the split, widened by a
 * step, or in the middle if they do not. */
static double find_meeting(const Flights *flights, double from, double to) {
    double step = to - from, low = from - step, high = to + step;
    double sign = height_at(&flights->before[2], low) - height_at(&flights->after[2], low);
    double other = height_at(&flights->before[2], high) - height_at(&flights->after[2], high);
    if (!(sign * other < 0)) {
        return (from + to) / 2;
    }
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        double value =
            height_at(&flights->before[2], middle) - height_at(&flights->after[2], middle);
        if (value * sign > 0) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return (low + high) / 2;
}

CaromStatus carom_measure_bounce(const CaromTrackPoint *points, int count, const double gravity[3],
                                 CaromTrackBounce *result, const char **message) {
    clear(result, sizeof *result);
    if (!points || !gravity || !result || count < 6 || !is_track(points, count)) {
        return fail(message, "track: at least six points, finite, times in order");
    }
    Flights best = {.squares = INFINITY};
    result->last = 0;
    for (int last = 2; last <= count - 4; last++) {
        Flights flights = fit_flights(points, count, last, gravity);
        if (flights.squares < best.squares) {
            best = flights;
            result->last = last;
        }
    }
    result->time = find_meeting(&best, points[result->last].time, points[result->last + 1].time);
    double freedom = 3.0 * count - 12, variance = best.squares / freedom;
    result->rms = sqrt(best.squares / (3.0 * count));
    for (int k = 0; k < 3; k++) {
        const Parabola *flight[2] = {&best.before[k], &best.after[k]};
        CaromMeasured *velocity[2] = {&result->before[k], &result->after[k]};
        for (int side = 0; side < 2; side++) {
            *velocity[side] = (CaromMeasured){
                flight[side]->b + gravity[k] * (result->time - flight[side]->middle),
                sqrt(variance / flight[side]->spread)};
        }
    }
    const CaromMeasured *down = &result->before[2], *up = &result->after[2];
    result->e.value = -up->value / down->value;
    result->e.standard_error =
        hypot(up->standard_error, result->e.value * down->standard_error) / fabs(down->value);
    if (message) {
        *message = "";
    }
    return down->value < 0 && up->value > 0
               ? CAROM_OK
               : fail(message, "track: no bounce in it: z must fall, then rise");
}

/* A ball on a table: variables x, y, vx, vy, omega x r, omega y r, mu_slide, mu_roll. */
typedef struct RollTask {
    const CaromTrackPoint *points;
    int count;
    double radius, gravity;
} RollTask;

static bool roll_residuals(void *context, const double *x, double *residuals) {
    const RollTask *task = context;
    const CaromTable table = {task->radius, x[6], x[7], task->gravity};
    const CaromRollingState start = {
        {x[0], x[1], task->radius}, {x[2], x[3], 0}, {x[4] / task->radius, x[5] / task->radius, 0}};
    CaromRollingPath path;
    if (carom_rolling_path(&table, &start, &path, NULL) < 0) {
        return false;
    }
    for (int i = 0; i < task->count; i++) {
        CaromRollingState state;
        if (carom_rolling_at(&path, task->points[i].time - task->points[0].time, &state, NULL,
                             NULL) < 0) {
            return false;
        }
        for (int k = 0; k < 2; k++) {
            residuals[2 * i + k] = state.position[k] - task->points[i].position[k];
        }
    }
    return true;
}

/* Starts: the slip at the start is along the first acceleration, and of several lengths. */
static bool solve_roll(RollTask *task, double mu_slide, double mu_roll, double *x,
                       double *objective, double *inverse) {
    const CaromTrackPoint *p = task->points;
    int n = task->count, early = n > 8 ? n / 3 : 2;
    double speed = 0, low[8], high[8], size[8], best = INFINITY;
    for (int i = 1; i < n; i++) {
        double t = p[i].time - p[i - 1].time;
        speed = fmax(speed, hypot(p[i].position[0] - p[i - 1].position[0],
                                  p[i].position[1] - p[i - 1].position[1]) /
                                t);
    }
    for (int k = 0; k < 8; k++) {
        low[k] = k < 6 ? -INFINITY : 0;
        high[k] = k < 6 ? INFINITY : 2;
        size[k] = k < 2 ? task->radius : k < 6 ? speed : 0.1;
    }
    if (!isnan(mu_slide)) {
        low[6] = high[6] = mu_slide;
    }
    if (!isnan(mu_roll)) {
        low[7] = high[7] = mu_roll;
    }
    Curve curve = {8, 2 * n, low, high, size, roll_residuals, NULL, task, 0};
    for (int start = 0; start < 27; start++) {
        double y[8] = {p[0].position[0], p[0].position[1]}, value, matrix[64];
        for (int k = 0; k < 2; k++) {
            y[2 + k] = (p[early].position[k] - p[0].position[k]) / (p[early].time - p[0].time);
        }
        y[4] = speed * (start % 3 - 1);
        y[5] = speed * (start / 3 % 3 - 1);
        y[6] = isnan(mu_slide) ? 0.1 + 0.1 * (start / 9) : mu_slide;
        y[7] = isnan(mu_roll) ? 0.02 : mu_roll;
        if (crm_curve_solve(&curve, y, &value, matrix) && value < best) {
            best = value;
            memcpy(x, y, sizeof y);
            memcpy(inverse, matrix, sizeof matrix);
        }
    }
    *objective = best;
    return isfinite(best);
}

CaromStatus carom_measure_roll(const CaromTrackPoint *points, int count, double radius,
                               double gravity, double mu_slide, double mu_roll,
                               CaromTrackRoll *result, const char **message) {
    double x[8], inverse[64], objective;
    clear(result, sizeof *result);
    if (!points || !result || count < 6 || !is_track(points, count)) {
        return fail(message, "track: at least six points, finite, times in order");
    }
    if (!(radius > 0) || !(gravity > 0) || mu_slide < 0 || mu_roll < 0) {
        return fail(message, "radius and gravity: must be > 0; mu >= 0");
    }
    RollTask task = {points, count, radius, gravity};
    if (!solve_roll(&task, mu_slide, mu_roll, x, &objective, inverse)) {
        return fail(message, "track: no path fits");
    }
    double variance = objective / fmax(2 * count - 8, 1);
    CaromMeasured all[8];
    for (int k = 0; k < 8; k++) {
        double error = sqrt(variance * inverse[9 * k]);
        bool given = (k == 6 && !isnan(mu_slide)) || (k == 7 && !isnan(mu_roll));
        all[k] = (CaromMeasured){x[k], given ? 0 : error};
    }
    for (int k = 0; k < 2; k++) {
        result->velocity[k] = all[2 + k];
        result->angular_velocity[k] =
            (CaromMeasured){all[4 + k].value / radius, all[4 + k].standard_error / radius};
    }
    result->mu_slide = all[6];
    result->mu_roll = all[7];
    result->rms = sqrt(objective / (2.0 * count));
    if (message) {
        *message = "";
    }
    return CAROM_OK;
}

/* A tumbling body: variables are a rotation vector on top of a point's orientation, and the angular
 * velocity, both in world axes at the time asked for. */
typedef struct TumbleTask {
    const CaromTrackPoint *points;
    int count;
    double time;
    CaromBody body; /* with the inertia and the orientation to start from */
} TumbleTask;

/* p q, quaternions. */
static void multiply(const double p[4], const double q[4], double out[4]) {
    const double r[4] = {p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
                         p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
                         p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
                         p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0]};
    memcpy(out, r, sizeof r);
}

/* The rotation vector from q to p, world axes. */
static void difference(const double p[4], const double q[4], double out[3]) {
    const double inverse[4] = {q[0], -q[1], -q[2], -q[3]};
    double d[4];
    multiply(p, inverse, d);
    double length = sqrt(d[1] * d[1] + d[2] * d[2] + d[3] * d[3]);
    double angle = 2 * atan2(length, fabs(d[0])), sign = d[0] < 0 ? -1 : 1;
    for (int k = 0; k < 3; k++) {
        out[k] = length > 0 ? sign * d[1 + k] / length * angle : 0;
    }
}

static void turn(const double vector[3], double q[4]) {
    double angle = sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]);
    double s = angle > 0 ? sin(angle / 2) / angle : 0.5;
    const double by[4] = {cos(angle / 2), s * vector[0], s * vector[1], s * vector[2]};
    multiply(by, q, q);
}

static bool tumble_residuals(void *context, const double *x, double *residuals) {
    const TumbleTask *task = context;
    const double none[3] = {0, 0, 0};
    for (int i = 0; i < task->count; i++) {
        CaromBody body = task->body;
        turn(x, body.orientation);
        memcpy(body.angular_velocity, x + 3, 3 * sizeof *x);
        if (carom_flight_advance(&body, none, task->points[i].time - task->time, NULL) < 0) {
            return false;
        }
        difference(body.orientation, task->points[i].orientation, residuals + 3 * i);
    }
    return true;
}

/* The angular velocity to start from: differences of the nearest points. */
static void guess_spin(const TumbleTask *task, int nearest, double *spin) {
    int other = nearest + 1 < task->count ? nearest + 1 : nearest - 1;
    const CaromTrackPoint *a = &task->points[nearest], *b = &task->points[other];
    difference(b->orientation, a->orientation, spin);
    for (int k = 0; k < 3; k++) {
        spin[k] /= b->time - a->time;
    }
}

static bool solve_tumble(TumbleTask *task, double *x, double *objective, double *inverse) {
    static const double low[6] = {-10, -10, -10, -1e6, -1e6, -1e6};
    static const double high[6] = {10, 10, 10, 1e6, 1e6, 1e6};
    int nearest = 0;
    for (int i = 1; i < task->count; i++) {
        if (fabs(task->points[i].time - task->time) <
            fabs(task->points[nearest].time - task->time)) {
            nearest = i;
        }
    }
    memcpy(task->body.orientation, task->points[nearest].orientation,
           sizeof task->body.orientation);
    memset(x, 0, 3 * sizeof *x);
    guess_spin(task, nearest, x + 3);
    double spin = fabs(x[3]) + fabs(x[4]) + fabs(x[5]) + 1e-3;
    const double size[6] = {0.1, 0.1, 0.1, spin, spin, spin};
    Curve curve = {6, 3 * task->count, low, high, size, tumble_residuals, NULL, task, 0};
    return crm_curve_solve(&curve, x, objective, inverse);
}

CaromStatus carom_measure_tumble(const CaromTrackPoint *points, int count, const double gravity[3],
                                 const double inertia[3], double time, CaromTrackTumble *result,
                                 const char **message) {
    double x[6], inverse[36], objective, squares = 0;
    clear(result, sizeof *result);
    if (!points || !gravity || !inertia || !result || count < 3 || !is_track(points, count)) {
        return fail(message, "track: at least three points, finite, times in order");
    }
    TumbleTask task = {points, count, time, carom_body_default()};
    for (int k = 0; k < 3; k++) {
        task.body.inertia[4 * k] = inertia[k];
    }
    if (!solve_tumble(&task, x, &objective, inverse)) {
        return fail(message, "track: orientations must be unit quaternions, inertia > 0");
    }
    for (int k = 0; k < 3; k++) {
        squares += fit_parabola(points, 0, count - 1, k, gravity[k]).squares;
    }
    double freedom = 3.0 * count - 6;
    for (int k = 0; k < 3; k++) {
        Parabola fit = fit_parabola(points, 0, count - 1, k, gravity[k]);
        result->velocity[k] = (CaromMeasured){fit.b + gravity[k] * (time - fit.middle),
                                              sqrt(squares / freedom / fit.spread)};
        result->angular_velocity[k] =
            (CaromMeasured){x[3 + k], sqrt(objective / freedom * inverse[7 * (3 + k)])};
    }
    result->rms = sqrt(squares / (3.0 * count));
    result->angle = sqrt(objective / (3.0 * count));
    if (message) {
        *message = "";
    }
    return CAROM_OK;
}
