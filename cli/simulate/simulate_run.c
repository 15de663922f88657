/* A simulation: flights and impacts in turn.
 *
 * In a bounce the vertices that touch and approach are solved one after the other, the fastest
 * first (of equals the first in the scene), until none approaches.
 *
 * The bounces have died out when every vertex just hit leaves the plane at no more than rest V,
 * with V the hardest approach so far, and the body is back within the time in which gravity a
 * reverses that speed, 2 rest V/a. Bounces of a body that rests on the plane have died out, too. */
#include "simulate/simulate_run.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Most impacts in one instant; further ones form another bounce at the same time. */
#define INSTANT_MAX 100

/* Rounding error of gaps, relative to lengths, and of approach speeds, relative to the body's
 * speed. */
#define ROUNDING (64 * DBL_EPSILON)

typedef struct State {
    const SimulateScene *scene;
    const CaromOptions *options;
    SimulateRun *run;
    CaromBody body;
    double hardest; /* approach so far */
    double leaving; /* largest speed of the vertices hit last, away from the plane */
    bool no_memory;
} State;

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

void simulate_point(const SimulateScene *scene, const CaromBody *body, int vertex,
                    double point[3]) {
    const double *q = body->orientation;
    double t[3] = {0, 0, 0};
    if (vertex < 0) {
        for (int i = 0; i < 3; i++) {
            t[i] = -scene->shape.radius * scene->plane.normal[i];
        }
    } else {
        /* r + 2 q x (q x r + w r) */
        const double *r = &scene->vertices[3 * vertex], *u = q + 1;
        double c[3];
        for (int i = 0; i < 3; i++) {
            int j = (i + 1) % 3, k = (i + 2) % 3;
            c[i] = u[j] * r[k] - u[k] * r[j] + q[0] * r[i];
        }
        for (int i = 0; i < 3; i++) {
            int j = (i + 1) % 3, k = (i + 2) % 3;
            t[i] = r[i] + 2 * (u[j] * c[k] - u[k] * c[j]);
        }
    }
    for (int i = 0; i < 3; i++) {
        point[i] = body->position[i] + t[i];
    }
}

/* Speed at which a point of the body leaves the plane. */
static double leaving_speed(const State *state, const double point[3]) {
    const CaromBody *body = &state->body;
    const double *w = body->angular_velocity;
    double r[3], v[3];
    for (int i = 0; i < 3; i++) {
        r[i] = point[i] - body->position[i];
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        v[i] = body->velocity[i] + w[j] * r[k] - w[k] * r[j];
    }
    return dot(v, state->scene->plane.normal);
}

static double size_of(const double a[3]) {
    return fabs(a[0]) + fabs(a[1]) + fabs(a[2]);
}

/* The vertex in touch that approaches fastest, or -1: none does. */
static int find_fastest(const State *state, double radius) {
    const SimulateScene *scene = state->scene;
    const CaromPlane *plane = &scene->plane;
    const CaromBody *body = &state->body;
    double near = ROUNDING * (size_of(body->position) + size_of(plane->point) + radius);
    double fastest =
        -ROUNDING * (size_of(body->velocity) + size_of(body->angular_velocity) * radius);
    int found = -1;
    for (int i = 0; i < scene->shape.vertex_count; i++) {
        double point[3], from[3];
        simulate_point(scene, body, i, point);
        for (int k = 0; k < 3; k++) {
            from[k] = point[k] - plane->point[k];
        }
        if (dot(from, plane->normal) <= near && leaving_speed(state, point) < fastest) {
            fastest = leaving_speed(state, point);
            found = i;
        }
    }
    return found;
}

static double farthest_vertex(const SimulateScene *scene) {
    double square = 0;
    for (int i = 0; i < scene->shape.vertex_count; i++) {
        square = fmax(square, dot(&scene->vertices[3 * i], &scene->vertices[3 * i]));
    }
    return sqrt(square);
}

