/* From event to event. The earliest next event of all bodies is on top of the heap; it happens, the
 * bodies whose motion it changed look for their next events, and so on. */
#include <string.h>

#include "math/functions.h"
#include "math/vec3.h"
#include "world/ball_motion.h"
#include "world/cell_grid.h"
#include "world/convex_contact.h"
#include "world/prediction.h"
#include "world/touching.h"
#include "world/world_impact.h"

/* Impacts at one time, before the world is called stalled: this many and ten for each body. Rows of
 * touching bodies have one, symmetric ones some. */
enum { STALL_IMPACTS = 1000 };

/* Most steps of one lasting contact of a convex body among others. */
enum { STAY_STEPS = 1000000 };

static bool end_run(CaromWorldRun *run, CaromWorldEnd end) {
    run->end = end;
    return false;
}

static bool fail_run(CaromWorld *world, CaromWorldRun *run, CaromStatus status,
                     const char *message) {
    world->failed = true;
    run->status = status;
    run->message = message;
    return end_run(run, CAROM_WORLD_END_FAILED);
}

/* Tell the visitor; false: it wants to stop. */
static bool tell(CaromWorld *world, CaromWorldRun *run, CaromWorldEvent event) {
    event.time = world->time;
    run->event_count++;
    if (run->visit && run->visit(run->user, world, &event)) {
        return end_run(run, CAROM_WORLD_END_STOPPED);
    }
    return true;
}

/* Let a body look for its next event. */
static bool look_again(CaromWorld *world, CaromWorldRun *run, int body) {
    CaromStatus status;
    const char *message;
    return crm_prediction_update(world, body, &status, &message) ||
           fail_run(world, run, status, message);
}

static bool fit_grid(CaromWorld *world, CaromWorldRun *run) {
    CaromStatus status;
    const char *message;
    world->since_fit = 0;
    if (!crm_cell_grid_is_stale(world)) {
        return true;
    }
    crm_cell_grid_fit(world);
    return crm_prediction_update_all(world, &status, &message) ||
           fail_run(world, run, status, message);
}

static bool fall_into_pocket(CaromWorld *world, CaromWorldRun *run, int index, int pocket) {
    WorldBody *body = &world->bodies[index];
    CaromWorldEvent event = {.kind = CAROM_WORLD_POCKET, .body = index, .plane = pocket};
    carom_motion_advance(&body->motion, world->time);
    body->motion.phase = CAROM_PHASE_POCKETED;
    body->motion.plane = -1;
    body->motion.end = INFINITY;
    for (int k = 0; k < 3; k++) {
        body->motion.velocity[k] = body->motion.acceleration[k] = 0;
        body->motion.angular_velocity[k] = body->motion.angular_acceleration[k] = 0;
    }
    crm_cell_grid_remove(world, index);
    body->count++;
    return look_again(world, run, index) && tell(world, run, event);
}

/* Does a ball that has reached a level plane stay on it? Then it lands. */
static bool lands(CaromWorld *world, int index, int plane) {
    WorldBody *body = &world->bodies[index];
    WorldBody trial = *body;
    carom_motion_advance(&trial.motion, world->time);
    if (!body->is_ball || !world->planes[plane].level) {
        return false;
    }
    crm_world_impact_continue(world, &trial);
    if (trial.motion.plane != plane) {
        return false;
    }
    *body = trial;
    body->count++;
    return true;
}

/* The contact of the cluster with the strongest pull of a body into a plane; -1: none. */
static int pulled_contact(const CaromWorld *world, int index) {
    const Cluster *cluster = &world->cluster;
    int best = -1;
    double pull = 0;
    for (int i = 0; i < cluster->contact_count; i++) {
        const CaromTouching *touching = &cluster->touching[i];
        if (touching->body == index && touching->partner == CAROM_PARTNER_PLANE &&
            (best < 0 || world->planes[touching->second].pull > pull)) {
            best = i;
            pull = world->planes[touching->second].pull;
        }
    }
    return best;
}

/* Has a convex body stopped bouncing? No vertex that touched leaves faster than `rest`, and gravity
 * brings one back as soon as that allows. */
