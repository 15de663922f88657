/* How measured numbers of different units compare. */
#include "fit/fit_weight.h"

#include <math.h>

static double body_sigma(const CaromBody *body, int number) {
    const double *inertia = body->inertia;
    double mean = (inertia[0] + inertia[4] + inertia[8]) / 3;
    return number < 3 || !(mean > 0) ? 1 : sqrt(body->mass / mean);
}

static double system_sigma(const Scene *scene, int place) {
    int n = scene->system.speed_count, rows = scene_rows(scene) * scene->contact_count;
    const double *M = scene->system.mass_matrix;
    double largest = 0; /* only sets the unit of all */
    for (int i = 0; i < n; i++) {
        largest = fmax(largest, M[i * n + i]);
    }
    double mass =
        place >= 0 ? M[place * n + place] : 1 / scene->inverse_inertia[(-1 - place) * (rows + 1)];
    double sigma = sqrt(largest / mass);
    return sigma > 0 && isfinite(sigma) ? sigma : 1;
}

double fit_weight_sigma(const Scene *scene, const Components *components, int place) {
    if (scene->source == SCENE_SYSTEM) {
        return system_sigma(scene, place);
    }
    if (scene->source == SCENE_BODIES && place >= 0) {
        int at = components->places[place];
        return body_sigma(&scene->bodies[at / 6], at % 6);
    }
    return 1;
}
