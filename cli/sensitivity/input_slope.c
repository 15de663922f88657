/* How the inputs of an impact change with a number of its scene. */
#include "sensitivity/input_slope.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <carom/derivative.h>

#include "outcomes/components.h"
#include "vary/vary.h"

/* Central differences at h, h/4, h/16, ...: of so many distances at most so many are used. */
enum { DISTANCES = 16, LEVELS = 8, NARROWER = 4 };

/* Differences are good enough when extrapolations agree to this, relative; worse than the second
 * they are none. */
static const double CONVERGED = 1e-12, USELESS = 1e-6;

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

/* Differences at smaller and smaller distances, extrapolated to 0 (Ridders). All numbers take the
 * same distance and order: the one where the least trusted of them agrees best with its neighbours;
 * one number alone may agree by chance. */
typedef struct Extrapolation {
    const CaromInputs *layout;
    int count;               /* numbers */
    double size;             /* of what is varied */
    double *now, *last;      /* LEVELS rows of count: orders at this distance, and at the last */
    double *slope, *numbers; /* count: the best so far; where the scene is */
    double error;            /* of slope, relative */
} Extrapolation;

/* By how much numbers from first to end differ, relative to the largest of them. */
static double disagreement(const Extrapolation *e, int order, int first, int end) {
    const double *x = e->now + (size_t)order * (size_t)e->count, *y = x - e->count;
    const double *z = e->last + (size_t)(order - 1) * (size_t)e->count;
    double most = 0, largest = 0, number = 0;
    for (int i = first; i < end; i++) {
        most = fmax(most, fmax(fabs(x[i] - y[i]), fabs(x[i] - z[i])));
        largest = fmax(largest, fabs(x[i]));
        number = fmax(number, fabs(e->numbers[i]));
    }
    return most > 0 ? most / fmax(largest, 1e-3 * number / e->size) : 0;
}

/* The next row, differences at a distance, is in now. */
static void add_level(Extrapolation *e, int level) {
    double power = 1;
    for (int order = 1; order <= level; order++) {
        double *x = e->now + (size_t)order * (size_t)e->count, *y = x - e->count;
        const double *z = e->last + (size_t)(order - 1) * (size_t)e->count;
        power *= NARROWER * NARROWER;
        for (int i = 0; i < e->count; i++) {
            x[i] = y[i] + (y[i] - z[i]) / (power - 1);
        }
        double error = fmax(disagreement(e, order, 0, e->layout->v),
                            fmax(disagreement(e, order, e->layout->v, e->layout->contact),
                                 disagreement(e, order, e->layout->contact, e->count)));
        if (error < e->error) {
            e->error = error;
            memcpy(e->slope, x, (size_t)e->count * sizeof *x);
        }
    }
    double *row = e->last;
    e->last = e->now;
    e->now = row;
}

/* The slope of all numbers; distances at which the scene is not allowed are left out. */
static bool extrapolate(json_t *document, const ScenePath *path, double value,
                        const double *impulse, Extrapolation *e, Error *error) {
    double h = e->size / 64;
    int level = 0;
    e->error = INFINITY;
    for (int k = 0; k < DISTANCES && level < LEVELS && !(e->error <= CONVERGED); k++) {
        if (difference(document, path, value, h, e->layout, impulse, e->count, e->numbers, e->now,
                       error)) {
            add_level(e, level++);
        }
        h /= NARROWER;
    }
    if (level > 1 && !(e->error <= USELESS)) {
        return error_set(error, "%s: the scene does not change smoothly with it here", path->text);
    }
    return level > 1;
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
    size_t row = (size_t)count;
    double *storage = calloc((2 * LEVELS + 2) * row, sizeof *storage);
    if (!storage) {
        return error_set(error, "out of memory");
    }
    Extrapolation extrapolation = {.layout = &layout,
                                   .count = count,
                                   .size = size_of(document, path, value),
                                   .now = storage,
                                   .last = storage + LEVELS * row,
                                   .slope = storage + 2 * LEVELS * row,
                                   .numbers = storage + (2 * LEVELS + 1) * row};
    bool good = extrapolate(document, path, value, impulse, &extrapolation, error);
    if (good) {
        memcpy(inputs, extrapolation.slope, (size_t)layout.contact * sizeof *inputs);
        memcpy(components, extrapolation.slope + layout.contact,
               (size_t)parts * sizeof *components);
    }
    free(storage);
    return good;
}