static bool stays_in_touch(const CaromWorld *world, int index, int pulled) {
    const Cluster *cluster = &world->cluster;
    double leaving = 0, pull = world->planes[cluster->touching[pulled].second].pull;
    for (int i = 0; i < cluster->contact_count; i++) {
        if (cluster->touching[i].body != index ||
            cluster->touching[i].partner != CAROM_PARTNER_PLANE) {
            continue;
        }
        if (cluster->contacts[i].e == 1 && cluster->contacts[i].mu == 0) {
            return false;
        }
        leaving = fmax(leaving, cluster->velocity[3 * i + 2]);
    }
    double back = world->bodies[index].convex->touch_time - world->time;
    return pull > 0 && leaving <= world->rest && pull * back <= 2 * world->rest;
}

/* After an impact a convex body stays in contact, or not. */
static bool stay_or_fly(CaromWorld *world, CaromWorldRun *run, int index,
                        const CaromWorldImpact *impact) {
    WorldBody *body = &world->bodies[index];
    int pulled = body->motion.phase == CAROM_PHASE_FLIGHT ? pulled_contact(world, index) : -1;
    if (pulled < 0 || (impact && !stays_in_touch(world, index, pulled))) {
        return true;
    }
    body->motion.phase = CAROM_PHASE_LASTING;
    memset(body->motion.acceleration, 0, sizeof body->motion.acceleration);
    body->convex->steps = 0;
    /* among others its first step is the next event */
    body->motion.end = world->body_count > 1 ? world->time : INFINITY;
    CaromWorldEvent event = {.kind = CAROM_WORLD_LANDING,
                             .body = index,
                             .plane = world->cluster.touching[pulled].second};
    return look_again(world, run, index) && tell(world, run, event);
}

/* The bodies that an impact has moved look for their next events; the visitor sees it. */
static bool finish_impact(CaromWorld *world, CaromWorldRun *run, int moved,
                          const CaromWorldImpact *impact) {
    const Cluster *cluster = &world->cluster;
    bool goes_on = true;
    for (int i = 0; i < moved; i++) {
        if (!look_again(world, run, cluster->moved[i])) {
            return false;
        }
    }
    if (impact) {
        run->impact_count++;
        run->gains += impact->result->status == CAROM_ENERGY_GAIN;
        goes_on = tell(world, run,
                       (CaromWorldEvent){.kind = CAROM_WORLD_IMPACT,
                                         .body = impact->touching[0].body,
                                         .plane = -1,
                                         .impact = impact});
    }
    for (int i = 0; i < moved && goes_on; i++) {
        const WorldBody *body = &world->bodies[cluster->moved[i]];
        if (!body->is_ball) {
            goes_on = stay_or_fly(world, run, cluster->moved[i], impact);
        } else if (cluster->landed[i]) {
            goes_on = tell(world, run,
                           (CaromWorldEvent){.kind = CAROM_WORLD_LANDING,
                                             .body = cluster->moved[i],
                                             .plane = body->motion.plane});
        }
    }
    return goes_on;
}

/* The impact of the cluster in hand. */
static bool solve_cluster(CaromWorld *world, CaromWorldRun *run, int starts, CaromStatus *status) {
    CaromWorldImpact impact;
    CaromProblem problem;
    CaromResult result;
    crm_touching_finish(world);
    *status = crm_world_impact_solve(world, &impact, &problem, &result);
    bool goes_on;
    if (*status < 0 && *status != CAROM_NOT_APPROACHING) {
        goes_on = fail_run(world, run, *status, result.message);
    } else {
        int moved = crm_world_impact_apply(world, starts);
        goes_on = finish_impact(world, run, moved, *status < 0 ? NULL : &impact);
    }
    crm_touching_release(world);
    return goes_on;
}

/* Lasting contact of a convex body has ended. */
static bool after_staying(CaromWorld *world, CaromWorldRun *run, int body, CaromLastingEnd end) {
    CaromStatus status;
    if (end == CAROM_LASTING_IMPACT) {
        crm_touching_gather(world, &body, 1);
        return solve_cluster(world, run, 1, &status);
    }
    CaromWorldEvent event = {.kind = CAROM_WORLD_STOP, .body = body, .plane = -1};
    return look_again(world, run, body) && (end != CAROM_LASTING_REST || tell(world, run, event));
}

