/* Lasting contact by carom_lasting_advance(), between the impacts of a world. */
#include "world/convex_contact.h"

#include <string.h>

#include "math/functions.h"
#include "math/vec3.h"
#include "world/ball_motion.h"
#include "world/convex_path.h"
#include "world/touching.h"

void crm_convex_contact_lift(const CaromWorld *world, const WorldBody *body, CaromBody *state) {
    double before = crm_convex_path_energy(world, state);
    for (int i = 0; i < world->plane_count; i++) {
        double gap = carom_shape_gap(state, &body->shape, &world->flat[i], NULL);
        vec3_axpy(gap < 0 ? -gap : 0, world->flat[i].normal, state->position);
    }
    double raised = crm_convex_path_energy(world, state) - before;
    double energy = carom_body_energy(state);
    if (raised > 0 && energy > 0) {
        double factor = sqrt(fmax(1 - raised / energy, 0));
        for (int k = 0; k < 3; k++) {
            state->velocity[k] *= factor;
            state->angular_velocity[k] *= factor;
        }
    }
}

void crm_convex_contact_take(const CaromWorld *world, WorldBody *body, const CaromBody *state) {
    CaromMotion *motion = &body->motion;
    motion->time = world->time;
    memcpy(motion->position, state->position, sizeof state->position);
    memcpy(motion->orientation, state->orientation, sizeof state->orientation);
    memcpy(motion->velocity, state->velocity, sizeof state->velocity);
    memcpy(motion->angular_velocity, state->angular_velocity, sizeof state->angular_velocity);
}

static CaromLasting lasting_of(const CaromWorld *world, const WorldBody *body) {
    CaromLasting lasting = {.shape = body->shape,
                            .planes = world->flat,
                            .mu = body->convex->friction,
                            .plane_count = world->plane_count,
                            .speed = world->rest,
                            .first_step = body->convex->step};
    memcpy(lasting.gravity, world->gravity, sizeof world->gravity);
    return lasting;
}

/* The body no longer stays: it flies, or rests. */
static void leave_contact(const CaromWorld *world, WorldBody *body, CaromLastingEnd end,
                          CaromBody *state) {
    if (end == CAROM_LASTING_FLIGHT) {
        crm_convex_contact_lift(world, body, state);
        crm_ball_fly(world, body);
    } else if (end == CAROM_LASTING_IMPACT) {
        crm_convex_contact_lift(world, body, state);
    } else if (end == CAROM_LASTING_REST) {
        body->motion.phase = CAROM_PHASE_REST;
        body->motion.end = INFINITY;
        memset(body->motion.acceleration, 0, sizeof body->motion.acceleration);
        memset(body->motion.angular_acceleration, 0, sizeof body->motion.angular_acceleration);
    }
    crm_convex_contact_take(world, body, state);
}

CaromStatus crm_convex_contact_follow(CaromWorld *world, double limit, CaromLastingEnd *end,
                                      const char **message) {
    WorldBody *body = &world->bodies[0];
    CaromLasting lasting = lasting_of(world, body);
    CaromLastingRun run;
    CaromBody state;
    crm_touching_state(world, body, &state);
    CaromStatus status = carom_lasting_advance(&state, &lasting, limit - world->time, NULL, NULL,
                                               world->lasting_room, &run, message);
    *end = run.end;
    if (status >= 0) {
        world->time = run.end == CAROM_LASTING_TIME ? limit : world->time + run.time;
        leave_contact(world, body, run.end, &state);
    }
    return status;
}

/* carom_lasting_advance() does not begin deeper than this part of the size. */
static void lift_from_depth(const CaromWorld *world, WorldBody *body, CaromBody *state) {
    for (int i = 0; i < world->plane_count; i++) {
        if (carom_shape_gap(state, &body->shape, &world->flat[i], NULL) < -0.9e-7 * body->radius) {
            crm_convex_contact_lift(world, body, state);
            crm_convex_contact_take(world, body, state);
            return;
        }
    }
}

static int stop_after_step(void *user, double time, const CaromBody *body) {
    (void)user, (void)time, (void)body;
    return 1;
}

CaromStatus crm_convex_contact_step(CaromWorld *world, WorldBody *body, CaromLastingEnd *end,
                                    const char **message) {
    CaromLasting lasting = lasting_of(world, body);
    CaromLastingRun run;
    CaromBody state;
    body->motion.end = INFINITY;
    crm_convex_path_at(world, body, world->time, &state);
    lift_from_depth(world, body, &state);
    CaromStatus status = carom_lasting_advance(&state, &lasting, INFINITY, stop_after_step, NULL,
                                               world->lasting_room, &run, message);
    *end = run.end;
    if (status < 0) {
        return status;
    }
    body->convex->step = run.next_step;
    if (run.end == CAROM_LASTING_TIME) {
        crm_convex_path_stay(world, body, run.time, &state);
    } else {
        leave_contact(world, body, run.end, &state);
    }
    return status;
}

void crm_convex_contact_rebase(const CaromWorld *world, WorldBody *body) {
    CaromBody state;
    double end = body->motion.end;
    crm_convex_path_at(world, body, world->time, &state);
    crm_convex_contact_take(world, body, &state);
    if (body->motion.phase == CAROM_PHASE_LASTING && end > world->time) {
        CaromBody goal = body->convex->goal;
        crm_convex_path_stay(world, body, end - world->time, &goal);
        body->motion.end = end;
    }
}
