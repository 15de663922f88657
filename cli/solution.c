/* A solved scene. */
#include "solution.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool solution_has_result(const Solution *solution) {
    const CaromResult *result = &solution->result;
    return result->status >= 0 ||
           (result->status == CAROM_NOT_CONVERGED && isfinite(result->impulse[0]));
}

int solution_exit_status(CaromStatus status) {
    return status >= 0 ? 0 : status == CAROM_INVALID_INPUT ? 2 : 1;
}

static bool prepare(const Scene *scene, int event_capacity, Solution *solution) {
    size_t size = 3 * (size_t)scene->contact_count;
    CaromResult *result = &solution->result;
    solution_free(solution);
    result->impulse = calloc(size, sizeof(double));
    result->velocity = calloc(size, sizeof(double));
    result->events = calloc((size_t)event_capacity, sizeof *result->events);
    result->event_capacity = event_capacity;
    return result->impulse && result->velocity && result->events;
}

static void find_slip_geometry(const Scene *scene, SlipGeometry *slip) {
    const double *W = scene->inverse_inertia;
    double mu = scene->contacts[0].mu;
    if (carom_invariant_directions(W, mu, slip->invariants, &slip->count) < 0) {
        return;
    }
    slip->known = true;
    slip->stick_ratio = carom_stick_ratio(W);
    slip->solvable = carom_solvability_margin(W, mu) > 0;
}

bool solution_compute(const Scene *scene, const CaromOptions *options, Solution *solution) {
    CaromProblem problem = scene_problem(scene);
    CaromResult *result = &solution->result;
    *solution = (Solution){0};
    /* one contact has room for all its events; several may need a second go */
    int capacity = CAROM_RIGID_EVENTS * scene->contact_count;
    do {
        if (!prepare(scene, capacity, solution)) {
            return false;
        }
        carom_solve(&problem, options, result);
        capacity = result->event_count;
    } while (result->event_count > result->event_capacity);
    solution->method = options->method;
    if (!solution_has_result(solution)) {
        return true;
    }
    if (scene->model == CAROM_RIGID && scene->contact_count == 1) {
        find_slip_geometry(scene, &solution->slip);
    }
    if (scene->body_count > 0) {
        size_t bytes = (size_t)scene->body_count * sizeof *solution->bodies;
        solution->bodies = malloc(bytes);
        if (!solution->bodies) {
            return false;
        }
        memcpy(solution->bodies, scene->bodies, bytes);
        carom_bodies_apply(solution->bodies, scene->sites, scene->contact_count, result->impulse);
    }
    return true;
}

void solution_free(Solution *solution) {
    free(solution->result.impulse);
    free(solution->result.velocity);
    free(solution->result.events);
    free(solution->bodies);
    *solution = (Solution){0};
}
