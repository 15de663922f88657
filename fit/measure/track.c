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

/* Which of the first axes were tracked: a coordinate that never changes was not, and that it has no
 * scatter says nothing about the others. (A film shows two of three.) Returns how many. */
static int find_tracked(const CaromTrackPoint *points, int count, int axes, bool tracked[3]) {
    int found = 0;
    for (int k = 0; k < axes; k++) {
        tracked[k] = false;
        for (int i = 1; i < count; i++) {
            tracked[k] = tracked[k] || points[i].position[k] != points[0].position[k];
        }
        found += tracked[k];
    }
    return found;
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

/* How a velocity at the meeting, b + g (t - middle), changes with what was fitted: height and slope
 * of z in both flights, which move the meeting, and the slope of its own axis. */
typedef struct Meeting {
    double height[2], slope[2]; /* d time/d a, d time/d b of the z of either flight */
    double spreads[2], counts[2];
} Meeting;

static Meeting find_moves(const Flights *flights, double time) {
    const Parabola *z[2] = {&flights->before[2], &flights->after[2]};
    Meeting meeting = {.height = {0}};
    double speed[2];
    for (int side = 0; side < 2; side++) {
        speed[side] = z[side]->b + z[side]->gravity * (time - z[side]->middle);
    }
    for (int side = 0; side < 2; side++) {
        meeting.height[side] = (side ? 1 : -1) / (speed[0] - speed[1]);
        meeting.slope[side] = meeting.height[side] * (time - z[side]->middle);
        meeting.spreads[side] = z[side]->spread;
        meeting.counts[side] = z[side]->count;
    }
    return meeting;
}

/* Variance, in units of that of a position, of the sum of weight[side] times the velocity of each
 * flight along an axis. */
static double velocity_variance(const Meeting *meeting, const double weights[2], double gravity,
                                int axis) {
    double by_time = (weights[0] + weights[1]) * gravity, variance = 0;
    for (int side = 0; side < 2; side++) {
        double height = by_time * meeting->height[side], slope = by_time * meeting->slope[side];
        double own = weights[side]; /* slopes of x and y are others than those of z */
        variance += height * height / meeting->counts[side] +
                    (axis == 2 ? (slope + own) * (slope + own) : slope * slope + own * own) /
                        meeting->spreads[side];
    }
    return variance;
}

/* Velocities and their errors from both flights. tracked: see find_tracked(). */
static void fill_bounce(const Flights *flights, const double gravity[3], double variance,
                        const bool tracked[3], CaromTrackBounce *result) {
    Meeting meeting = find_moves(flights, result->time);
    for (int k = 0; k < 3; k++) {
        const Parabola *flight[2] = {&flights->before[k], &flights->after[k]};
        CaromMeasured *velocity[2] = {&result->before[k], &result->after[k]};
        for (int side = 0; side < 2; side++) {
            const double weights[2] = {side == 0, side == 1};
            double share = velocity_variance(&meeting, weights, gravity[k], k);
            *velocity[side] = (CaromMeasured){
                flight[side]->b + gravity[k] * (result->time - flight[side]->middle),
                tracked[k] ? sqrt(variance * share) : NAN};
        }
    }
    double down = result->before[2].value, up = result->after[2].value;
    const double weights[2] = {-up / (down * down), 1 / down};
    result->e = (CaromMeasured){
        -up / down, sqrt(variance * velocity_variance(&meeting, weights, gravity[2], 2))};
}

CaromStatus carom_measure_bounce(const CaromTrackPoint *points, int count, const double gravity[3],
                                 CaromTrackBounce *result, const char **message) {
    bool tracked[3];
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
    int axes = find_tracked(points, count, 3, tracked);
    result->time = find_meeting(&best, points[result->last].time, points[result->last + 1].time);
    /* two numbers of each flight and axis are fitted */
    double freedom = axes * (count - 4.0);
    result->rms = sqrt(best.squares / (axes * (double)count));
    fill_bounce(&best, gravity, best.squares / freedom, tracked, result);
    if (message) {
        *message = "";
    }
    if (!(result->before[2].value < 0 && result->after[2].value > 0)) {
        int last = result->last;
        clear(result, sizeof *result);
        result->last = last;
        return fail(message, "track: no bounce in it: z must fall, then rise");
    }
    return CAROM_OK;
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
    bool tracked[3];
    int axes = find_tracked(points, count, 2, tracked);
    /* place, velocity and spin of each axis are fitted, and the frictions that are not given */
    double freedom = axes * (count - 3.0) - isnan(mu_slide) - isnan(mu_roll);
    double variance = freedom > 0 ? objective / freedom : NAN;
    CaromMeasured all[8];
    for (int k = 0; k < 8; k++) {
        /* the spin about x turns the path along y */
        bool known = k >= 6 || tracked[k < 4 ? k % 2 : 5 - k];
        bool given = (k == 6 && !isnan(mu_slide)) || (k == 7 && !isnan(mu_roll));
        double error = known ? sqrt(variance * inverse[9 * k]) : NAN;
        all[k] = (CaromMeasured){x[k], given ? 0 : error};
    }
    for (int k = 0; k < 2; k++) {
        result->velocity[k] = all[2 + k];
        result->angular_velocity[k] =
            (CaromMeasured){all[4 + k].value / radius, all[4 + k].standard_error / radius};
    }
    result->mu_slide = all[6];
    result->mu_roll = all[7];
    result->rms = sqrt(objective / (fmax(axes, 1) * count));
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

/* Axes about which the orientations scatter at all, see find_tracked(): a film shows turns about
 * one. Returns how many; 0: the orientations have no scatter. */
static int find_turned(TumbleTask *task, const double *x, bool turned[3]) {
    double squares[3] = {0}, *residuals = malloc(3 * (size_t)task->count * sizeof *residuals);
    int found = 0;
    if (residuals && tumble_residuals(task, x, residuals)) {
        for (int i = 0; i < 3 * task->count; i++) {
            squares[i % 3] += residuals[i] * residuals[i];
        }
    }
    free(residuals);
    double least = 1e-20 * task->count + 1e-12 * (squares[0] + squares[1] + squares[2]);
    for (int k = 0; k < 3; k++) {
        turned[k] = squares[k] > least;
        found += turned[k];
    }
    return found;
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
    bool tracked[3], turned[3];
    int axes = find_tracked(points, count, 3, tracked), turns = find_turned(&task, x, turned);
    for (int k = 0; k < 3; k++) {
        squares += fit_parabola(points, 0, count - 1, k, gravity[k]).squares;
    }
    double freedom = count - 2.0; /* of an axis: two numbers are fitted */
    for (int k = 0; k < 3; k++) {
        Parabola fit = fit_parabola(points, 0, count - 1, k, gravity[k]);
        double velocity = sqrt(squares / (axes * freedom) / fit.spread);
        double spin = sqrt(objective / (fmax(turns, 1) * freedom) * inverse[7 * (3 + k)]);
        result->velocity[k] =
            (CaromMeasured){fit.b + gravity[k] * (time - fit.middle), tracked[k] ? velocity : NAN};
        result->angular_velocity[k] =
            (CaromMeasured){x[3 + k], turned[k] || turns == 0 ? spin : NAN};
    }
    result->rms = sqrt(squares / (fmax(axes, 1) * count));
    result->angle = sqrt(objective / (fmax(turns, 1) * count));
    if (message) {
        *message = "";
    }
    return CAROM_OK;
}