static bool fail(State *state, CaromStatus status, const char *message) {
    state->run->end = SIMULATE_FAILED;
    state->run->status = status;
    state->run->message = message;
    return false;
}

/* Room for one more impact, all zero; NULL: no memory. */
static SimulateImpact *add_impact(SimulateRun *run) {
    if (run->impact_count == run->impact_room) {
        int room = run->impact_room ? 2 * run->impact_room : 64;
        SimulateImpact *larger = realloc(run->impacts, (size_t)room * sizeof *larger);
        if (!larger) {
            return NULL;
        }
        run->impacts = larger;
        run->impact_room = room;
    }
    SimulateImpact *impact = &run->impacts[run->impact_count++];
    *impact = (SimulateImpact){0};
    return impact;
}

/* Solve the impact at a point of the body with the plane and apply it. */
static CaromStatus solve_impact(State *state, SimulateImpact *impact, const char **message) {
    const Scene *scene = &state->scene->scene;
    CaromBody bodies[2] = {state->body, carom_body_fixed()};
    CaromSite site = {.first = 0, .second = 1};
    double W[9], v[3], impulse[3], frame[9];
    memcpy(site.point, impact->point, sizeof site.point);
    memcpy(site.normal, state->scene->plane.normal, sizeof site.normal);
    CaromStatus status = carom_bodies_contact_space(bodies, 2, &site, 1, W, v, message);
    if (status < 0) {
        return status;
    }
    CaromProblem problem = {.model = scene->model,
                            .law = scene->law,
                            .contact_count = 1,
                            .inverse_inertia = W,
                            .velocity = v,
                            .contacts = scene->contacts};
    CaromResult result = {.impulse = impulse};
    status = carom_solve(&problem, state->options, &result);
    *message = result.message;
    impact->status = status;
    if (status < 0) {
        return status;
    }
    carom_bodies_apply(bodies, &site, 1, impulse);
    carom_site_frame(&site, frame, NULL);
    for (int i = 0; i < 3; i++) {
        impact->impulse[i] =
            frame[i] * impulse[0] + frame[3 + i] * impulse[1] + frame[6 + i] * impulse[2];
    }
    impact->energy = result.energy;
    memcpy(impact->sequence, result.sequence, sizeof impact->sequence);
    state->hardest = fmax(state->hardest, -v[2]);
    state->body = bodies[0];
    return status;
}

/* One impact of a vertex at the run's time. False: the run has ended. */
static bool hit(State *state, int vertex) {
    SimulateRun *run = state->run;
    SimulateImpact *impact = add_impact(run);
    const char *message;
    if (!impact) {
        state->no_memory = true;
        return false;
    }
    impact->bounce = run->bounce_count;
    impact->time = run->time;
    impact->vertex = vertex;
    impact->before = state->body;
    simulate_point(state->scene, &state->body, vertex, impact->point);
    CaromStatus status = solve_impact(state, impact, &message);
    if (status < 0) {
        run->impact_count--;
        return fail(state, status, message);
    }
    impact->after = state->body;
    return true;
}

/* All impacts of one instant, beginning with a vertex that is known to approach. */
static bool bounce(State *state, int vertex) {
    SimulateRun *run = state->run;
    double radius = farthest_vertex(state->scene);
    int first = run->impact_count;
    run->bounce_count++;
    for (int i = 0; i < INSTANT_MAX && (i == 0 || vertex >= 0); i++) {
        if (!hit(state, vertex)) {
            run->bounce_count -= run->impact_count == first;
            return false;
        }
        vertex = find_fastest(state, radius);
    }
    state->leaving = -INFINITY;
    for (int i = first; i < run->impact_count; i++) {
        double point[3];
        simulate_point(state->scene, &state->body, run->impacts[i].vertex, point);
        state->leaving = fmax(state->leaving, leaving_speed(state, point));
    }
    return true;
}

