/* Sensitivity: derivatives of a scene's outcome by its numbers. */
#include "sensitivity/sensitivity.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/command_line.h"
#include "sensitivity/input_slope.h"

static bool add_path(SensitivityPaths *paths, const char *text, size_t length, Error *error) {
    if (paths->count == SENSITIVITY_PATHS_MAX) {
        return error_set(error, "at most %d numbers", SENSITIVITY_PATHS_MAX);
    }
    /* grows by doubling: 1, 2, 4, ... */
    if ((paths->count & (paths->count - 1)) == 0) {
        size_t room = paths->count > 0 ? 2 * (size_t)paths->count : 1;
        ScenePath *grown = realloc(paths->paths, room * sizeof *grown);
        if (!grown) {
            return error_set(error, "out of memory");
        }
        paths->paths = grown;
    }
    return scene_path_read(text, length, &paths->paths[paths->count], error) && ++paths->count;
}

int sensitivity_read(const char *command, const char *text, void *target) {
    SensitivityPaths *paths = target;
    paths->wanted = true;
    while (text) {
        const char *comma = strchr(text, ',');
        Error error;
        if (!add_path(paths, text, comma ? (size_t)(comma - text) : strlen(text), &error)) {
            return usage_fail(command, "--sensitivity: %s", error.text);
        }
        text = comma ? comma + 1 : NULL;
    }
    return 0;
}

void sensitivity_paths_free(SensitivityPaths *paths) {
    free(paths->paths);
    *paths = (SensitivityPaths){0};
}

/* Add a path made of words. */
__attribute__((format(printf, 3, 4))) static bool add(SensitivityPaths *paths, Error *error,
                                                      const char *format, ...) {
    char text[SCENE_PATH_SIZE];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return add_path(paths, text, (size_t)length, error);
}

/* The default: coefficients that matter to the model, then every velocity. */
static bool list_default(const Scene *scene, SensitivityPaths *paths, Error *error) {
    bool compliant = scene->model == CAROM_MODEL_COMPLIANT, good = true;
    for (int i = 0; i < scene->contact_count && good; i++) {
        good = add(paths, error, "contacts[%d].mu", i) && add(paths, error, "contacts[%d].e", i);
        if (compliant && scene->contact_count > 1) {
            good = good && add(paths, error, "contacts[%d].stiffness", i);
        }
        if (compliant && good) {
            good = add(paths, error, "contacts[%d].stiffness_ratio", i);
        }
    }
    Components components;
    good = components_create(scene, &components) && good;
    int guided = -1; /* the last one: it has one speed instead of velocities */
    for (int i = 0; i < components.count && good; i++) {
        int body = scene->source == SCENE_BODIES ? components.places[i] / 6 : -1;
        const double *guide = body < 0 ? NULL : scene->bodies[body].guide;
        if (!guide || (guide[0] == 0 && guide[1] == 0 && guide[2] == 0)) {
            good = add(paths, error, "%s", components_path(&components, i).text);
        } else if (body != guided) {
            good = add(paths, error, "bodies[%d].guide.speed", body);
            guided = body;
        }
    }
    components_free(&components);
    return good;
}

/* Short names without an index: every contact. */
static bool expand_paths(const Scene *scene, const SensitivityPaths *given, SensitivityPaths *paths,
                         Error *error) {
    if (given->count == 0) {
        return list_default(scene, paths, error);
    }
    bool good = true;
    for (int i = 0; i < given->count && good; i++) {
        const ScenePath *path = &given->paths[i];
        int contacts = path->any_contact ? scene->contact_count : 1;
        for (int k = 0; k < contacts && good; k++) {
            good = path->any_contact ? add(paths, error, "contacts[%d].%s", k, path->short_name)
                                     : add(paths, error, "%s", path->text);
        }
    }
    return good;
}

/* Memory for the rows. */
static bool make_room(const SensitivityPaths *paths, Sensitivity *sensitivity) {
    size_t rows = (size_t)sensitivity->rows, parts = (size_t)sensitivity->components.count;
    size_t width = 2 * rows + parts, count = (size_t)paths->count;
    sensitivity->by = calloc(count + 1, sizeof *sensitivity->by);
    sensitivity->storage = calloc(count * width + parts + 1, sizeof *sensitivity->storage);
    if (!sensitivity->by || !sensitivity->storage) {
        return false;
    }
    sensitivity->after = sensitivity->storage + count * width;
    sensitivity->count = paths->count;
    for (size_t i = 0; i < count; i++) {
        double *start = sensitivity->storage + i * width;
        sensitivity->by[i] = (SensitivityRow){.path = paths->paths[i],
                                              .impulse = start,
                                              .velocity = start + rows,
                                              .components = start + 2 * rows};
    }
    return true;
}

