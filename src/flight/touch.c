/* The next touch of a body in flight with a plane.
 *
 * With n the normal, c(t) = n.(x(t) - point) the height of the centre of mass (a parabola) and
 * nu(t) = R(t)^T n the normal in body axes, the gap of the vertex r is c + r.nu. On a step of the
 * rotation nu is a polynomial, and so is the gap: descent.c finds its first root. While c exceeds
 * the distance of the farthest vertex nothing can touch, and the search skips ahead. */
#include <float.h>
#include <string.h>

#include "contact/status_end.h"
#include "flight/descent.h"
#include "flight/flight.h"
#include "flight/shape.h"
#include "flight/turn.h"
#include "math/functions.h"
#include "math/vec3.h"
#include "mechanics/frame.h"

/* Largest depth inside the plane at the start, relative to the body's size: tolerates input copied
 * with ten digits. */
#define INSIDE 1e-9

/* Rounding of gaps, their rates and accelerations, relative to the terms they are summed from. */
#define GAP_ROUNDING (16 * DBL_EPSILON)

/* The body, the plane, and the height of the centre of mass as a parabola. */
typedef struct TouchSearch {
    const CaromBody *body;
    const double *gravity;
    const CaromShape *shape;
    double n[3];        /* unit normal */
    double size;        /* distance of the farthest point of the shape from the centre of mass */
    double place;       /* size of the positions whose difference is the height */
    double height;      /* c at the start */
    double climb, pull; /* c', c'' */
    double nu[3];       /* n in body axes at the start */
    Turn turn;
    int steps; /* left */
} TouchSearch;

static double shape_size(const CaromShape *shape) {
    double square = shape->radius * shape->radius;
    for (int i = 0; shape->radius == 0 && i < shape->vertex_count; i++) {
        const double *r = shape->vertices + 3 * (size_t)i;
        square = fmax(square, vec3_dot(r, r));
    }
    return sqrt(square);
}

static double height_at(const TouchSearch *search, double t) {
    return search->height + t * (search->climb + t * search->pull / 2);
}

static double climb_at(const TouchSearch *search, double t) {
    return search->climb + t * search->pull;
}

/* Depth (<= 0) of a vertex inside the plane at the start; the vertex counts as touching. */
static double start_depth(const TouchSearch *search, const double r[3]) {
    return fmin(search->height + vec3_dot(r, search->nu), 0);
}

/* Rounding at time t, in units of the pace. */
static DescentSlack slack_at(const TouchSearch *search, double t) {
    double speed = vec3_max_abs(search->body->velocity) + t * vec3_max_abs(search->gravity);
    double pace = search->turn.pace;
    return (DescentSlack){
        .value = GAP_ROUNDING * (search->place + t * speed + search->size),
        .slope = GAP_ROUNDING * (speed / pace + search->size),
        .curvature = GAP_ROUNDING * (vec3_max_abs(search->gravity) / (pace * pace) + search->size)};
}

/* The gap of a vertex as a polynomial of pace times the time since t. */
static void gap_polynomial(const TouchSearch *search, const TurnSeries *series, double t,
                           const double r[3], double p[TURN_ORDER + 1]) {
    double pace = search->turn.pace;
    for (int k = 0; k <= series->order; k++) {
        p[k] = vec3_dot(r, series->nu[k]);
    }
    p[0] += height_at(search, t) - start_depth(search, r);
    p[1] += climb_at(search, t) / pace;
    p[2] += search->pull / 2 / pace / pace;
}

/* The first touch on a step of the rotation from time t; touch->time counts from t. */
static Descent step_touch(const TouchSearch *search, const TurnSeries *series, double t,
                          double reach, CaromTouch *touch) {
    double pace = search->turn.pace, best = reach * pace, fastest = 0;
    DescentSlack slack = slack_at(search, t);
    Descent answer = DESCENT_NONE;
    for (int i = 0; i < search->shape->vertex_count; i++) {
        double p[TURN_ORDER + 1], time, slope;
        gap_polynomial(search, series, t, search->shape->vertices + 3 * (size_t)i, p);
        Descent found = crm_descent_polynomial(p, series->order, best, &slack, &time, &slope);
        if (found == DESCENT_UNKNOWN) {
            return found;
        }
        if (found == DESCENT_FOUND && (answer == DESCENT_NONE || time < best || slope < fastest)) {
            answer = found;
            best = time;
            fastest = slope;
            touch->vertex = i;
        }
    }
    touch->time = best / pace;
    touch->speed = -fastest * pace;
    return answer;
}

/* Fill the touch at time t of the flight; search->turn is at that time. */
static void touch_finish(const TouchSearch *search, double t, CaromTouch *touch) {
    double R[9];
    CaromBody *body = &touch->body;
    *body = *search->body;
    crm_flight_move(body, search->gravity, t);
    crm_turn_finish(&search->turn, body);
    memcpy(touch->point, body->position, sizeof touch->point);
    if (touch->vertex < 0) {
        vec3_axpy(-search->shape->radius, search->n, touch->point);
    } else {
        double arm[3];
        crm_frame_rotation(body->orientation, R);
        mat3_mul(R, search->shape->vertices + 3 * (size_t)touch->vertex, arm);
        vec3_axpy(1, arm, touch->point);
    }
    touch->found = 1;
    touch->time = t;
}

static const char too_long[] = "horizon: the body turns too often before it touches";