/* Let a convex body, the only one, go on in lasting contact, to the end of that or of the run. */
static bool follow_lasting(CaromWorld *world, CaromWorldRun *run) {
    double limit = run->time > 0 ? run->time : INFINITY;
    CaromLastingEnd end;
    const char *message;
    const int body = 0;
    if (!(limit > world->time)) {
        return end_run(run, CAROM_WORLD_END_TIME);
    }
    double before = world->time;
    CaromStatus status = crm_convex_contact_follow(world, limit, &end, &message);
    if (status < 0) {
        return fail_run(world, run, status, message);
    }
    world->at_once = world->time > before ? 0 : world->at_once + 1;
    if (world->at_once > STALL_IMPACTS) {
        return end_run(run, CAROM_WORLD_END_STALLED);
    }
    return end == CAROM_LASTING_TIME ? end_run(run, CAROM_WORLD_END_TIME)
                                     : after_staying(world, run, body, end);
}

/* The next step of a convex body in lasting contact among others. */
static bool go_on_staying(CaromWorld *world, CaromWorldRun *run, int index) {
    WorldBody *body = &world->bodies[index];
    CaromLastingEnd end;
    const char *message;
    if (body->motion.end > body->motion.time) {
        crm_convex_contact_take(world, body, &body->convex->goal);
    }
    if (++world->at_once > STALL_IMPACTS + 10L * world->body_count ||
        ++body->convex->steps > STAY_STEPS) {
        return end_run(run, CAROM_WORLD_END_STALLED);
    }
    CaromStatus status = crm_convex_contact_step(world, body, &end, &message);
    if (status < 0) {
        return fail_run(world, run, status, message);
    }
    body->count++;
    return end == CAROM_LASTING_TIME ? look_again(world, run, index)
                                     : after_staying(world, run, index, end);
}

/* Whether two bodies meet was not decided up to now: go on from here, with a new piece of the
 * convex one. */
static bool search_on(CaromWorld *world, CaromWorldRun *run, int index, int partner) {
    int convex = world->bodies[index].is_ball ? partner : index;
    if (++world->at_once > STALL_IMPACTS + 10L * world->body_count) {
        return end_run(run, CAROM_WORLD_END_STALLED);
    }
    crm_convex_contact_rebase(world, &world->bodies[convex]);
    world->bodies[convex].count++;
    return look_again(world, run, convex) && look_again(world, run, index);
}

static bool finish_phase(CaromWorld *world, CaromWorldRun *run, int index) {
    WorldBody *body = &world->bodies[index];
    if (!body->is_ball) {
        return go_on_staying(world, run, index);
    }
    CaromWorldEvent event = {.body = index, .plane = body->motion.plane};
    event.kind = crm_ball_finish_piece(world, body);
    body->count++;
    return look_again(world, run, index) && tell(world, run, event);
}

static bool collide(CaromWorld *world, CaromWorldRun *run, int index, const Awaited *next) {
    int starts[2] = {index, next->partner}, count = next->kind == AWAITED_BODY ? 2 : 1;
    CaromStatus status;
    if (++world->at_once > STALL_IMPACTS + 10L * world->body_count) {
        return end_run(run, CAROM_WORLD_END_STALLED);
    }
    if (next->kind == AWAITED_PLANE && lands(world, index, next->partner)) {
        CaromWorldEvent event = {
            .kind = CAROM_WORLD_LANDING, .body = index, .plane = next->partner};
        return look_again(world, run, index) && tell(world, run, event);
    }
    if (count == 2 && !world->bodies[index].is_ball && !world->bodies[next->partner].is_ball) {
        return fail_run(world, run, CAROM_INVALID_INPUT,
                        "bodies: the spheres about two convex bodies touch; convex bodies cannot "
                        "meet");
    }
    crm_touching_gather(world, starts, count);
    return solve_cluster(world, run, count, &status);
}

/* Let the first event happen. */
static bool happen(CaromWorld *world, CaromWorldRun *run, int index) {
    const Awaited next = world->bodies[index].next;
    if (next.time > world->time) {
        world->time = next.time;
        world->at_once = 0;
    }
    run->work++;
    if (++world->since_fit > 64 + 4L * world->body_count) {
        return fit_grid(world, run);
    }
    if (crm_prediction_is_stale(world, &next)) {
        return look_again(world, run, index);
    }
    switch (next.kind) {
    case AWAITED_CELL:
        crm_cell_grid_cross(world, index, &next);
        return look_again(world, run, index);
    case AWAITED_PHASE:
        return finish_phase(world, run, index);
    case AWAITED_LOOK:
        return search_on(world, run, index, next.partner);
    case AWAITED_POCKET:
        return fall_into_pocket(world, run, index, next.partner);
    default:
        return collide(world, run, index, &next);
    }
}

