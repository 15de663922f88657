/* Whole tosses by a world of carom: a convex body over a plane. */
#include <string.h>

#include <carom/carom.h>
#include <carom/world.h>

#include "toss.h"

static CaromWorld *world_of(const Toss *toss, const double *c, CaromModel one, int several_rigid,
                            double *vertices) {
    CaromWorld *world;
    CaromWorldBody body = {.body = carom_body_default()};
    const CaromWorldPlane table = {.plane = {{0, 0, 0}, {0, 0, 1}}};
    const CaromSurface surface = {
        .contact = {.mu = c[0], .e = c[1], .stiffness = 1, .stiffness_ratio = 17.0 / 14},
        .mu_slide = c[0]};
    for (int i = 0; i < 8; i++) {
        for (int k = 0; k < 3; k++) {
            vertices[3 * i + k] = i >> k & 1 ? toss->half : -toss->half;
        }
    }
    body.shape = carom_shape_vertices(vertices, 8);
    body.body.mass = toss->mass;
    for (int k = 0; k < 3; k++) {
        body.body.inertia[4 * k] = toss->inertia;
    }
    memcpy(body.body.position, toss->start.position, sizeof body.body.position);
    memcpy(body.body.orientation, toss->start.orientation, sizeof body.body.orientation);
    memcpy(body.body.velocity, toss->velocity, sizeof toss->velocity);
    memcpy(body.body.angular_velocity, toss->angular_velocity, sizeof toss->angular_velocity);
    const CaromWorldSetup setup = {.bodies = &body,
                                   .body_count = 1,
                                   .planes = &table,
                                   .plane_count = 1,
                                   .surfaces = &surface,
                                   .material_count = 1,
                                   .gravity = {0, 0, -toss->gravity},
                                   .one = one,
                                   .several_rigid = several_rigid};
    carom_world_create(&setup, NULL, &world, NULL);
    return world;
}

/* Where the body of a world is now. */
static void pose_of(const CaromWorld *world, const Toss *toss, Pose *pose) {
    const double gravity[3] = {0, 0, -toss->gravity};
    CaromMotion motion;
    CaromBody body = carom_body_default();
    carom_world_motion(world, 0, &motion, NULL);
    body.mass = toss->mass;
    for (int k = 0; k < 3; k++) {
        body.inertia[4 * k] = toss->inertia;
    }
    memcpy(body.position, motion.position, sizeof body.position);
    memcpy(body.orientation, motion.orientation, sizeof body.orientation);
    memcpy(body.velocity, motion.velocity, sizeof body.velocity);
    memcpy(body.angular_velocity, motion.angular_velocity, sizeof body.angular_velocity);
    if (motion.phase == CAROM_PHASE_FLIGHT) {
        carom_flight_advance(&body, gravity, carom_world_time(world) - motion.time, NULL);
    }
    memcpy(pose->position, body.position, sizeof pose->position);
    memcpy(pose->orientation, body.orientation, sizeof pose->orientation);
}

static bool follow(const Toss *toss, const double *c, CaromModel one, int several_rigid,
                   Pose *poses) {
    double vertices[24];
    CaromWorld *world = world_of(toss, c, one, several_rigid, vertices);
    Pose last = toss->start;
    bool good = world != NULL;
    for (int i = 0; i < toss->count; i++) {
        CaromWorldRun run = {.time = toss->frames[i].time};
        good = good && carom_world_run(world, &run) >= 0 && run.end != CAROM_WORLD_END_STALLED;
        if (good) {
            pose_of(world, toss, &last);
        }
        poses[i] = last;
    }
    carom_world_destroy(world);
    return good;
}

#define FOLLOW(name, one, several_rigid)                                                           \
    static bool name(const Toss *toss, const double *c, Pose *poses) {                             \
        return follow(toss, c, one, several_rigid, poses);                                         \
    }

FOLLOW(rigid, CAROM_MODEL_RIGID, 1)
FOLLOW(rigid_compliant, CAROM_MODEL_RIGID, 0)

int toss_ours(TossModel *models) {
    const TossModel all[] = {
        {"carom", rigid_compliant, 2, {"mu", "e"}, {0.05, 0}, {0.4, 0.6}, {0}},
        {"carom, several rigid", rigid, 2, {"mu", "e"}, {0.05, 0}, {0.4, 0.6}, {0}}};
    memcpy(models, all, sizeof all);
    return sizeof all / sizeof *all;
}