/* A ball touches when the height of its centre is its radius. NULL, or why the search failed. */
static const char *search_ball(TouchSearch *search, double horizon, CaromTouch *touch) {
    DescentSlack slack = slack_at(search, 0);
    double gap = fmax(search->height - search->size, 0);
    bool in_touch = gap <= slack.value;
    double pace = search->turn.pace;
    bool still = in_touch && fabs(search->climb) <= slack.slope * pace;
    if (still && !(search->pull < -slack.curvature * pace * pace)) {
        return NULL;
    }
    double t = still || (in_touch && search->climb < 0)
                   ? 0
                   : crm_descent_parabola(gap, search->climb, search->pull);
    if (!(t <= horizon && t < INFINITY)) {
        return NULL;
    }
    touch->vertex = -1;
    touch->speed = still ? 0 : fmax(-climb_at(search, t), 0);
    if (!crm_turn_advance(&search->turn, t, &search->steps)) {
        return too_long;
    }
    touch_finish(search, t, touch);
    return NULL;
}

/* The same for vertices, step by step of the rotation. */
static const char *search_vertices(TouchSearch *search, double horizon, CaromTouch *touch) {
    double t = 0;
    while (t <= horizon && t < INFINITY) {
        TurnSeries series;
        double above = height_at(search, t) - search->size;
        if (above > slack_at(search, t).value) {
            double wait = crm_descent_parabola(above, climb_at(search, t), search->pull);
            if (!(t + wait <= horizon && wait < INFINITY)) {
                return NULL;
            }
            if (!crm_turn_advance(&search->turn, wait, &search->steps)) {
                return too_long;
            }
            t += wait;
        }
        if (--search->steps < 0) {
            return too_long;
        }
        crm_turn_series(&search->turn, search->n, horizon - t, &series);
        double reach = series.reach;
        Descent descent = step_touch(search, &series, t, reach, touch);
        if (descent == DESCENT_UNKNOWN) {
            return "shape: a vertex passes the plane too closely to tell whether it touches";
        }
        if (descent == DESCENT_FOUND) {
            crm_turn_follow(&search->turn, &series, touch->time);
            touch_finish(search, t + touch->time, touch);
            return NULL;
        }
        if (!(reach < horizon - t)) {
            return NULL;
        }
        crm_turn_follow(&search->turn, &series, reach);
        t += reach;
    }
    return NULL;
}

/* NULL, or the name of the bad argument. */
static const char *search_prepare(const CaromBody *body, const double gravity[3],
                                  const CaromShape *shape, const CaromPlane *plane, double horizon,
                                  TouchSearch *search) {
    const char *problem = crm_flight_problem(body, gravity);
    problem = problem ? problem : crm_shape_problem(shape);
    problem = problem ? problem : crm_plane_problem(plane, search->n);
    if (problem || !(horizon > 0)) {
        return problem ? problem : "horizon is not > 0";
    }
    double from[3], R[9];
    search->body = body;
    search->gravity = gravity;
    search->shape = shape;
    search->size = shape_size(shape);
    search->place = vec3_max_abs(body->position) + vec3_max_abs(plane->point);
    vec3_sub(body->position, plane->point, from);
    search->height = vec3_dot(search->n, from);
    search->climb = vec3_dot(search->n, body->velocity);
    search->pull = vec3_dot(search->n, gravity);
    search->turn = crm_turn_start(body);
    search->steps = CAROM_FLIGHT_STEPS;
    crm_frame_rotation(body->orientation, R);
    mat3_mul_transposed(R, search->n, search->nu);
    if (!isfinite(search->size) || !isfinite(search->height) || !isfinite(search->climb) ||
        !isfinite(search->pull) || !isfinite(search->turn.pace)) {
        return "body, gravity: the flight exceeds the range of double precision";
    }
    double gap = carom_shape_gap(body, shape, plane, NULL);
    double least = -INSIDE * search->size - GAP_ROUNDING * search->place;
    return gap < least ? "body: it is inside the plane at the start" : NULL;
}

static void touch_clear(CaromTouch *touch) {
    *touch = (CaromTouch){.time = NAN, .vertex = -1, .point = {NAN, NAN, NAN}, .speed = NAN};
}

CaromStatus carom_flight_touch(const CaromBody *body, const double gravity[3],
                               const CaromShape *shape, const CaromPlane *plane, double horizon,
                               CaromTouch *touch, const char **message) {
    TouchSearch search;
    CaromStatus status = CAROM_INVALID_INPUT;
    if (!touch) {
        return status_end("touch must not be NULL", message);
    }
    touch_clear(touch);
    const char *problem = search_prepare(body, gravity, shape, plane, horizon, &search);
    if (!problem) {
        problem = shape->radius > 0 ? search_ball(&search, horizon, touch)
                                    : search_vertices(&search, horizon, touch);
        status = problem ? CAROM_NOT_CONVERGED : CAROM_OK;
    }
    if (!problem && touch->found && !crm_body_is_finite(&touch->body)) {
        status = CAROM_INVALID_INPUT;
        problem = "body, gravity: the flight exceeds the range of double precision";
    }
    if (problem || !touch->found) {
        touch_clear(touch);
    }
    touch->work = problem ? 0 : CAROM_FLIGHT_STEPS - search.steps;
    if (message) {
        *message = problem ? problem : "";
    }
    return status;
}
