/* Fuzz target: arbitrary bytes to the reader of simulations; accepted ones are simulated.
 *
 * Oracles: nothing crashes (build with the sanitizers); a refused scene has a message in plain
 * text and owns nothing; an accepted one is within the limits of the format; a simulation ends for
 * a known reason, after at most the requested bounces, with times in order and, unless it failed,
 * finite bodies. The numbers themselves are not checked. */
#include <math.h>
#include <stdint.h>

#include "fuzz_reader.h"
#include "simulate/simulate_run.h"

/* Most bounces, and radians of rotation before each: a flight may take CAROM_FLIGHT_STEPS steps,
 * which are seconds under the sanitizers. */
enum { BOUNCES = 3, TURN = 200 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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
    require(run->impact_count <= scene->bounces, "more bounces than asked for");
    for (int i = 0; i < run->impact_count; i++) {
        const SimulateImpact *impact = &run->impacts[i];
        require(impact->time >= time, "time goes back");
        require(impact->vertex < scene->shape.vertex_count, "a vertex that is not there");
        require(is_finite(&impact->before) && is_finite(&impact->after),
                "an impact must have finite bodies");
        time = impact->time;
    }
    require(run->time >= time && run->time <= scene->time, "the end is outside the run");
    require(run->status < 0 || is_finite(&run->last), "the last body must be finite");
}

/* From 0 (a needle, or an inertia that no solid has) to 1 (a ball): scales the rotation allowed. */
static double roundness(const double I[9]) {
    double trace = I[0] + I[4] + I[8], det = I[0] * (I[4] * I[8] - I[5] * I[5]) -
                                             I[1] * (I[1] * I[8] - I[5] * I[2]) +
                                             I[2] * (I[1] * I[5] - I[4] * I[2]);
    return fmin(1, fmax(0, 27 * det / (trace * trace * trace)));
}

/* Simulate to the next bounce and leave the body there; 0 if there is none. */
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
        require(!scene.vertices, "a refused scene must own nothing");
        check_refusal(&scene.scene, &error);
        return 0;
    }
    check_scene(&scene);
    for (int i = 0; i < BOUNCES && follow(&scene); i++) {
    }
    simulate_scene_free(&scene);
    return 0;
}
