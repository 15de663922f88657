/* The next event of a body: the end of its piece of motion, its cell, what is immovable, and its
 * neighbours.
 *
 * The time of a meeting is computed from the later of the two origins of the pieces, so it depends
 * on the two pieces alone, not on when it is asked for or which of the two asks. Each body waits
 * for its own first event. Of two bodies the one that was updated last has seen the present motion
 * of both, so no meeting is lost; a body whose partner has changed since looks again when its time
 * comes. */
#include "world/prediction.h"

#include "flight/descent.h"
#include "math/functions.h"
#include "math/vec3.h"
#include "world/cell_grid.h"
#include "world/convex_meeting.h"
#include "world/convex_path.h"
#include "world/event_heap.h"
#include "world/meeting.h"

static MeetingRule rule_for(const CaromWorld *world, double radius, double speed) {
    return (MeetingRule){.touch = WORLD_TOUCH * radius,
                         .depth = WORLD_HOLD_DEPTH * radius,
                         .rest = world->rest,
                         .creep = WORLD_CREEP * speed};
}

static void wait_for(Awaited *next, double time, AwaitedKind kind, int partner) {
    if (time < next->time) {
        *next = (Awaited){.time = time, .kind = kind, .partner = partner};
    }
}

/* The same for another body. Of equal times that of a cell comes later. */
static void wait_for_body(const CaromWorld *world, Awaited *next, double time, int partner,
                          AwaitedKind kind) {
    if (time < next->time || (time == next->time && next->kind == AWAITED_CELL)) {
        *next = (Awaited){.time = time,
                          .kind = kind,
                          .partner = partner,
                          .partner_count = world->bodies[partner].count};
    }
}

/* Relative to another: position, velocity, acceleration at a time. */
static void motion_between(const CaromMotion *a, const CaromMotion *b, double time, double x[3],
                           double v[3], double push[3]) {
    double da = time - a->time, db = time - b->time;
    for (int k = 0; k < 3; k++) {
        double xa = a->position[k] + da * (a->velocity[k] + da * a->acceleration[k] / 2);
        double xb = b->position[k] + db * (b->velocity[k] + db * b->acceleration[k] / 2);
        x[k] = xa - xb;
        v[k] =
            (a->velocity[k] + da * a->acceleration[k]) - (b->velocity[k] + db * b->acceleration[k]);
        push[k] = a->acceleration[k] - b->acceleration[k];
    }
}

static void look_at_planes(const CaromWorld *world, const WorldBody *body, Awaited *next) {
    const CaromMotion *motion = &body->motion;
    MeetingRule rule = rule_for(world, body->radius, vec3_max_abs(motion->velocity));
    for (int i = 0; i < world->plane_count; i++) {
        const WorldPlane *plane = &world->planes[i];
        double from[3], e = world_surface(world, body->material, plane->material)->contact.e;
        if (i == motion->plane) {
            continue;
        }
        /* a slow ball stays on a level plane */
        rule.rest = plane->level && e < 1 ? 0 : world->rest;
        vec3_sub(motion->position, plane->point, from);
        double time = crm_meeting_parabola(vec3_dot(plane->normal, from) - body->radius,
                                           vec3_dot(plane->normal, motion->velocity),
                                           vec3_dot(plane->normal, motion->acceleration), &rule);
        wait_for(next, motion->time + time, AWAITED_PLANE, i);
    }
}

/* Components of a vector along the normal of a cushion and upwards; the third is 0. */
static void cushion_axes(const CaromWorld *world, const WorldCushion *cushion, const double x[3],
                         double y[3]) {
    y[0] = vec3_dot(x, cushion->normal);
    y[1] = vec3_dot(x, world->up);
    y[2] = 0;
}

double crm_prediction_cushion_gap(const CaromWorld *world, const WorldCushion *cushion,
                                  const CaromMotion *motion, double radius, double normal[3]) {
    double from[3], y[3], direction[3];
    vec3_sub(motion->position, cushion->point, from);
    cushion_axes(world, cushion, from, y);
    bool face = y[1] >= 0;
    double distance = face ? y[0] : sqrt(y[0] * y[0] + y[1] * y[1]);
    for (int k = 0; k < 3; k++) {
        direction[k] = face ? cushion->normal[k]
                            : (y[0] * cushion->normal[k] + y[1] * world->up[k]) / distance;
    }
    for (int k = 0; normal && k < 3; k++) {
        normal[k] = direction[k];
    }
    return distance - radius;
}