/* Differentiate the impact itself: m rows by all inputs. */
static bool differentiate(const Scene *scene, Sensitivity *sensitivity, double *impulse,
                          double *velocity, Error *error) {
    CaromProblem problem = scene_problem(scene);
    problem.law = scene_law(scene, CAROM_METHOD_EXACT);
    CaromKink kinks[CAROM_KINKS_ONE];
    CaromDerivative derivative = {
        .impulse = impulse, .velocity = velocity, .kinks = kinks, .kink_capacity = CAROM_KINKS_ONE};
    size_t room = carom_derivative_workspace(scene->contact_count);
    double *workspace = calloc(room + 1, sizeof *workspace);
    if (!workspace) {
        return error_set(error, "out of memory");
    }
    CaromStatus status = carom_differentiate(&problem, workspace, NULL, &derivative);
    free(workspace);
    if (status < 0 && !derivative.message[0]) {
        derivative.message = "the impact could not be differentiated";
    }
    sensitivity->smoothness = derivative.smoothness;
    sensitivity->message = derivative.message;
    sensitivity->residual = derivative.residual;
    sensitivity->has_kink = derivative.kink_count > 0;
    if (sensitivity->has_kink) {
        sensitivity->kink = kinks[0];
    }
    return true;
}

/* The gradients of the outcome's components by all inputs, through the impulses; they may exist
 * where those of impulses that contacts share do not. */
static bool differentiate_components(const Scene *scene, Sensitivity *sensitivity,
                                     double *gradients, Error *error) {
    CaromProblem problem = scene_problem(scene);
    problem.law = scene_law(scene, CAROM_METHOD_EXACT);
    int rows = sensitivity->rows, parts = sensitivity->components.count;
    int count = carom_inputs(scene->contact_count, scene->planar).count;
    double *workspace =
        calloc(carom_derivative_workspace(scene->contact_count) + 1, sizeof(double));
    double *unit = calloc((size_t)(rows * (parts + 2) + parts), sizeof *unit);
    if (!workspace || !unit) {
        free(workspace);
        free(unit);
        return error_set(error, "out of memory");
    }
    double *velocity = unit + rows, *changed = velocity + rows, *weights = changed + parts;
    for (int i = 0; i < rows; i++) {
        unit[i] = 1;
        components_after(&sensitivity->components, unit, velocity, changed);
        unit[i] = 0;
        for (int k = 0; k < parts; k++) {
            weights[k * rows + i] = changed[k] - sensitivity->components.before[k];
        }
    }
    for (int k = 0; k < parts; k++) {
        carom_differentiate_reverse(&problem, weights + k * rows, NULL, workspace, NULL, NULL,
                                    gradients + (size_t)k * (size_t)count);
    }
    free(workspace);
    free(unit);
    return true;
}

/* One row: the chain from the number through the inputs to the outcome. */
static bool fill_row(json_t *document, const CaromInputs *layout, const double *impulse_by,
                     const double *velocity_by, const double *gradients, const double *impulse,
                     double *inputs, double *changed, Sensitivity *sensitivity, SensitivityRow *row,
                     Error *error) {
    const Scene *scene = sensitivity->scene;
    if (!scene_path_get(document, &row->path, &row->value, error) ||
        !input_slope(document, scene, &row->path, impulse, inputs, row->components, error)) {
        return false;
    }
    for (int i = 0; i < layout->rows; i++) {
        for (int j = 0; j < layout->count; j++) {
            if (inputs[j] !=
                0) { /* a derivative that does not exist is NaN, but counts only here */
                size_t at = (size_t)i * (size_t)layout->count + (size_t)j;
                row->impulse[i] += impulse_by[at] * inputs[j];
                row->velocity[i] += velocity_by[at] * inputs[j];
            }
        }
    }
    if (scene->source == SCENE_CONTACT_SPACE) {
        memcpy(row->components, row->velocity, (size_t)layout->rows * sizeof *row->components);
        return true;
    }
    for (int k = 0; gradients && k < sensitivity->components.count; k++) {
        for (int j = 0; j < layout->count; j++) {
            double by = gradients[(size_t)k * (size_t)layout->count + (size_t)j];
            row->components[k] += inputs[j] != 0 ? by * inputs[j] : 0;
        }
    }
    if (gradients) {
        return true;
    }
    /* the outcome is linear in the impulse */
    components_after(&sensitivity->components, row->impulse, row->velocity, changed);
    for (int i = 0; i < sensitivity->components.count; i++) {
        row->components[i] += changed[i] - sensitivity->components.before[i];
    }
    return true;
}

