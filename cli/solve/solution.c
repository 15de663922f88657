/* A solved scene. */
#include "solve/solution.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Most numbers of all snapshots, 64 MB: a thousand contacts with a million events would need
 * gigabytes. */
#define SNAPSHOT_NUMBERS_MAX ((size_t)1 << 23)

bool solution_has_result(const Solution *solution) {
    const CaromResult *result = &solution->result;
    return result->status >= 0 ||
           (result->status == CAROM_NOT_CONVERGED && isfinite(result->impulse[0]));
}

int solution_exit_status(CaromStatus status) {
    return status >= 0 ? 0 : status == CAROM_INVALID_INPUT ? 2 : 1;
}

/* Most events that can have snapshots. */
static size_t snapshots_max(const Scene *scene) {
    return SNAPSHOT_NUMBERS_MAX / (size_t)((2 * scene_rows(scene) + 1) * scene->contact_count);
}

/* Snapshots of several contacts, unless they need more than SNAPSHOT_NUMBERS_MAX numbers. */
static bool prepare_snapshots(const Scene *scene, size_t event_capacity, Solution *solution) {
    size_t count = (size_t)scene->contact_count, size = (size_t)scene_rows(scene) * count;
    CaromSnapshots *snapshots = &solution->snapshots;
    if (count == 1 || event_capacity > snapshots_max(scene)) {
        return true;
    }
    snapshots->impulse = calloc(event_capacity * size, sizeof(double));
    snapshots->velocity = calloc(event_capacity * size, sizeof(double));
    snapshots->stored = calloc(event_capacity * count, sizeof(double));
    solution->result.snapshots = snapshots;
    return snapshots->impulse && snapshots->velocity && snapshots->stored;
}

static bool prepare(const Scene *scene, int event_capacity, Solution *solution) {
    size_t size = (size_t)(scene_rows(scene) * scene->contact_count);
    CaromResult *result = &solution->result;
    solution_free(solution);
    result->impulse = calloc(size, sizeof(double));
    result->velocity = calloc(size, sizeof(double));
    result->events = calloc((size_t)event_capacity, sizeof *result->events);
    result->event_capacity = event_capacity;
    return result->impulse && result->velocity && result->events &&
           prepare_snapshots(scene, (size_t)event_capacity, solution);
}

static void find_slip_geometry(const Scene *scene, SlipGeometry *slip) {
    const double *W = scene->inverse_inertia;
    double mu = scene->contacts[0].mu;
    if (scene->planar) {
        *slip = (SlipGeometry){.known = true,
                               .stick_ratio = W[0] > 0 ? fabs(W[1] / W[0]) : NAN,
                               .solvable = W[3] > mu * fabs(W[1])};
        return;
    }
    if (carom_invariant_directions(W, mu, slip->invariants, &slip->count, NULL) < 0) {
        return;
    }
    slip->known = true;
    slip->stick_ratio = carom_stick_ratio(W);
    slip->solvable = carom_solvability_margin(W, mu) > 0;
}

/* The bodies or the speeds after the impact. False: out of memory. */
static bool apply_impulse(const Scene *scene, Solution *solution) {
    const double *impulse = solution->result.impulse;
    const SceneSystem *system = &scene->system;
    if (scene->source == SCENE_BODIES) {
        size_t bytes = (size_t)scene->body_count * sizeof *solution->bodies;
        solution->bodies = malloc(bytes);
        if (!solution->bodies) {
            return false;
        }
        memcpy(solution->bodies, scene->bodies, bytes);
        carom_bodies_apply(solution->bodies, scene->sites, scene->contact_count, impulse);
    } else if (scene->source == SCENE_SYSTEM) {
        size_t bytes = (size_t)system->speed_count * sizeof *solution->speeds;
        solution->speeds = malloc(bytes);
        if (!solution->speeds) {
            return false;
        }
        memcpy(solution->speeds, system->speeds, bytes);
        carom_system_apply(system->speed_count, scene_rows(scene) * scene->contact_count,
                           system->responses, impulse, solution->speeds);
    }
    return true;
}

/* Room for events in the first attempt: for one contact all that a rigid contact can have; for
 * several contacts a guess that can have snapshots. */
static int first_capacity(const Scene *scene) {
    if (scene->contact_count == 1) {
        return CAROM_RIGID_EVENTS;
    }
    size_t likely = 32 * (size_t)scene->contact_count, most = snapshots_max(scene);
    return (int)(likely < most ? likely : most);
}

bool solution_compute(const Scene *scene, const CaromOptions *options, Solution *solution) {
    CaromProblem problem = scene_problem(scene);
    CaromResult *result = &solution->result;
    problem.law = scene_law(scene, options->method);
    *solution = (Solution){0};
    int capacity = first_capacity(scene);
    do { /* again if there are more events */
        if (!prepare(scene, capacity, solution)) {
            return false;
        }
        carom_solve(&problem, options, result);
        result->snapshots = NULL; /* a solution may be moved */
        capacity = result->event_count;
    } while (result->event_count > result->event_capacity);
    solution->method = options->method;
    solution->as_printed = options->scheme.as_printed;
    if (!solution_has_result(solution)) {
        return true;
    }
    if (scene->model == CAROM_MODEL_RIGID && scene->contact_count == 1) {
        find_slip_geometry(scene, &solution->slip);
    }
    return states_find(scene, result, &solution->snapshots, &solution->states) &&
           apply_impulse(scene, solution);
}

bool solution_energies(const Scene *scene, const Solution *solution, double *before,
                       double *after) {
    const SceneSystem *system = &scene->system;
    *before = *after = scene->source == SCENE_BODIES ? 0 : NAN;
    for (int i = 0; i < scene->body_count; i++) {
        *before += carom_body_energy(&scene->bodies[i]);
        *after += carom_body_energy(&solution->bodies[i]);
    }
    if (scene->source == SCENE_SYSTEM) {
        *before = carom_system_energy(system->speed_count, system->mass_matrix, system->speeds);
        *after = carom_system_energy(system->speed_count, system->mass_matrix, solution->speeds);
    }
    return scene->source != SCENE_CONTACT_SPACE;
}

const char *solution_order(const Scene *scene, const Solution *solution) {
    bool known = scene->planar && scene->model == CAROM_MODEL_RIGID && scene->contact_count == 1;
    return known ? carom_planar_order(solution->result.sequence) : "";
}

bool solution_jumps(const CaromResult *result) {
    return result->jump.distance <= 0.01;
}

const char *method_name(CaromMethod method) {
    static const char *const names[] = {
        [CAROM_METHOD_EXACT] = "exact", [CAROM_METHOD_NI] = "ni",
        [CAROM_METHOD_FS] = "fs",       [CAROM_METHOD_VS] = "vs",
        [CAROM_METHOD_EULER] = "euler", [CAROM_METHOD_SEQUENCE] = "sequence"};
    return names[method];
}

void solution_free(Solution *solution) {
    free(solution->result.impulse);
    free(solution->result.velocity);
    free(solution->result.events);
    free(solution->snapshots.impulse);
    free(solution->snapshots.velocity);
    free(solution->snapshots.stored);
    states_free(&solution->states);
    free(solution->bodies);
    free(solution->speeds);
    *solution = (Solution){0};
}