static void look_at_cushions(const CaromWorld *world, const WorldBody *body, Awaited *next) {
    const CaromMotion *motion = &body->motion;
    MeetingRule rule = rule_for(world, body->radius, vec3_max_abs(motion->velocity));
    for (int i = 0; i < world->cushion_count; i++) {
        const WorldCushion *cushion = &world->cushions[i];
        double from[3], d[3], v[3], a[3];
        vec3_sub(motion->position, cushion->point, from);
        cushion_axes(world, cushion, from, d);
        cushion_axes(world, cushion, motion->velocity, v);
        cushion_axes(world, cushion, motion->acceleration, a);
        double time = crm_meeting_parabola(d[0] - body->radius, v[0], a[0], &rule);
        bool level = v[1] == 0 && a[1] == 0;
        if (level && d[1] < 0 && -d[1] < body->radius) {
            /* at constant height the nose is met like a plane */
            double reach = sqrt((body->radius + d[1]) * (body->radius - d[1]));
            time = crm_meeting_parabola(d[0] - reach, v[0], a[0], &rule);
        } else if (!(d[1] + time * (v[1] + time * a[1] / 2) >= 0)) {
            time = crm_meeting_distance(d, v, a, body->radius, next->time - motion->time, &rule);
        }
        wait_for(next, motion->time + time, AWAITED_CUSHION, i);
    }
}

static void look_at_pockets(const CaromWorld *world, const WorldBody *body, Awaited *next) {
    static const MeetingRule sharp = {0};
    const CaromMotion *motion = &body->motion;
    for (int i = 0; i < world->pocket_count; i++) {
        double d[3], v[3], a[3];
        vec3_sub(motion->position, world->pockets[i].point, d);
        for (int k = 0; k < 3; k++) {
            v[k] = motion->velocity[k];
            a[k] = motion->acceleration[k];
        }
        vec3_axpy(-vec3_dot(d, world->up), world->up, d);
        vec3_axpy(-vec3_dot(v, world->up), world->up, v);
        vec3_axpy(-vec3_dot(a, world->up), world->up, a);
        double time = crm_meeting_distance(d, v, a, world->pockets[i].radius,
                                           next->time - motion->time, &sharp);
        wait_for(next, motion->time + time, AWAITED_POCKET, i);
    }
}

static bool is_at_rest(const WorldBody *body) {
    return body->motion.phase >= CAROM_PHASE_SPINNING && body->motion.phase != CAROM_PHASE_LASTING;
}

/* Two balls, or the spheres about two convex bodies. */
static void look_at_ball(const CaromWorld *world, const WorldBody *body, int index, Awaited *next) {
    const WorldBody *other = &world->bodies[index];
    double x[3], v[3], a[3];
    double from = fmax(body->motion.time, other->motion.time);
    double until = fmin(next->time, other->motion.end) - from;
    double reach = body->radius + other->radius;
    motion_between(&body->motion, &other->motion, from, x, v, a);
    double speed = vec3_max_abs(body->motion.velocity) + vec3_max_abs(other->motion.velocity);
    MeetingRule rule = rule_for(world, fmin(body->radius, other->radius), speed);
    wait_for_body(world, next, from + crm_meeting_distance(x, v, a, reach, until, &rule), index,
                  AWAITED_BODY);
}

/* A ball and a convex body; false: see look_convex(). */
static bool look_at_convex(const CaromWorld *world, const WorldBody *body, int index, Awaited *next,
                           CaromStatus *status, const char **message) {
    const WorldBody *other = &world->bodies[index];
    double until = fmin(next->time, fmin(body->motion.end, other->motion.end));
    ConvexMeeting meeting = body->is_ball ? crm_convex_meeting(world, body, other, until)
                                          : crm_convex_meeting(world, other, body, until);
    if (meeting.failed) {
        *status = CAROM_NOT_CONVERGED;
        *message = "bodies[].angular_velocity: a convex body turns too often to be followed";
        return false;
    }
    wait_for_body(world, next, meeting.time, index, meeting.look ? AWAITED_LOOK : AWAITED_BODY);
    return true;
}

