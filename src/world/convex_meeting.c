/* The distance D of the ball's centre from the hull of the body, followed from one side.
 *
 * In the body's axes the centre is at y = R^T d, d = x_ball - x_body. D is a convex function of y,
 * of slope 1. So along the path
 *
 *   D'' >= n.y'' >= -M,   M = |d''| + 2 |omega| |d'| + (|omega|^2 + |omega'|) |d|
 *
 * with bounds of these over a span of time: D lies above the parabola with its value and rate now
 * and the second derivative -M, and cannot reach the radius before the parabola does. Steps to that
 * point skip no touch whatever face, edge or vertex is nearest, and converge like Newton's. While
 * the ball is outside the sphere about the body, the search goes to that sphere in one step. */
#include "world/convex_meeting.h"

#include <float.h>

#include "flight/descent.h"
#include "flight/hull_distance.h"
#include "math/functions.h"
#include "math/vec3.h"
#include "mechanics/frame.h"
#include "world/convex_path.h"
#include "world/meeting.h"

/* Most steps of one search. */
enum { MEETING_STEPS = 200 };

/* Rounding of gaps and their rates, relative to the terms they are summed from. */
static const double MARCH_ROUNDING = 16 * DBL_EPSILON;

typedef struct ConvexMarch {
    const CaromWorld *world;
    const WorldBody *ball, *convex;
    double turn, change; /* bounds of |omega|, |omega'| */
    double time;
    CaromBody state;              /* the convex body then */
    double d[3], v[3], a[3];      /* ball relative to its centre */
    double gap, rate;             /* D less the radius */
    double gap_slack, rate_slack; /* their rounding */
} ConvexMarch;

double crm_convex_meeting_gap(const WorldBody *convex, const CaromBody *state, const double ball[3],
                              double radius, double arm[3], double normal[3]) {
    double R[9], d[3], y[3], nearest[3], direction[3];
    vec3_sub(ball, state->position, d);
    crm_frame_rotation(state->orientation, R);
    mat3_mul_transposed(R, d, y);
    double distance = crm_hull_distance(&convex->convex->hull, y, nearest, direction);
    mat3_mul(R, nearest, arm);
    mat3_mul(R, direction, normal);
    return distance - radius;
}

/* The ball relative to the body's centre at the time of the march. */
static void march_relative(ConvexMarch *march) {
    CaromMotion ball = march->ball->motion, body = march->convex->motion;
    carom_motion_advance(&ball, march->time);
    carom_motion_advance(&body, march->time);
    vec3_sub(ball.position, body.position, march->d);
    vec3_sub(ball.velocity, body.velocity, march->v);
    vec3_sub(ball.acceleration, body.acceleration, march->a);
}

/* Gap and rate there. */
static void march_measure(ConvexMarch *march) {
    CaromMotion ball = march->ball->motion;
    double arm[3], normal[3], v[3];
    march_relative(march);
    carom_motion_advance(&ball, march->time);
    march->gap = crm_convex_meeting_gap(march->convex, &march->state, ball.position,
                                        march->ball->radius, arm, normal);
    vec3_cross(arm, march->state.angular_velocity, v);
    vec3_axpy(1, march->v, v);
    march->rate = vec3_dot(v, normal);
    double size = march->convex->radius + march->ball->radius;
    double speed = vec3_max_abs(ball.velocity) + vec3_max_abs(march->state.velocity);
    march->gap_slack =
        MARCH_ROUNDING * (vec3_max_abs(ball.position) + vec3_max_abs(march->state.position) + size);
    march->rate_slack = MARCH_ROUNDING * (speed + march->turn * size);
}

static bool march_to(ConvexMarch *march, double time) {
    bool good = crm_convex_path_move(march->world, march->convex, march->time, time, &march->state);
    march->time = time;
    march_measure(march);
    return good;
}

/* Upper bound of -D'' over a span. */
static double march_bound(const ConvexMarch *march, double span) {
    double push = sqrt(vec3_dot(march->a, march->a));
    double speed = sqrt(vec3_dot(march->v, march->v)) + push * span;
    double far = sqrt(vec3_dot(march->d, march->d)) + speed * span;
    return push + 2 * march->turn * speed + (march->turn * march->turn + march->change) * far;
}

/* A span that is not too long for good bounds; INFINITY: nothing moves. */
static double first_span(const ConvexMarch *march) {
    double far = sqrt(vec3_dot(march->d, march->d));
    double pace = march->turn + sqrt(vec3_dot(march->v, march->v)) / far +
                  sqrt(sqrt(vec3_dot(march->a, march->a)) / far);
    return 1 / pace;
}

