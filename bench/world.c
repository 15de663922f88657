/* Worlds: a break of 15 balls to rest, and balls in a box whose volume grows with their number,
 * beside physics engines. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <carom/carom.h>

#include "box_engines.h"
#include "sections.h"
#include "support/math/random.h"
#include "timing.h"

/* Runs of each world, and of an engine; the fastest counts. */
enum { RUNS = 7, ENGINE_RUNS = 2 };

static const double R = 0.028575;

static CaromWorldBody make_ball(double mass, double radius, double x, double y, double z) {
    CaromWorldBody ball = {.body = carom_body_default(), .shape = carom_shape_ball(radius)};
    ball.body.mass = mass;
    for (int i = 0; i < 9; i++) {
        ball.body.inertia[i] = i % 4 == 0 ? 0.4 * mass * radius * radius : 0;
    }
    ball.body.position[0] = x;
    ball.body.position[1] = y;
    ball.body.position[2] = z;
    return ball;
}

/* Nanoseconds to run a world to its end, how many events that took, and its energy then. */
static double time_world(const CaromWorldSetup *setup, double time, CaromWorldRun *run,
                         double *energy) {
    double best = INFINITY;
    for (int i = 0; i < RUNS; i++) {
        CaromWorld *world;
        double begin = processor_ns();
        if (carom_world_create(setup, NULL, &world, NULL) < 0) {
            return NAN;
        }
        *run = (CaromWorldRun){.time = time, .events = 10000000};
        CaromStatus status = carom_world_run(world, run);
        best = status < 0 ? NAN : fmin(best, processor_ns() - begin);
        carom_world_energy(world, energy, NULL);
        carom_world_destroy(world);
    }
    return best;
}

/* The cue ball, at 8 m/s without spin, into a frozen rack of 15 on a table with four cushions. */
static double time_break(double mu_balls, CaromWorldRun *run) {
    CaromWorldBody balls[16];
    int count = 0;
    balls[count] = make_ball(0.17, R, -0.635, 0.01, R);
    balls[count++].body.velocity[0] = 8;
    for (int row = 0; row < 5; row++) {
        for (int k = 0; k <= row; k++) {
            balls[count++] = make_ball(0.17, R, 0.635 + row * sqrt(3) * R, (2 * k - row) * R, R);
        }
    }
    CaromCushion cushions[4] = {{.normal = {0}}};
    for (int i = 0; i < 4; i++) {
        double side = i % 2 == 0 ? 1 : -1;
        cushions[i].point[i / 2] = side * (i / 2 == 0 ? 1.27 : 0.635);
        cushions[i].point[2] = 0.036;
        cushions[i].normal[i / 2] = -side;
        cushions[i].material = 2;
    }
    const CaromWorldPlane table = {.plane = {.normal = {0, 0, 1}}, .material = 1};
    const CaromSurface none = {.contact = {.e = 1}};
    const CaromSurface surfaces[9] = {
        {.contact = {.mu = mu_balls, .e = 0.95}},
        {.contact = {.mu = 0.2, .e = 0.5}, .mu_slide = 0.2, .mu_roll = 0.01, .mu_spin = 0.02},
        {.contact = {.mu = 0.14, .e = 0.85}},
        none,
        none,
        none,
        none,
        none,
        none};
    CaromWorldSetup setup = {.bodies = balls,
                             .body_count = count,
                             .planes = &table,
                             .plane_count = 1,
                             .cushions = cushions,
                             .cushion_count = 4,
                             .surfaces = surfaces,
                             .material_count = 3,
                             .gravity = {0, 0, -9.81}};
    double energy;
    return time_world(&setup, 0, run, &energy);
}

/* Elastic balls without friction on a lattice in a box, a tenth of its volume, random velocities.
 */
typedef struct Box {
    int side, count;
    double *positions, *velocities;
} Box;

static const double BALL = 0.288; /* radius */
static const double BOX_TIME = 4; /* how long they are followed */

static bool box_make(int side, Box *box) {
    int count = side * side * side;
    Random random = random_start(20240615u, (uint64_t)side);
    *box = (Box){side, count, calloc(3 * (size_t)count, sizeof(double)),
                 calloc(3 * (size_t)count, sizeof(double))};
    for (int i = 0; i < count && box->positions && box->velocities; i++) {
        double *x = &box->positions[3 * (size_t)i];
        x[0] = i % side + 0.5;
        x[1] = i / side % side + 0.5;
        x[2] = i / side / side + 0.5;
        random_vector(&random, 1, &box->velocities[3 * (size_t)i]);
    }
    return box->positions && box->velocities;
}

static void box_free(Box *box) {
    free(box->positions);
    free(box->velocities);
}

static double box_energy(const Box *box) {
    double energy = 0;
    for (int i = 0; i < 3 * box->count; i++) {
        energy += box->velocities[i] * box->velocities[i] / 2;
    }
    return energy;
}

