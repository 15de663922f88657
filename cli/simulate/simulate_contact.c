/* Lasting contact of a simulation.
 *
 * A ball: a world of one ball gives the pieces, accelerations constant in each; its orientation is
 * integrated along them. With the angular velocity linear in time, omega = w + t a about the middle
 * of a step h, the rotation of the step is exp(h w + h^3/12 a x w), of fourth order. */
#include "simulate/simulate_contact.h"

#include <math.h>
#include <string.h>

#include "simulate/simulate_piece.h"

/* Most steps of a body with vertices without an end time, and turn of a ball between two nodes. */
enum { STEPS_MAX = 200000, BALL_NODES_MAX = 100000 };
#define BALL_TURN 0.05

typedef struct Contact {
    const SimulateScene *scene;
    SimulateRun *run;
    double begin; /* time of the run */
    int steps;
    bool no_memory, too_long;
    CaromBody body; /* of a ball, with its orientation */
} Contact;

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Can friction hold the body on the plane? */
static bool holds(const SimulateScene *scene) {
    const double *n = scene->plane.normal, *g = scene->gravity;
    double pull = -dot(g, n), along = 0;
    for (int i = 0; i < 3; i++) {
        along += (g[i] + pull * n[i]) * (g[i] + pull * n[i]);
    }
    return scene->scene.contacts[0].mu * pull > sqrt(along) || along == 0;
}

/* Bodies with vertices. */

static int visit_step(void *user, double time, const CaromBody *body) {
    Contact *contact = user;
    contact->no_memory = !simulate_node_add(contact->run, contact->begin + time, body);
    contact->too_long = ++contact->steps >= STEPS_MAX && !isfinite(contact->scene->time);
    return contact->no_memory || contact->too_long;
}

static SimulateContactEnd follow_vertices(Contact *contact, double speed, CaromBody *body) {
    const SimulateScene *scene = contact->scene;
    SimulateRun *run = contact->run;
    CaromLasting lasting = {.shape = scene->shape,
                            .planes = &scene->plane,
                            .mu = &scene->scene.contacts[0].mu,
                            .plane_count = 1,
                            .speed = speed};
    memcpy(lasting.gravity, scene->gravity, sizeof lasting.gravity);
    CaromLastingRun result;
    const char *message;
    CaromBody moved = *body;
    if (!isfinite(scene->time) && !holds(scene)) {
        return SIMULATE_CONTACT_ENDLESS;
    }
    if (!simulate_piece_add(run, CAROM_PHASE_LASTING, run->time, body)) {
        return SIMULATE_CONTACT_NO_MEMORY;
    }
    CaromStatus status = carom_lasting_advance(&moved, &lasting, scene->time - contact->begin,
                                               visit_step, contact, NULL, &result, &message);
    if (contact->no_memory) {
        return SIMULATE_CONTACT_NO_MEMORY;
    }
    *body = moved;
    run->time = result.end == CAROM_LASTING_TIME && isfinite(scene->time)
                    ? scene->time
                    : fmin(contact->begin + result.time, scene->time);
    simulate_piece_end(run, run->time, body);
    if (status < 0) {
        run->message = message;
        return SIMULATE_CONTACT_UNKNOWN;
    }
    static const SimulateContactEnd ends[] = {[CAROM_LASTING_TIME] = SIMULATE_CONTACT_TIME,
                                              [CAROM_LASTING_REST] = SIMULATE_CONTACT_REST,
                                              [CAROM_LASTING_FLIGHT] = SIMULATE_CONTACT_FLIGHT,
                                              [CAROM_LASTING_IMPACT] = SIMULATE_CONTACT_IMPACT};
    return contact->too_long ? SIMULATE_CONTACT_ENDLESS : ends[result.end];
}

/* Balls. */

/* Turn an orientation by a rotation vector, in world axes. */
static void turn(double q[4], const double angle[3]) {
    double size = sqrt(dot(angle, angle)), c = cos(size / 2);
    double s = size > 0 ? sin(size / 2) / size : 0.5, p[4] = {q[0], q[1], q[2], q[3]}, u[3];
    for (int i = 0; i < 3; i++) {
        u[i] = s * angle[i];
    }
    q[0] = c * p[0] - (u[0] * p[1] + u[1] * p[2] + u[2] * p[3]);
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        q[i + 1] = c * p[i + 1] + u[i] * p[0] + u[j] * p[k + 1] - u[k] * p[j + 1];
    }
}

/* The orientation after a step h of a motion that starts at its time. */
static void turn_ball(const CaromMotion *motion, double h, double q[4]) {
    double angle[3], w[3];
    const double *a = motion->angular_acceleration;
    for (int i = 0; i < 3; i++) {
        w[i] = motion->angular_velocity[i] + a[i] * h / 2;
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        angle[i] = h * w[i] + h * h * h / 12 * (a[j] * w[k] - a[k] * w[j]);
    }
    turn(q, angle);
}

