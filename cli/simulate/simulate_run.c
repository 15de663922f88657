/* A simulation: flights and impacts in turn, then lasting contact.
 *
 * In a bounce all vertices that touch within TOGETHER of the body's size are solved at once
 * (simulate_impact.c).
 *
 * The bounces have died out when every vertex just hit leaves the plane at no more than rest V,
 * with V the hardest approach so far, and the body is back within the time in which gravity a
 * reverses that speed, 2 rest V/a. Bounces of a body that rests on the plane have died out, too;
 * those without any loss (e = 1, mu = 0) only then. From there simulate_contact.c follows it, until
 * it rests, flies or hits again. A body that has been in lasting contact once returns to it after
 * bounces slower than SLOW of the speed of a fall by its size, too. */
#include "simulate/simulate_run.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "simulate/simulate_contact.h"
#include "simulate/simulate_impact.h"
#include "simulate/simulate_piece.h"

/* Vertices within this part of the body's size above the plane touch. Positions are rounded to
 * ROUNDING. */
#define TOGETHER 1e-9
#define ROUNDING (64 * DBL_EPSILON)

/* At the end of lasting contact its vertices are off by up to 1e-7 of the size (lasting.h). */
#define AFTER_CONTACT 4e-7

/* A bounce of this part of the speed of a fall by the size is 5e-7 of the size high. */
#define SLOW 1e-3

/* Most times that the body returns to lasting contact. */
enum { CONTACTS_MAX = 10000 };

typedef struct State {
    const SimulateScene *scene;
    const CaromOptions *options;
    SimulateRun *run;
    CaromBody body;
    int *touching;  /* room for all vertices */
    double size;    /* distance of the farthest vertex from the centre of mass */
    double hardest; /* approach so far */
    double leaving; /* largest speed of the vertices hit last, away from the plane */
    int contacts;   /* times of lasting contact so far */
    bool released;  /* from lasting contact, and nothing has been hit since */
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

/* A flight failed: the library names its arguments, the message the fields of the scene. */
static bool fail_flight(State *state, CaromStatus status, const char *message) {
    static const struct {
        const char *argument, *message;
    } words[] = {
        {"horizon:", "simulate.time: the body turns too often before it touches the plane; "
                     "--time ends the run earlier"},
        {"dt:", "simulate.time: the body turns too often until then; --time ends the run "
                "earlier"},
        {"shape:", "bodies[0].shape: a vertex passes the plane too closely to tell whether "
                   "it touches"},
        {"body, gravity", "bodies[0], gravity: the flight exceeds the range of double "
                          "precision"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strncmp(message, words[i].argument, strlen(words[i].argument)) == 0) {
            message = words[i].message;
        }
    }
    return fail(state, status, message);
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

/* The largest speed away from the plane of the vertices that were hit. */
static double fastest_leaving(const State *state, const SimulateImpact *impact) {
    double fastest = -INFINITY, point[3];
    for (int i = 0; i < impact->vertex_count; i++) {
        if (dot(&impact->impulses[3 * i], state->scene->plane.normal) > 0) {
            simulate_point(state->scene, &state->body, impact->vertices[i], point);
            fastest = fmax(fastest, leaving_speed(state, point));
        }
    }
    if (impact->vertex_count == 0) {
        simulate_point(state->scene, &state->body, impact->vertex, point);
        fastest = leaving_speed(state, point);
    }
    return fastest;
}

/* The bounce at a touch of a vertex (-1: of a ball) and all others in touch. False: the run has
 * ended. */
static bool bounce(State *state, int vertex) {
    const SimulateScene *scene = state->scene;
    SimulateRun *run = state->run;
    SimulateImpact *impact = add_impact(run);
    const char *message;
    if (!impact) {
        state->no_memory = true;
        return false;
    }
    double near = (state->released ? AFTER_CONTACT : TOGETHER) * state->size +
                  ROUNDING * (size_of(state->body.position) + size_of(scene->plane.point));
    int count =
        carom_shape_touching(&state->body, &scene->shape, &scene->plane, near, state->touching);
    impact->bounce = run->impact_count;
    impact->time = run->time;
    impact->vertex = vertex;
    impact->before = state->body;
    double approach;
    CaromStatus status = simulate_impact_solve(scene, state->options, state->touching, count,
                                               impact, &approach, &message);
    if (status < 0) {
        simulate_impact_free(impact);
        run->impact_count--;
        return fail(state, status, message);
    }
    state->body = impact->after;
    state->hardest = fmax(state->hardest, approach);
    state->leaving = fastest_leaving(state, impact);
    state->released = false;
    if (run->impact_count >= scene->bounces) {
        run->end = SIMULATE_BOUNCES;
        return false;
    }
    return true;
}

/* Towards the plane. */
static double pull_of(const SimulateScene *scene) {
    return -dot(scene->gravity, scene->plane.normal);
}

/* Speeds below this are those of lasting contact. */
static double slow_speed(const State *state) {
    double fall = SLOW * sqrt(fmax(pull_of(state->scene), 0) * state->size);
    return fmax(state->scene->rest * state->hardest, fall);
}

/* See the top of the file. */
static bool has_died_out(const State *state, const CaromTouch *touch) {
    const SimulateScene *scene = state->scene;
    const CaromContact *contact = &scene->scene.contacts[0];
    bool lossless = contact->e == 1 && contact->mu == 0;
    double pull = pull_of(scene);
    double least = state->contacts > 0 ? slow_speed(state) : scene->rest * state->hardest;
    return touch->speed == 0 ||
           (!lossless && !state->released && state->run->impact_count > 0 &&
            state->leaving <= least && pull * touch->time <= 2 * least && pull > 0);
}

/* The vertex in touch that comes down fastest. */
static int fastest_vertex(const State *state) {
    const SimulateScene *scene = state->scene;
    int fastest = 0;
    double most = INFINITY;
    for (int i = 0; i < scene->shape.vertex_count; i++) {
        double point[3], gap = 0;
        simulate_point(scene, &state->body, i, point);
        for (int k = 0; k < 3; k++) {
            gap += (point[k] - scene->plane.point[k]) * scene->plane.normal[k];
        }
        double speed = leaving_speed(state, point);
        if (gap <= AFTER_CONTACT * state->size && speed < most) {
            most = speed;
            fastest = i;
        }
    }
    return fastest;
}

/* Stay in touch. False: the run has ended. */
static bool stay(State *state) {
    SimulateRun *run = state->run;
    if (++state->contacts > CONTACTS_MAX) {
        run->message = "the body flies and lands too often";
        run->end = SIMULATE_DIED_OUT;
        return false;
    }
    switch (simulate_contact_follow(state->scene, slow_speed(state), run, &state->body)) {
    case SIMULATE_CONTACT_FLIGHT:
        state->released = true;
        return true;
    case SIMULATE_CONTACT_IMPACT:
        state->released = true;
        return bounce(state, fastest_vertex(state));
    case SIMULATE_CONTACT_TIME:
        run->end = SIMULATE_TIME;
        return false;
    case SIMULATE_CONTACT_REST:
        run->end = SIMULATE_REST;
        return false;
    case SIMULATE_CONTACT_NO_MEMORY:
        state->no_memory = true;
        return false;
    default:
        run->end = SIMULATE_DIED_OUT;
        return false;
    }
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
            return fail_flight(state, status, message);
        }
        run->time = state->scene->time;
    }
    simulate_piece_end(run, run->time, &state->body);
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
        return fail_flight(state, status, message);
    }
    if (touch.found && has_died_out(state, &touch)) {
        return stay(state);
    }
    if (!simulate_piece_add(run, CAROM_PHASE_FLIGHT, run->time, &state->body)) {
        state->no_memory = true;
        return false;
    }
    if (!touch.found) {
        return finish_flight(state);
    }
    run->time += touch.time;
    state->body = touch.body;
    simulate_piece_end(run, run->time, &state->body);
    return bounce(state, touch.vertex);
}

