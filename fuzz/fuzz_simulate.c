/* Fuzz target: any bytes to the reader of scenes to simulate, and what it accepts to the
 * simulation.
 *
 * Oracles: nothing crashes (build with the sanitizers); a refused scene has a message in plain
 * text and owns nothing; an accepted one is within the limits that the format states; a simulation
 * ends for a known reason, after no more bounces than asked for, at a time that never goes back and
 * with finite bodies unless it says why not. Whether the numbers are right is not asked here. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simulate/simulate_run.h"

/* Bounces to follow, and radians that the body may turn before each: a flight may take
 * CAROM_FLIGHT_STEPS steps, seconds under the sanitizers. */
enum { BOUNCES = 3, TURN = 200 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition, const char *what) {
    if (!condition) {
        fprintf(stderr, "fuzz_simulate: %s\n", what);
        abort();
    }
}

static void check_refusal(const SimulateScene *scene, const Error *error) {
    size_t length = strnlen(error->text, sizeof error->text);
    require(length > 0 && length < sizeof error->text, "a refused scene needs a message");
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)error->text[i];
        require(c >= ' ' && c != 127, "a message holds a control character");
    }
    const Scene *base = &scene->scene;
    require(!scene->vertices && !base->name && !base->description && !base->contacts &&
                !base->inverse_inertia && !base->velocity && !base->bodies && !base->body_names &&
                !base->sites,
            "a refused scene must own nothing");
}

static void check_scene(const SimulateScene *scene) {
    const double *n = scene->plane.normal;
    const CaromShape *shape = &scene->shape;
    require(scene->scene.body_count == 2 && scene->scene.contact_count == 1,
            "a body, the plane and their contact");
    require(isfinite(scene->scene.bodies[0].mass) && scene->scene.bodies[0].mass > 0,
            "the body must be able to fly");
    require(fabs(hypot(n[0], hypot(n[1], n[2])) - 1) < 1e-14, "the normal must have length 1");
    require(scene->vertices ? shape->vertex_count > 0 : shape->radius > 0, "no shape");
    require(shape->vertex_count <= SIMULATE_VERTICES_MAX, "too many vertices");
    require(scene->time > 0 && scene->rest >= 0 && scene->rest <= 1, "ends out of range");
    require(scene->bounces >= 1 && scene->bounces <= SIMULATE_BOUNCES_MAX, "bounces out of range");
}

static int is_finite(const CaromBody *body) {
    int good = 1;
    for (int i = 0; i < 3; i++) {
        good = good && isfinite(body->position[i]) && isfinite(body->velocity[i]) &&
               isfinite(body->angular_velocity[i]);
    }
    for (int i = 0; i < 4; i++) {
        good = good && isfinite(body->orientation[i]);
    }
    return good;
}

static void check_run(const SimulateScene *scene, const SimulateRun *run) {
    double time = 0;
    require((run->end == SIMULATE_FAILED) == (run->status < 0), "only a failure has a bad status");
    require(run->end != SIMULATE_FAILED || run->message[0], "a failure needs a message");
    require(run->bounce_count <= scene->bounces, "more bounces than asked for");
    for (int i = 0; i < run->impact_count; i++) {
        const SimulateImpact *impact = &run->impacts[i];
        require(impact->time >= time, "time goes back");
        require(impact->vertex < scene->shape.vertex_count, "a vertex that is not there");
        require(is_finite(&impact->before) && is_finite(&impact->after),
                "an impact must have finite bodies");
        time = impact->time;
    }
    require(run->time >= time && run->time <= scene->time, "the end is at no time of the run");
    require(run->status < 0 || is_finite(&run->last), "the last body must be finite");
}

/* From 0 for a needle, or what no solid body has, to 1 for a ball: how its turning compares with
 * its spin. */
static double roundness(const double I[9]) {
    double trace = I[0] + I[4] + I[8], det = I[0] * (I[4] * I[8] - I[5] * I[5]) -
                                             I[1] * (I[1] * I[8] - I[5] * I[2]) +
                                             I[2] * (I[1] * I[5] - I[4] * I[2]);
    return fmin(1, fmax(0, 27 * det / (trace * trace * trace)));
}

/* Simulate up to the next bounce and leave the body there; 0: there is none. */
static int follow(SimulateScene *scene) {
    const double *w = scene->scene.bodies[0].angular_velocity;
    CaromOptions options = carom_options_default();
    SimulateRun run;
    scene->bounces = 1;
    double turn = TURN * roundness(scene->scene.bodies[0].inertia);
    scene->time = fmin(scene->time, turn / hypot(w[0], hypot(w[1], w[2])));
    int bounced = 0;
    if (simulate_run(scene, &options, &run)) {
        check_run(scene, &run);
        scene->scene.bodies[0] = run.last;
        bounced = run.end == SIMULATE_BOUNCES;
    }
    simulate_run_free(&run);
    return bounced;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    SimulateScene scene;
    Error error;
    if (!simulate_scene_read_memory((const char *)data, size, &scene, &error)) {
        check_refusal(&scene, &error);
        return 0;
    }
    check_scene(&scene);
    for (int i = 0; i < BOUNCES && follow(&scene); i++) {
    }
    simulate_scene_free(&scene);
    return 0;
}