static void set_motion(const CaromMotion *motion, CaromBody *body) {
    memcpy(body->position, motion->position, sizeof body->position);
    memcpy(body->velocity, motion->velocity, sizeof body->velocity);
    memcpy(body->angular_velocity, motion->angular_velocity, sizeof body->angular_velocity);
}

/* Add a phase of the ball, from its beginning to a time of the run. False: no memory. */
static bool add_phase(Contact *contact, const CaromMotion *from, double until) {
    CaromMotion motion = *from, last = *from;
    double lasts = until - contact->begin - from->time;
    carom_motion_advance(&last, from->time + lasts);
    set_motion(from, &contact->body);
    if (!simulate_piece_add(contact->run, from->phase, contact->begin + from->time,
                            &contact->body)) {
        return false;
    }
    double turned = lasts * fmax(sqrt(dot(from->angular_velocity, from->angular_velocity)),
                                 sqrt(dot(last.angular_velocity, last.angular_velocity)));
    int count = (int)fmin(BALL_NODES_MAX, 1 + ceil(turned / BALL_TURN));
    for (int i = 1; i <= count; i++) {
        double next = from->time + lasts * i / count;
        turn_ball(&motion, next - motion.time, contact->body.orientation);
        motion = *from;
        carom_motion_advance(&motion, next);
        set_motion(&motion, &contact->body);
        if (!simulate_node_add(contact->run, i < count ? contact->begin + next : until,
                               &contact->body)) {
            return false;
        }
    }
    return true;
}

/* A world of the ball alone, which is on the plane. NULL: see *message. */
static CaromWorld *ball_world(const SimulateScene *scene, const CaromBody *body,
                              const char **message) {
    const CaromContact *contact = &scene->scene.contacts[0];
    CaromWorldBody ball = {.body = *body, .shape = scene->shape};
    const CaromWorldPlane plane = {.plane = scene->plane};
    const CaromSurface surface = {.contact = {.mu = contact->mu},
                                  .mu_slide = contact->mu,
                                  .mu_roll = scene->mu_roll,
                                  .mu_spin = scene->mu_spin};
    CaromWorldSetup setup = {.bodies = &ball,
                             .body_count = 1,
                             .planes = &plane,
                             .plane_count = 1,
                             .surfaces = &surface,
                             .material_count = 1};
    CaromWorld *world;
    memcpy(setup.gravity, scene->gravity, sizeof setup.gravity);
    /* the last bounce has no height any more */
    double up = dot(body->velocity, scene->plane.normal);
    for (int i = 0; i < 3; i++) {
        ball.body.velocity[i] -= up * scene->plane.normal[i];
    }
    return carom_world_create(&setup, NULL, &world, message) < 0 ? NULL : world;
}

/* Phase after phase. */
static SimulateContactEnd follow_phases(Contact *contact, CaromWorld *world, CaromBody *body) {
    SimulateRun *run = contact->run;
    double limit = contact->scene->time - contact->begin;
    SimulateContactEnd end = SIMULATE_CONTACT_TIME;
    contact->body = *body;
    for (bool more = true; more;) {
        CaromMotion motion;
        CaromWorldRun step = {.time = isfinite(limit) ? limit : 0, .events = 1};
        carom_world_motion(world, 0, &motion, NULL);
        if (motion.phase == CAROM_PHASE_FLIGHT) {
            run->message = "a ball on a slope is not followed";
            return SIMULATE_CONTACT_UNKNOWN;
        }
        if (motion.phase == CAROM_PHASE_REST) {
            end = SIMULATE_CONTACT_REST;
            break;
        }
        double until = fmin(motion.end, limit);
        if (!isfinite(until)) {
            return SIMULATE_CONTACT_ENDLESS;
        }
        carom_world_run(world, &step);
        more = motion.end < limit;
        run->time = more ? contact->begin + until : contact->scene->time;
        if (!add_phase(contact, &motion, run->time)) {
            return SIMULATE_CONTACT_NO_MEMORY;
        }
        *body = contact->body;
    }
    return end;
}

static SimulateContactEnd follow_ball(Contact *contact, CaromBody *body) {
    const SimulateScene *scene = contact->scene;
    const char *message;
    CaromWorld *world = ball_world(scene, body, &message);
    if (!world) {
        contact->run->message = message;
        return SIMULATE_CONTACT_UNKNOWN;
    }
    SimulateContactEnd end = follow_phases(contact, world, body);
    carom_world_destroy(world);
    if (end == SIMULATE_CONTACT_REST) {
        memset(body->velocity, 0, sizeof body->velocity);
        memset(body->angular_velocity, 0, sizeof body->angular_velocity);
    }
    return end;
}

SimulateContactEnd simulate_contact_follow(const SimulateScene *scene, double speed,
                                           SimulateRun *run, CaromBody *body) {
    Contact contact = {.scene = scene, .run = run, .begin = run->time};
    return scene->vertices ? follow_vertices(&contact, speed, body) : follow_ball(&contact, body);
}
