/* One impact of a simulation. */
#include "simulate/simulate_impact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An impact in contact space, n contacts. Owns numbers, sites and contacts. */
typedef struct Touches {
    int count;
    CaromSite *sites;
    CaromContact *contacts;
    double *numbers; /* W, v, impulse */
    double *W, *v, *impulse;
} Touches;

static bool touches_create(int count, Touches *touches) {
    size_t n = (size_t)count;
    *touches = (Touches){.count = count,
                         .sites = calloc(n, sizeof *touches->sites),
                         .contacts = calloc(n, sizeof *touches->contacts),
                         .numbers = calloc(9 * n * n + 6 * n, sizeof *touches->numbers)};
    touches->W = touches->numbers;
    touches->v = touches->numbers + 9 * n * n;
    touches->impulse = touches->v + 3 * n;
    return touches->sites && touches->contacts && touches->numbers;
}

static void touches_free(Touches *touches) {
    free(touches->sites);
    free(touches->contacts);
    free(touches->numbers);
}

static void set_sites(const SimulateScene *scene, const int *vertices, const SimulateImpact *impact,
                      Touches *touches) {
    for (int i = 0; i < touches->count; i++) {
        int vertex = touches->count > 1 ? vertices[i] : impact->vertex;
        CaromSite *site = &touches->sites[i];
        *site = (CaromSite){.first = 0, .second = 1};
        simulate_point(scene, &impact->before, vertex, site->point);
        memcpy(site->normal, scene->plane.normal, sizeof site->normal);
        touches->contacts[i] = scene->scene.contacts[0];
    }
}

/* Several contacts: the compliant model, which has one coefficient of friction and no law but the
 * energetic ones. */
static void make_compliant(CaromProblem *problem, Touches *touches) {
    problem->model = CAROM_MODEL_COMPLIANT;
    problem->law = problem->law == CAROM_LAW_MONO_STIFFNESS ? problem->law : CAROM_LAW_ENERGETIC;
    for (int i = 0; i < touches->count; i++) {
        touches->contacts[i].mu_static = touches->contacts[i].mu;
        touches->contacts[i].stiffness = 1;
    }
}

/* Impulse of a contact in world axes. */
static void to_world(const Touches *touches, int contact, double impulse[3]) {
    const double *I = &touches->impulse[3 * contact];
    double frame[9];
    carom_site_frame(&touches->sites[contact], frame, NULL);
    for (int k = 0; k < 3; k++) {
        impulse[k] = frame[k] * I[0] + frame[3 + k] * I[1] + frame[6 + k] * I[2];
    }
}

/* The sum of the impulses and the centre of their normal parts. */
static void sum_impulses(const Touches *touches, SimulateImpact *impact) {
    double normal = 0, centre[3] = {0, 0, 0};
    for (int i = 0; i < touches->count; i++) {
        double impulse[3], p = touches->impulse[3 * i + 2];
        to_world(touches, i, impulse);
        normal += p;
        for (int k = 0; k < 3; k++) {
            impact->impulse[k] += impulse[k];
            centre[k] += p * touches->sites[i].point[k];
        }
    }
    for (int k = 0; k < 3; k++) {
        impact->point[k] = touches->count == 1 ? touches->sites[0].point[k] : centre[k] / normal;
    }
}

/* Which vertices, and their impulses. */
static bool list_vertices(const Touches *touches, const int *vertices, SimulateImpact *impact) {
    size_t n = (size_t)touches->count;
    if (n == 1) {
        return true;
    }
    impact->vertex_count = touches->count;
    impact->vertices = malloc(n * sizeof *impact->vertices);
    impact->impulses = malloc(3 * n * sizeof *impact->impulses);
    if (!impact->vertices || !impact->impulses) {
        return false;
    }
    memcpy(impact->vertices, vertices, n * sizeof *vertices);
    for (int i = 0; i < touches->count; i++) {
        to_world(touches, i, &impact->impulses[3 * i]);
    }
    return true;
}

/* Several contacts for which the compliant model has no answer: the impulse-level law, which needs
 * none of its process; plastic where it would gain energy. */
static CaromStatus solve_at_once(CaromProblem *problem, Touches *touches, CaromResult *result) {
    CaromStatus status = CAROM_NOT_CONVERGED;
    problem->model = CAROM_MODEL_RIGID;
    problem->law = CAROM_LAW_NEWTON;
    for (int plastic = 0; plastic < 2 && status != CAROM_OK; plastic++) {
        for (int i = 0; i < touches->count && plastic; i++) {
            touches->contacts[i].e = 0;
        }
        status = carom_solve(problem, NULL, result);
    }
    return status;
}

static CaromStatus solve(const SimulateScene *scene, const CaromOptions *options, Touches *touches,
                         SimulateImpact *impact, const char **message) {
    CaromBody bodies[2] = {impact->before, carom_body_fixed()};
    CaromStatus status = carom_bodies_contact_space(bodies, 2, touches->sites, touches->count,
                                                    touches->W, touches->v, message);
    if (status < 0) {
        return status;
    }
    CaromProblem problem = {.model = scene->scene.model,
                            .law = scene->scene.law,
                            .contact_count = touches->count,
                            .inverse_inertia = touches->W,
                            .velocity = touches->v,
                            .contacts = touches->contacts};
    CaromOptions exact = carom_options_default();
    exact.tolerance = options->tolerance;
    if (touches->count > 1) {
        make_compliant(&problem, touches);
    }
    CaromResult result = {.impulse = touches->impulse};
    status = carom_solve(&problem, touches->count > 1 ? &exact : options, &result);
    if (status == CAROM_NOT_CONVERGED && touches->count > 1) {
        status = solve_at_once(&problem, touches, &result);
    }
    *message = result.message;
    if (status >= 0) {
        impact->model = problem.model;
        carom_bodies_apply(bodies, touches->sites, touches->count, touches->impulse);
        impact->after = bodies[0];
        impact->status = status;
        impact->energy = result.energy;
        memcpy(impact->sequence, result.sequence, sizeof impact->sequence);
    }
    return status;
}

CaromStatus simulate_impact_solve(const SimulateScene *scene, const CaromOptions *options,
                                  const int *vertices, int count, SimulateImpact *impact,
                                  double *approach, const char **message) {
    Touches touches;
    CaromStatus status = CAROM_NOT_CONVERGED;
    *message = "out of memory";
    *approach = 0;
    if (touches_create(count > 1 ? count : 1, &touches)) {
        set_sites(scene, vertices, impact, &touches);
        status = solve(scene, options, &touches, impact, message);
    }
    if (status >= 0) {
        for (int i = 0; i < touches.count; i++) {
            *approach = fmax(*approach, -touches.v[3 * i + 2]);
        }
        sum_impulses(&touches, impact);
        if (!list_vertices(&touches, vertices, impact)) {
            *message = "out of memory";
            status = CAROM_NOT_CONVERGED;
        }
    }
    touches_free(&touches);
    return status;
}

void simulate_impact_free(SimulateImpact *impact) {
    free(impact->vertices);
    free(impact->impulses);
    impact->vertices = NULL;
    impact->impulses = NULL;
}