static bool all_still(const CaromWorld *world) {
    for (int i = 0; i < world->body_count; i++) {
        if (!crm_ball_is_still(&world->bodies[i])) {
            return false;
        }
    }
    return true;
}

/* The next event, or the reason to end. */
static bool world_go_on(CaromWorld *world, CaromWorldRun *run) {
    int first = world->heap[0];
    if (world->body_count == 1 && world->bodies[0].motion.phase == CAROM_PHASE_LASTING) {
        return follow_lasting(world, run);
    }
    double time = world->bodies[first].next.time, limit = run->time > 0 ? run->time : INFINITY;
    if (time == INFINITY && all_still(world)) {
        return end_run(run, CAROM_WORLD_END_REST);
    }
    if (time > limit) {
        world->time = fmax(limit, world->time);
        return end_run(run, CAROM_WORLD_END_TIME);
    }
    if (time == INFINITY) {
        return end_run(run, CAROM_WORLD_END_IDLE);
    }
    if (run->events > 0 && run->event_count >= run->events) {
        return end_run(run, CAROM_WORLD_END_EVENTS);
    }
    return happen(world, run, first);
}

static bool begin_run(CaromWorld *world, CaromWorldRun *run) {
    run->end = CAROM_WORLD_END_STOPPED;
    run->status = CAROM_OK;
    run->message = "";
    run->event_count = run->impact_count = run->gains = run->work = 0;
    if (!world || world->failed) {
        run->end = CAROM_WORLD_END_FAILED;
        run->status = CAROM_INVALID_INPUT;
        run->message = world ? "world: it has failed before" : "world must not be NULL";
        return false;
    }
    return true;
}

CaromStatus carom_world_run(CaromWorld *world, CaromWorldRun *run) {
    if (!run) {
        return CAROM_INVALID_INPUT;
    }
    if (!begin_run(world, run)) {
        return run->status;
    }
    if (isnan(run->time)) {
        run->end = CAROM_WORLD_END_FAILED;
        run->message = "time is not a number";
        return run->status = CAROM_INVALID_INPUT;
    }
    while (world_go_on(world, run)) {
    }
    return run->status;
}

/* NULL, or the name of the bad field. */
static const char *cue_problem(const CaromWorld *world, int body, const CaromCue *cue) {
    if (!cue) {
        return "cue must not be NULL";
    }
    if (body < 0 || body >= world->body_count || !world->bodies[body].is_ball ||
        world->bodies[body].motion.phase == CAROM_PHASE_POCKETED) {
        return "body: there is no such ball";
    }
    if (!(cue->mass > 0 && isfinite(cue->mass))) {
        return "cue: mass is not > 0";
    }
    if (!vec3_is_finite(cue->velocity) || vec3_max_abs(cue->velocity) == 0) {
        return "cue: velocity is zero or not finite";
    }
    if (!vec3_is_finite(cue->offset) || vec3_max_abs(cue->offset) == 0) {
        return "cue: offset is zero or not finite";
    }
    return NULL;
}

CaromStatus carom_world_shoot(CaromWorld *world, int body, const CaromCue *cue,
                              CaromWorldRun *run) {
    CaromStatus status;
    if (!run) {
        return CAROM_INVALID_INPUT;
    }
    if (!begin_run(world, run)) {
        return run->status;
    }
    const char *problem = cue_problem(world, body, cue);
    if (problem) {
        run->message = problem;
        return run->status = CAROM_INVALID_INPUT;
    }
    CaromBody stick = carom_body_default();
    CaromSite site = {.first = 0};
    double outwards[3];
    memcpy(outwards, cue->offset, sizeof outwards);
    vec3_normalise(outwards);
    crm_touching_gather(world, &body, 1);
    memcpy(site.point, world->cluster.before[0].position, sizeof site.point);
    vec3_axpy(world->bodies[body].radius, outwards, site.point);
    stick.mass = cue->mass;
    for (int k = 0; k < 3; k++) {
        site.normal[k] = -outwards[k];
        stick.guide[k] = stick.velocity[k] = cue->velocity[k];
        stick.position[k] = site.point[k];
    }
    crm_touching_add_cue(world, &stick, &cue->contact, &site);
    solve_cluster(world, run, 1, &status);
    if (status == CAROM_NOT_APPROACHING) {
        run->message = "cue: it does not approach the ball";
        run->status = status;
    }
    world->failed = false;
    return run->status;
}