/* Nanoseconds per unit of time; *energy at the end over that at the start. */
static double time_box(const Box *box, CaromWorldRun *run, double *energy) {
    CaromWorldBody *balls = calloc((size_t)box->count, sizeof *balls);
    if (balls == NULL) {
        return NAN;
    }
    for (int i = 0; i < box->count; i++) {
        const double *x = &box->positions[3 * (size_t)i], *v = &box->velocities[3 * (size_t)i];
        balls[i] = make_ball(1, BALL, x[0], x[1], x[2]);
        memcpy(balls[i].body.velocity, v, sizeof balls[i].body.velocity);
    }
    CaromWorldPlane walls[6] = {{.material = 0}};
    for (int i = 0; i < 6; i++) {
        walls[i].plane.point[i / 2] = i % 2 == 0 ? 0 : box->side;
        walls[i].plane.normal[i / 2] = i % 2 == 0 ? 1 : -1;
    }
    const CaromSurface elastic = {.contact = {.e = 1}};
    CaromWorldSetup setup = {.bodies = balls,
                             .body_count = box->count,
                             .planes = walls,
                             .plane_count = 6,
                             .surfaces = &elastic,
                             .material_count = 1};
    double ns = time_world(&setup, BOX_TIME, run, energy) / BOX_TIME;
    *energy /= box_energy(box);
    free(balls);
    return ns;
}

/* An engine on the same balls. */
typedef struct BoxEngine {
    const char *name;
    double (*follow)(const BallBox *box, double time, double step);
} BoxEngine;

static const BoxEngine engines[] = {
#ifdef CAROM_BENCH_BULLET
    {"bullet", box_by_bullet},
#endif
#ifdef CAROM_BENCH_ODE
    {"ode", box_by_ode},
#endif
    {NULL, NULL}};

/* What engines take for the same, and what they do to the energy. They solve another problem: all
 * contacts of a step at once, at its end. */
static void bench_engines(const Box *box, double ours, json_t *out) {
    const BallBox given = {box->count, BALL, box->side, box->positions, box->velocities};
    for (const BoxEngine *engine = engines; engine->name; engine++) {
        for (int rate = 100; rate <= 1000; rate *= 10) {
            double best = INFINITY, energy = NAN;
            char name[64];
            for (int i = 0; i < ENGINE_RUNS; i++) {
                double begin = processor_ns();
                energy = engine->follow(&given, BOX_TIME, 1.0 / rate) / box_energy(box);
                best = fmin(best, (processor_ns() - begin) / BOX_TIME);
            }
            snprintf(name, sizeof name, "box_%d_%s_%d", box->count, engine->name, rate);
            printf("%-20s %8.3f ms per unit of time, %6.1f times ours, energy %+.2e\n", name,
                   best / 1e6, best / ours, energy - 1);
            put(out, name, "ms", best / 1e6);
            put(out, name, "ratio", best / ours);
            put(out, name, "energy", energy - 1);
        }
    }
}

json_t *bench_world(void) {
    json_t *out = json_object();
    printf("\nworlds\n");
    for (int i = 0; i < 2; i++) {
        CaromWorldRun run;
        double ns = time_break(i == 0 ? 0 : 0.05, &run);
        const char *name = i == 0 ? "break" : "break_friction";
        printf("%-20s %8.2f ms, %ld events, %ld impacts, ends: %s\n", name, ns / 1e6,
               run.event_count, run.impact_count, carom_world_end_string(run.end));
        put(out, name, "ms", ns / 1e6);
        put(out, name, "impacts", (double)run.impact_count);
    }
    /* growth: time per unit of time over n log2 n, relative to the smallest box */
    double first = NAN;
    for (int side = 2; side <= 10; side += 2) {
        CaromWorldRun run;
        Box box;
        char name[32];
        double energy = NAN, ns = box_make(side, &box) ? time_box(&box, &run, &energy) : NAN;
        double growth = ns / (box.count * log2(box.count));
        first = side == 2 ? growth : first;
        if (isnan(ns)) {
            printf("box of %d balls: failed\n", box.count);
            box_free(&box);
            continue;
        }
        snprintf(name, sizeof name, "box_%d", box.count);
        printf(
            "%-20s %8.3f ms per unit of time, %8.0f impacts/s, energy %+.2e, over n log n: %.2f\n",
            name, ns / 1e6, (double)run.impact_count / (BOX_TIME * ns) * 1e9, energy - 1,
            growth / first);
        put(out, name, "ms", ns / 1e6);
        put(out, name, "events_per_second", (double)run.impact_count / (BOX_TIME * ns) * 1e9);
        put(out, name, "growth", growth / first);
        put(out, name, "energy", energy - 1);
        if (side == 4 || side == 10) {
            bench_engines(&box, ns, out);
        }
        box_free(&box);
    }
    return out;
}