bool simulate_run(const SimulateScene *scene, const CaromOptions *options, SimulateRun *run) {
    *run = (SimulateRun){.start = scene->scene.bodies[0], .message = ""};
    State state = {.scene = scene,
                   .options = options,
                   .run = run,
                   .body = run->start,
                   .touching = malloc(((size_t)scene->shape.vertex_count + 1) * sizeof(int)),
                   .size = farthest_vertex(scene)};
    state.no_memory = !state.touching;
    while (!state.no_memory && advance(&state)) {
    }
    run->last = state.body;
    /* after a bounce that ends the run, and of a run that ends at once */
    bool open =
        run->piece_count == 0 || run->pieces[run->piece_count - 1].bounces < run->impact_count;
    state.no_memory = state.no_memory ||
                      (open && !simulate_piece_add(run, CAROM_PHASE_FLIGHT, run->time, &run->last));
    free(state.touching);
    return !state.no_memory;
}

void simulate_run_free(SimulateRun *run) {
    for (int i = 0; i < run->impact_count; i++) {
        simulate_impact_free(&run->impacts[i]);
    }
    free(run->impacts);
    free(run->pieces);
    free(run->nodes);
    *run = (SimulateRun){0};
}

const char *simulate_end_name(SimulateEnd end) {
    static const char *const names[] = {"time",     "bounces", "died_out",
                                        "no_touch", "rest",    "failed"};
    return names[end];
}

const char *simulate_end_words(SimulateEnd end) {
    static const char *const words[] = {
        "the time is over",
        "as many bounces as asked for",
        "the bounces have died out, and from here the body goes on in touch with the plane",
        "the body does not come back to the plane",
        "the body rests",
        "an impact or a flight could not be computed"};
    return words[end];
}