/* See the top of the file. */
static bool has_died_out(const State *state, const CaromTouch *touch) {
    const SimulateScene *scene = state->scene;
    double least = scene->rest * state->hardest;
    double pull = -dot(scene->gravity, scene->plane.normal);
    return touch->speed == 0 || (state->run->bounce_count > 0 && state->leaving <= least &&
                                 pull * touch->time <= 2 * least && pull > 0);
}

/* There is no further touch: fly to the end, if it is finite. */
static bool finish_flight(State *state) {
    SimulateRun *run = state->run;
    double left = state->scene->time - run->time;
    const char *message;
    run->end = isfinite(left) ? SIMULATE_TIME : SIMULATE_NO_TOUCH;
    if (isfinite(left)) {
        CaromStatus status =
            carom_flight_advance(&state->body, state->scene->gravity, left, &message);
        if (status < 0) {
            return fail(state, status, message);
        }
        run->time = state->scene->time;
    }
    return false;
}

/* One flight and the bounce at its end. False: the run has ended. */
static bool advance(State *state) {
    const SimulateScene *scene = state->scene;
    SimulateRun *run = state->run;
    CaromTouch touch;
    const char *message;
    double left = scene->time - run->time;
    if (!(left > 0)) {
        run->end = SIMULATE_TIME;
        return false;
    }
    CaromStatus status = carom_flight_touch(&state->body, scene->gravity, &scene->shape,
                                            &scene->plane, left, &touch, &message);
    if (status < 0) {
        return fail(state, status, message);
    }
    if (!touch.found) {
        return finish_flight(state);
    }
    if (has_died_out(state, &touch)) {
        run->end = SIMULATE_DIED_OUT;
        return false;
    }
    run->time += touch.time;
    state->body = touch.body;
    if (!bounce(state, touch.vertex)) {
        return false;
    }
    if (run->bounce_count >= scene->bounces) {
        run->end = SIMULATE_BOUNCES;
        return false;
    }
    return true;
}

bool simulate_run(const SimulateScene *scene, const CaromOptions *options, SimulateRun *run) {
    *run = (SimulateRun){.start = scene->scene.bodies[0], .message = ""};
    State state = {.scene = scene, .options = options, .run = run, .body = run->start};
    while (advance(&state)) {
    }
    run->last = state.body;
    return !state.no_memory;
}

void simulate_run_free(SimulateRun *run) {
    free(run->impacts);
    *run = (SimulateRun){0};
}

const char *simulate_end_name(SimulateEnd end) {
    static const char *const names[] = {"time", "bounces", "died_out", "no_touch", "failed"};
    return names[end];
}

const char *simulate_end_words(SimulateEnd end) {
    static const char *const words[] = {
        "the time is over", "as many bounces as asked for",
        "the bounces have died out: from here the body stays in touch, which is not computed",
        "the body does not come back to the plane", "an impact or a flight could not be computed"};
    return words[end];
}

/* The end of a flight: the next impact, or the end of the run. */
static void find_end(const SimulateRun *run, SimulateFlight *flight) {
    bool last = flight->next == run->impact_count;
    flight->to = last ? run->time : run->impacts[flight->next].time;
    flight->last = last ? run->last : run->impacts[flight->next].before;
}

SimulateFlight simulate_first_flight(const SimulateRun *run) {
    SimulateFlight flight = {.first = run->start};
    find_end(run, &flight);
    return flight;
}

bool simulate_next_flight(const SimulateRun *run, SimulateFlight *flight) {
    if (flight->next == run->impact_count) {
        return false;
    }
    flight->bounces = run->impacts[flight->next].bounce;
    while (flight->next < run->impact_count &&
           run->impacts[flight->next].bounce == flight->bounces) {
        flight->first = run->impacts[flight->next].after;
        flight->from = run->impacts[flight->next].time;
        flight->next++;
    }
    find_end(run, flight);
    return true;
}
