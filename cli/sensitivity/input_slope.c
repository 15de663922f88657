/* How the inputs of an impact change with a number of its scene. */
#include "sensitivity/input_slope.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <carom/derivative.h>

#include "outcomes/components.h"
#include "vary/vary.h"

/* Central differences at h, h/2, h/4. */
enum { LEVELS = 3 };

/* Place of a contact's coefficient among the inputs, or -1. */
static int coefficient_input(const CaromInputs *layout, const ScenePath *path) {
    static const char *const names[CAROM_COEFFICIENT_COUNT] = {
        [CAROM_COEFFICIENT_MU] = "mu",
        [CAROM_COEFFICIENT_MU_STATIC] = "mu_static",
        [CAROM_COEFFICIENT_E] = "e",
        [CAROM_COEFFICIENT_STIFFNESS] = "stiffness",
        [CAROM_COEFFICIENT_STIFFNESS_RATIO] = "stiffness_ratio"};
    int contact = 0, end = 0;
    if (sscanf(path->text, "contacts[%d].%n", &contact, &end) == 1 && end > 0) {
        for (int i = 0; i < CAROM_COEFFICIENT_COUNT; i++) {
            if (strcmp(path->text + end, names[i]) == 0) {
                return carom_input_coefficient(layout, contact, (CaromCoefficient)i);
            }
        }
    }
    return -1;
}

/* W and v, then the components after the impulse. */
static bool measure(const Scene *scene, const CaromInputs *layout, const double *impulse,
                    double *numbers) {
    int m = layout->rows;
    double *velocity = malloc((size_t)m * sizeof *velocity);
    Components components;
    bool good = components_create(scene, &components) && velocity;
    for (int i = 0; i < m && good; i++) {
        velocity[i] = scene->velocity[i];
        numbers[layout->v + i] = scene->velocity[i];
        for (int j = 0; j < m; j++) {
            double w = scene->inverse_inertia[(size_t)i * (size_t)m + (size_t)j];
            numbers[carom_input_W(layout, i, j)] = w;
            velocity[i] += w * impulse[j];
        }
    }
    if (good) {
        components_after(&components, impulse, velocity, numbers + layout->contact);
    }
    components_free(&components);
    free(velocity);
    return good;
}

/* The size of a number, and of its neighbours if it is 0: a vector's largest component. */
static double size_of(json_t *document, const ScenePath *path, double value) {
    ScenePath neighbour = *path;
    char *bracket = strrchr(neighbour.text, '[');
    double largest = fabs(value);
    Error ignored;
    for (int i = 0; bracket && bracket[2] == ']' && i < 4; i++) {
        double x;
        bracket[1] = (char)('0' + i);
        if (scene_path_get(document, &neighbour, &x, &ignored)) {
            largest = fmax(largest, fabs(x));
        }
    }
    return largest > 0 ? largest : 1;
}

/* The central difference at a distance h. False: the scene is not allowed there. */
static bool difference(json_t *document, const ScenePath *path, double value, double h,
                       const CaromInputs *layout, const double *impulse, int count, double *numbers,
                       double *slope, Error *error) {
    VaryRange range = {.path = *path};
    for (int side = 0; side < 2; side++) {
        double x = side == 0 ? value - h : value + h;
        Scene scene;
        if (!vary_scene(document, &range, 1, &x, &scene, error)) {
            return false;
        }
        bool good = measure(&scene, layout, impulse, numbers);
        scene_free(&scene);
        if (!good) {
            return error_set(error, "out of memory");
        }
        for (int i = 0; i < count; i++) {
            slope[i] = side == 0 ? -numbers[i] : (slope[i] + numbers[i]) / (2 * h);
        }
    }
    return true;
}

/* Differences at LEVELS distances, extrapolated to 0. */
static bool extrapolate(json_t *document, const ScenePath *path, double value,
                        const CaromInputs *layout, const double *impulse, int count,
                        double *numbers, Error *error) {
    double h = size_of(document, path, value) / 64, *rows[LEVELS];
    for (int k = 0; k < LEVELS; k++, h /= 2) {
        rows[k] = numbers + (size_t)(k + 1) * (size_t)count;
        if (!difference(document, path, value, h, layout, impulse, count, numbers, rows[k],
                        error)) {
            return false;
        }
    }
    for (int level = 1, power = 4; level < LEVELS; level++, power *= 4) {
        for (int k = 0; k + level < LEVELS; k++) {
            for (int i = 0; i < count; i++) {
                rows[k][i] = rows[k + 1][i] + (rows[k + 1][i] - rows[k][i]) / (power - 1);
            }
        }
    }
    return true;
}

bool input_slope(json_t *document, const Scene *scene, const ScenePath *path, const double *impulse,
                 double *inputs, double *components, Error *error) {
    CaromInputs layout = carom_inputs(scene->contact_count, scene->planar);
    Components list;
    double value;
    if (!components_create(scene, &list)) {
        components_free(&list);
        return error_set(error, "out of memory");
    }
    int parts = list.count, count = layout.contact + parts;
    components_free(&list);
    memset(inputs, 0, (size_t)layout.count * sizeof *inputs);
    memset(components, 0, (size_t)parts * sizeof *components);
    if (!scene_path_get(document, path, &value, error)) {
        return false;
    }
    int coefficient = coefficient_input(&layout, path);
    if (coefficient >= 0) {
        inputs[coefficient] = 1;
        const CaromContact *contact =
            &scene->contacts[(coefficient - layout.contact) / CAROM_COEFFICIENT_COUNT];
        if ((coefficient - layout.contact) % CAROM_COEFFICIENT_COUNT == CAROM_COEFFICIENT_MU &&
            contact->mu_static == contact->mu) {
            inputs[coefficient + CAROM_COEFFICIENT_MU_STATIC] = 1;
        }
        return true;
    }
    double *numbers = calloc((size_t)(LEVELS + 1) * (size_t)count, sizeof *numbers);
    bool good = numbers
                    ? extrapolate(document, path, value, &layout, impulse, count, numbers, error)
                    : error_set(error, "out of memory");
    if (good) {
        memcpy(inputs, numbers + count, (size_t)layout.contact * sizeof *inputs);
        memcpy(components, numbers + count + layout.contact, (size_t)parts * sizeof *components);
    }
    free(numbers);
    return good;
}
