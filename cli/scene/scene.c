/* A scene. */
#include "scene/scene.h"

#include <math.h>
#include <stdlib.h>

const char *const scene_model_names[] = {
    [CAROM_MODEL_RIGID] = "rigid", [CAROM_MODEL_COMPLIANT] = "compliant", NULL};
const char *const scene_law_names[] = {[CAROM_LAW_ENERGETIC] = "energetic",
                                       [CAROM_LAW_POISSON] = "poisson",
                                       [CAROM_LAW_NEWTON] = "newton",
                                       [CAROM_LAW_MONO_STIFFNESS] = "mono_stiffness",
                                       [CAROM_LAW_PLASTIC_DEFORMATION] = "plastic_deformation",
                                       [CAROM_LAW_PLASTIC_DEFORMATION + 1] = "bi_stiffness",
                                       NULL};

void scene_free(Scene *scene) {
    for (int i = 0; i < scene->body_count; i++) {
        free(scene->body_names[i]);
    }
    free(scene->name);
    free(scene->description);
    free(scene->contacts);
    free(scene->inverse_inertia);
    free(scene->velocity);
    free(scene->bodies);
    free(scene->body_names);
    free(scene->sites);
    free(scene->system.mass_matrix);
    free(scene->system.speeds);
    free(scene->system.jacobian);
    free(scene->system.responses);
    *scene = (Scene){0};
}

bool scene_has_process(const Scene *scene, CaromMethod method) {
    return scene->model != CAROM_MODEL_RIGID || scene->contact_count == 1 ||
           method == CAROM_METHOD_SEQUENCE;
}

CaromLaw scene_law(const Scene *scene, CaromMethod method) {
    return scene->law_given || scene_has_process(scene, method) ? scene->law : CAROM_LAW_NEWTON;
}

int scene_rows(const Scene *scene) {
    return scene->planar ? 2 : 3;
}

bool scene_body_turns(const CaromBody *body) {
    return isfinite(body->mass) && body->guide[0] == 0 && body->guide[1] == 0 &&
           body->guide[2] == 0;
}

CaromProblem scene_problem(const Scene *scene) {
    return (CaromProblem){.model = scene->model,
                          .law = scene->law,
                          .contact_count = scene->contact_count,
                          .inverse_inertia = scene->inverse_inertia,
                          .velocity = scene->velocity,
                          .contacts = scene->contacts,
                          .planar = scene->planar};
}

bool scene_has_friction(const Scene *scene) {
    int smooth = 0;
    while (smooth < scene->contact_count && scene->contacts[smooth].mu == 0) {
        smooth++;
    }
    return smooth < scene->contact_count;
}

double scene_clock(const Scene *scene, const double *impulse) {
    int rows = scene_rows(scene);
    double sum = 0;
    for (int i = 0; i < scene->contact_count; i++) {
        sum += impulse[rows * i + rows - 1];
    }
    return sum;
}

/* Factoring W takes ROWS_MAX^3/3 operations; beyond that it would take longer than the impact. */
enum { ROWS_MAX = 600 };

/* |y|^2/2 with W = L L^T and y = L^-1 v; L has room for both. A pivot that is rounding error means
 * that W has no motion in that direction; v must have none either. */
static double half_square(const double *W, const double *v, size_t size, double *L) {
    double *y = L + size * size, sum = 0;
    for (size_t i = 0; i < size; i++) {
        double *row = L + i * size, pivot = W[i * size + i], rest = v[i], scale = fabs(v[i]);
        for (size_t j = 0; j < i; j++) {
            const double *other = L + j * size;
            double x = W[j * size + i];
            for (size_t k = 0; k < j; k++) {
                x -= row[k] * other[k];
            }
            row[j] = other[j] > 0 ? x / other[j] : 0;
            pivot -= row[j] * row[j];
            rest -= row[j] * y[j];
            scale += fabs(row[j] * y[j]);
        }
        if (pivot > 1e-13 * W[i * size + i]) {
            row[i] = sqrt(pivot);
            y[i] = rest / row[i];
            sum += y[i] * y[i] / 2;
        } else if (!(fabs(rest) <= 1e-9 * scale)) {
            return NAN;
        }
    }
    return sum;
}

double scene_motion_energy(const Scene *scene) {
    size_t size = (size_t)scene_rows(scene) * (size_t)scene->contact_count;
    double *L = size <= ROWS_MAX ? calloc(size * (size + 1), sizeof *L) : NULL;
    double energy = L ? half_square(scene->inverse_inertia, scene->velocity, size, L) : (double)NAN;
    free(L);
    return energy;
}
