/* Worlds: a break of 15 balls to rest, and balls in a box whose volume grows with their number. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <carom/carom.h>

#include "sections.h"
#include "support/math/random.h"
#include "timing.h"

/* Runs of each world; the fastest counts. */
enum { RUNS = 7 };

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

/* Nanoseconds to run a world to its end, and how many events that took. */
static double time_world(const CaromWorldSetup *setup, double time, CaromWorldRun *run) {
    double best = INFINITY;
    for (int i = 0; i < RUNS; i++) {
        CaromWorld *world;
        double begin = now_ns();
        if (carom_world_create(setup, NULL, &world, NULL) < 0) {
            return NAN;
        }
        *run = (CaromWorldRun){.time = time, .events = 10000000};
        CaromStatus status = carom_world_run(world, run);
        carom_world_destroy(world);
        best = status < 0 ? NAN : fmin(best, now_ns() - begin);
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
    return time_world(&setup, 0, run);
}

/* Elastic balls without friction on a lattice in a box, a tenth of its volume, random velocities.
 * Returns nanoseconds per unit of time. */
static double time_box(int side, CaromWorldRun *run) {
    int count = side * side * side;
    const double radius = 0.288, time = 4;
    CaromWorldBody *balls = calloc((size_t)count, sizeof *balls);
    Random random = random_start(20240615u, (uint64_t)side);
    if (balls == NULL) {
        return NAN;
    }
    for (int i = 0; i < count; i++) {
        balls[i] =
            make_ball(1, radius, i % side + 0.5, i / side % side + 0.5, i / side / side + 0.5);
        random_vector(&random, 1, balls[i].body.velocity);
    }
    CaromWorldPlane walls[6] = {{.material = 0}};
    for (int i = 0; i < 6; i++) {
        walls[i].plane.point[i / 2] = i % 2 == 0 ? 0 : side;
        walls[i].plane.normal[i / 2] = i % 2 == 0 ? 1 : -1;
    }
    const CaromSurface elastic = {.contact = {.e = 1}};
    CaromWorldSetup setup = {.bodies = balls,
                             .body_count = count,
                             .planes = walls,
                             .plane_count = 6,
                             .surfaces = &elastic,
                             .material_count = 1};
    double ns = time_world(&setup, time, run) / time;
    free(balls);
    return ns;
}

json_t *bench_world(void) {
    json_t *out = json_object();
    printf("\nworlds\n");
    for (int i = 0; i < 2; i++) {
        CaromWorldRun run;
        double ns = time_break(i == 0 ? 0 : 0.05, &run);
        const char *name = i == 0 ? "break" : "break_friction";
        printf("%-16s %8.2f ms, %ld events, %ld impacts, ends: %s\n", name, ns / 1e6,
               run.event_count, run.impact_count, carom_world_end_string(run.end));
        put(out, name, "ms", ns / 1e6);
        put(out, name, "impacts", (double)run.impact_count);
    }
    /* growth: time per unit of time over n log2 n, relative to the smallest box */
    double first = NAN;
    for (int side = 2; side <= 10; side += 2) {
        CaromWorldRun run;
        int count = side * side * side;
        double ns = time_box(side, &run), growth = ns / (count * log2(count));
        char name[32];
        first = side == 2 ? growth : first;
        snprintf(name, sizeof name, "box_%d", count);
        printf("%-16s %8.3f ms per unit of time, %8.0f events/s, over n log n: %.2f\n", name,
               ns / 1e6, (double)run.impact_count / (4 * ns) * 1e9, growth / first);
        put(out, name, "ms", ns / 1e6);
        put(out, name, "events_per_second", (double)run.impact_count / (4 * ns) * 1e9);
        put(out, name, "growth", growth / first);
    }
    return out;
}