static bool is_row_finite(const Sensitivity *sensitivity, const SensitivityRow *row) {
    bool finite = true;
    for (int i = 0; i < sensitivity->rows; i++) {
        finite = finite && isfinite(row->impulse[i]) && isfinite(row->velocity[i]);
    }
    for (int i = 0; i < sensitivity->components.count; i++) {
        finite = finite && isfinite(row->components[i]);
    }
    return finite;
}

/* A derivative that is missing matters only if it was asked for. */
static void forget_missing(Sensitivity *sensitivity) {
    for (int i = 0; i < sensitivity->count; i++) {
        if (!is_row_finite(sensitivity, &sensitivity->by[i])) {
            return;
        }
    }
    if (sensitivity->smoothness == CAROM_NOT_SMOOTH) {
        sensitivity->smoothness = CAROM_ONE_SIDED;
        sensitivity->message = "";
    }
}

static bool fill(json_t *document, const double *impulse, Sensitivity *sensitivity, Error *error) {
    const Scene *scene = sensitivity->scene;
    CaromInputs layout = carom_inputs(scene->contact_count, scene->planar);
    size_t parts = (size_t)sensitivity->components.count, count = (size_t)layout.count;
    size_t size = (size_t)layout.rows * count;
    double *numbers = calloc(2 * size + parts * count + count + parts, sizeof *numbers);
    if (!numbers) {
        return error_set(error, "out of memory");
    }
    double *velocity_by = numbers + size, *inputs = velocity_by + size, *gradients = NULL;
    bool good = differentiate(scene, sensitivity, numbers, velocity_by, error);
    if (good && sensitivity->smoothness == CAROM_NOT_SMOOTH &&
        scene->source != SCENE_CONTACT_SPACE && scene->contact_count > 1) {
        gradients = inputs + count + parts;
        good = differentiate_components(scene, sensitivity, gradients, error);
    }
    for (int i = 0; i < sensitivity->count && good; i++) {
        good = fill_row(document, &layout, numbers, velocity_by, gradients, impulse, inputs,
                        inputs + layout.count, sensitivity, &sensitivity->by[i], error);
    }
    free(numbers);
    if (good) {
        forget_missing(sensitivity);
    }
    return good;
}

bool sensitivity_compute(json_t *document, const Scene *scene, const Solution *solution,
                         const SensitivityPaths *given, Sensitivity *sensitivity, Error *error) {
    const CaromResult *result = &solution->result;
    SensitivityPaths paths = {0};
    *sensitivity = (Sensitivity){.scene = scene, .rows = scene_rows(scene) * scene->contact_count};
    bool good = expand_paths(scene, given, &paths, error);
    if (good &&
        (!components_create(scene, &sensitivity->components) || !make_room(&paths, sensitivity))) {
        good = error_set(error, "out of memory");
    }
    if (good) {
        components_after(&sensitivity->components, result->impulse, result->velocity,
                         sensitivity->after);
        good = fill(document, result->impulse, sensitivity, error);
    }
    sensitivity_paths_free(&paths);
    return good;
}

void sensitivity_free(Sensitivity *sensitivity) {
    components_free(&sensitivity->components);
    free(sensitivity->by);
    free(sensitivity->storage);
    *sensitivity = (Sensitivity){0};
}

double sensitivity_noise(const Sensitivity *sensitivity) {
    double largest = 0;
    for (int i = 0; i < sensitivity->components.count; i++) {
        largest = fmax(largest,
                       fmax(fabs(sensitivity->after[i]), fabs(sensitivity->components.before[i])));
    }
    return 1e-12 * largest;
}

double sensitivity_relative(const Sensitivity *sensitivity, const SensitivityRow *row,
                            int component) {
    double y = sensitivity->after[component];
    return fabs(y) > sensitivity_noise(sensitivity) ? row->components[component] * row->value / y
                                                    : (double)NAN;
}

const char *sensitivity_status(const Sensitivity *sensitivity) {
    bool on_kink = sensitivity->has_kink && sensitivity->kink.distance == 0;
    return sensitivity->smoothness == CAROM_NOT_SMOOTH  ? "none"
           : on_kink && sensitivity->kink.jumps         ? "jump"
           : sensitivity->smoothness == CAROM_ONE_SIDED ? "one_sided"
                                                        : "ok";
}