/* The step to a point that the gap does not reach -level before. */
static double march_step(const ConvexMarch *march, double level) {
    double value = fmax(march->gap + level, 0), span = first_span(march), step = 0;
    bool at_zero = value <= march->gap_slack && march->rate >= -march->rate_slack;
    double slope = at_zero ? fmax(march->rate, 0) : march->rate;
    for (int i = 0; i < 20 && span < INFINITY; i++) {
        double bound = march_bound(march, span);
        double clear = crm_descent_parabola(value, slope, -bound);
        clear = at_zero && bound > 0 ? fmax(clear, sqrt(march->gap_slack / bound)) : clear;
        if (clear >= span) {
            return span;
        }
        step = fmax(step, clear);
        if (8 * step > span) {
            break;
        }
        span = 4 * step;
    }
    return span < INFINITY ? step : INFINITY;
}

/* The time that the ball takes to the sphere about the body. */
static double time_to_sphere(const ConvexMarch *march) {
    static const MeetingRule sharp = {0};
    double reach = march->convex->radius + march->ball->radius;
    if (sqrt(vec3_dot(march->d, march->d)) <= reach * (1 + 2e-6)) {
        return 0;
    }
    return crm_meeting_distance(march->d, march->v, march->a, reach * (1 + 1e-6), INFINITY, &sharp);
}

/* How a search goes on. */
typedef struct MarchRule {
    double touch, depth, hold, creep;
} MarchRule;

/* How deep the contact may get before it counts, from a start in touch: at least `depth`, more if
 * it is there already and stands still. */
static double start_level(const ConvexMarch *march, const MarchRule *rule) {
    double deep = fmax(-march->gap, 0);
    bool slow = fabs(march->rate) < rule->hold / 4;
    return fmax(rule->depth, slow ? deep + rule->depth / 16 : deep);
}

/* From the present time of the march. */
static ConvexMeeting march_search(ConvexMarch *march, const MarchRule *rule, double until) {
    const ConvexMeeting never = {.time = INFINITY};
    double level = 0;
    if (march->gap <= rule->touch) {
        if (march->rate <= -rule->hold && march->rate < -rule->creep) {
            return (ConvexMeeting){.time = march->time};
        }
        level = start_level(march, rule);
    }
    for (int i = 0; i < MEETING_STEPS; i++) {
        double wait = time_to_sphere(march);
        double step = wait > 0 ? wait : march_step(march, level);
        if (!(march->time + step <= until && step < INFINITY)) {
            return never;
        }
        if (!march_to(march, march->time + step)) {
            return (ConvexMeeting){.time = march->time, .failed = true};
        }
        if (march->gap + level > march->gap_slack || march->rate >= -march->rate_slack) {
            continue;
        }
        if (level > 0 || march->rate <= -rule->hold) {
            return (ConvexMeeting){.time = march->time};
        }
        level = rule->depth;
    }
    return (ConvexMeeting){.time = march->time, .look = true};
}

ConvexMeeting crm_convex_meeting(const CaromWorld *world, const WorldBody *ball,
                                 const WorldBody *convex, double until) {
    const double *g = world->gravity;
    double size = fmin(ball->radius, convex->radius);
    ConvexMarch march = {.world = world, .ball = ball, .convex = convex};
    march.time = fmax(ball->motion.time, convex->motion.time);
    crm_convex_path_bounds(world, convex, &march.turn, &march.change);
    march_relative(&march);
    double wait = time_to_sphere(&march);
    if (!(march.time + wait <= until && wait < INFINITY)) {
        return (ConvexMeeting){.time = INFINITY};
    }
    march.time += wait;
    if (!crm_convex_path_at(world, convex, march.time, &march.state)) {
        return (ConvexMeeting){.time = march.time, .failed = true};
    }
    march_measure(&march);
    double speed = vec3_max_abs(ball->motion.velocity) + vec3_max_abs(convex->motion.velocity) +
                   march.turn * convex->radius;
    MarchRule rule = {.touch = WORLD_TOUCH * size,
                      .depth = WORLD_HOLD_DEPTH * size,
                      .creep = WORLD_CREEP * speed};
    rule.hold = fmin(world->rest / 2, sqrt(2 * sqrt(vec3_dot(g, g)) * rule.depth));
    return march_search(&march, &rule, until);
}