static bool look_at_neighbours(const CaromWorld *world, int index, Awaited *next,
                               CaromStatus *status, const char **message) {
    const WorldBody *body = &world->bodies[index];
    CellWalk walk = {0};
    for (int i = crm_cell_grid_next(world, body, &walk); i >= 0;
         i = crm_cell_grid_next(world, body, &walk)) {
        const WorldBody *other = &world->bodies[i];
        if (i == index || (is_at_rest(body) && is_at_rest(other))) {
            continue;
        }
        if (body->is_ball == other->is_ball) {
            look_at_ball(world, body, i, next);
        } else if (!look_at_convex(world, body, i, next, status, message)) {
            return false;
        }
    }
    return true;
}

/* The next touch of a flying convex body and a plane. */
static bool find_plane_touch(const CaromWorld *world, const WorldBody *body, CaromStatus *status,
                             const char **message) {
    WorldConvex *convex = body->convex;
    CaromBody flying;
    crm_convex_path_at(world, body, body->motion.time, &flying);
    convex->touch_time = INFINITY;
    for (int i = 0; i < world->plane_count; i++) {
        CaromTouch touch;
        double horizon = convex->touch_time - body->motion.time;
        if (!(horizon > 0)) {
            break;
        }
        *status = carom_flight_touch(&flying, world->gravity, &body->shape, &world->flat[i],
                                     horizon, &touch, message);
        if (*status < 0) {
            return false;
        }
        double time = body->motion.time + touch.time;
        if (touch.found && time < convex->touch_time) {
            convex->touch_time = time;
            convex->touch_plane = i;
        }
    }
    convex->touch_known = true;
    convex->touch_count = body->count;
    return true;
}

static bool look_convex(const CaromWorld *world, const WorldBody *body, Awaited *next,
                        CaromStatus *status, const char **message) {
    const WorldConvex *convex = body->convex;
    if (!(convex->touch_known && convex->touch_count == body->count) &&
        !find_plane_touch(world, body, status, message)) {
        return false;
    }
    wait_for(next, convex->touch_time, AWAITED_PLANE, convex->touch_plane);
    return true;
}

/* What a body meets that is not another body. */
static bool look_around(const CaromWorld *world, const WorldBody *body, Awaited *next,
                        CaromStatus *status, const char **message) {
    if (body->motion.end < INFINITY) {
        *next = (Awaited){.time = body->motion.end, .kind = AWAITED_PHASE};
    }
    if (is_at_rest(body)) {
        return true;
    }
    Awaited leave = crm_cell_grid_leave(world, body);
    *next = leave.time < next->time ? leave : *next;
    if (body->is_ball) {
        look_at_planes(world, body, next);
        look_at_cushions(world, body, next);
        look_at_pockets(world, body, next);
        return true;
    }
    return body->motion.phase != CAROM_PHASE_FLIGHT ||
           look_convex(world, body, next, status, message);
}

bool crm_prediction_update(CaromWorld *world, int index, CaromStatus *status,
                           const char **message) {
    WorldBody *body = &world->bodies[index];
    Awaited next = {.time = INFINITY, .kind = AWAITED_NOTHING};
    if (body->motion.phase != CAROM_PHASE_POCKETED &&
        !(look_around(world, body, &next, status, message) &&
          look_at_neighbours(world, index, &next, status, message))) {
        return false;
    }
    next.time = fmax(next.time, world->time);
    body->next = next;
    crm_event_heap_move(world, index);
    return true;
}

bool crm_prediction_update_all(CaromWorld *world, CaromStatus *status, const char **message) {
    for (int i = 0; i < world->body_count; i++) {
        if (!crm_prediction_update(world, i, status, message)) {
            return false;
        }
    }
    return true;
}

bool crm_prediction_is_stale(const CaromWorld *world, const Awaited *next) {
    return (next->kind == AWAITED_BODY || next->kind == AWAITED_LOOK) &&
           next->partner_count != world->bodies[next->partner].count;
}
