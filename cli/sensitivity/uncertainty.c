/* Uncertainty: error bars of an outcome from those of a scene's numbers. */
#include "sensitivity/uncertainty.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "io/command_line.h"
#include "io/progress.h"
#include "outcomes/sampling.h"
#include "scene/scene_read.h"

/* One term of `length` characters. */
static int read_term(const char *command, const char *text, size_t length, UncertaintyTerm *term) {
    const char *equals = memchr(text, '=', length);
    int shown = (int)(length < 64 ? length : 64);
    Error error;
    if (!equals) {
        return usage_fail(command,
                          "--uncertainty: must be NAME=SIGMA,... or NAME=SIGMA%%,..., got "
                          "\"%.*s\"",
                          shown, text);
    }
    size_t name = (size_t)(equals - text), rest = length - name - 1;
    *term = (UncertaintyTerm){.percent = rest > 0 && text[length - 1] == '%'};
    term->velocities = name == 8 && strncmp(text, "velocity", 8) == 0;
    if (!term->velocities && !scene_path_read(text, name, &term->path, &error)) {
        return usage_fail(command, "--uncertainty: %s", error.text);
    }
    rest -= term->percent;
    if (!text_span_to_number(equals + 1, rest, &term->sigma) || !(term->sigma > 0)) {
        return usage_fail(command,
                          "--uncertainty: %.*s: the standard deviation must be a number > 0, "
                          "got \"%.*s\"",
                          (int)(name < 64 ? name : 64), text, (int)(rest < 64 ? rest : 64),
                          equals + 1);
    }
    return 0;
}

int uncertainty_read(const char *command, const char *text, void *target) {
    Uncertainty *uncertainty = target;
    while (text) {
        const char *comma = strchr(text, ',');
        if (uncertainty->count == UNCERTAINTY_TERMS_MAX) {
            return usage_fail(command, "--uncertainty: at most %d terms", UNCERTAINTY_TERMS_MAX);
        }
        int wrong = read_term(command, text, comma ? (size_t)(comma - text) : strlen(text),
                              &uncertainty->terms[uncertainty->count]);
        if (wrong) {
            return wrong;
        }
        uncertainty->count++;
        text = comma ? comma + 1 : NULL;
    }
    return 0;
}

static bool is_listed(const SensitivityPaths *paths, const ScenePath *path) {
    bool found = false;
    for (int i = 0; i < paths->count && !found; i++) {
        found = strcmp(paths->paths[i].text, path->text) == 0;
    }
    return found;
}

/* The paths of the terms, in their order; a name may stand for several. */
static bool list_paths(const Scene *scene, const Uncertainty *uncertainty, SensitivityPaths *paths,
                       int *term_of, Error *error) {
    for (int t = 0; t < uncertainty->count; t++) {
        const UncertaintyTerm *term = &uncertainty->terms[t];
        Components components;
        bool good = components_create(scene, &components);
        int numbers = term->velocities         ? components.count
                      : term->path.any_contact ? scene->contact_count
                                               : 1;
        for (int i = 0; i < numbers && good; i++) {
            ScenePath path = term->path;
            Words made = words_of("%s", path.text);
            if (term->velocities) {
                made = components_path(&components, i);
            } else if (path.any_contact) {
                made = words_of("contacts[%d].%s", i, path.short_name);
            }
            good = paths->count < SENSITIVITY_PATHS_MAX &&
                   scene_path_read(made.text, strlen(made.text), &path, error);
            if (good && is_listed(paths, &path)) {
                components_free(&components);
                return error_set(error, "--uncertainty: %s is given twice", path.text);
            }
            if (good) {
                term_of[paths->count] = t;
                paths->paths[paths->count++] = path;
            }
        }
        components_free(&components);
        if (!good) {
            return error_set(error, "--uncertainty: too many numbers");
        }
    }
    return true;
}

/* A normal deviate by the polar method of Box and Muller. */
static double normal(Sampling *sampling) {
    double u = 1 - sampling_uniform(sampling), angle = 2 * acos(-1) * sampling_uniform(sampling);
    return sqrt(-2 * log(u)) * cos(angle);
}

/* Give number i a random value. */
static bool set_random(json_t *document, const ErrorBars *bars, int i, Sampling *sampling) {
    const SensitivityRow *by = &bars->sensitivity.by[i];
    Error ignored;
    return scene_path_set(document, &by->path, by->value + bars->sigmas[i] * normal(sampling),
                          &ignored);
}

/* False: the scene has a number that is not allowed. Use scene_free() in any case. */
static bool read_scene(json_t *document, Scene *scene) {
    Error ignored;
    *scene = (Scene){0};
    return scene_from_json(document, scene, &ignored);
}

/* Random values for one number after the other. Those that are not allowed (e > 1, mu < 0) are
 * drawn again, at most 1000 times. */
static bool draw_each(json_t *document, const ErrorBars *bars, Sampling *sampling) {
    bool good = true;
    for (int i = 0; i < bars->sensitivity.count && good; i++) {
        good = bars->sigmas[i] == 0;
        for (int attempt = 0; attempt < 1000 && !good; attempt++) {
            Scene scene;
            good = set_random(document, bars, i, sampling) && read_scene(document, &scene);
            scene_free(&scene);
        }
    }
    return good;
}

/* Read the scene at a random point. Where all numbers at once are not allowed, they are drawn one
 * by one: several at an edge (mu = 0) would hardly ever be allowed together. */
static bool draw(const json_t *document, const ErrorBars *bars, Sampling *sampling, Scene *scene) {
    json_t *copy = json_deep_copy(document), *other = json_deep_copy(document);
    bool good = copy && other;
    for (int i = 0; i < bars->sensitivity.count && good; i++) {
        good = set_random(copy, bars, i, sampling);
    }
    *scene = (Scene){0};
    if (copy && other && !(good && read_scene(copy, scene))) {
        scene_free(scene);
        good = draw_each(other, bars, sampling) && read_scene(other, scene);
    }
    json_decref(copy);
    json_decref(other);
    return good;
}

/* Solve at a random point; the components go to a row. False: no answer there. */
static bool sample(json_t *document, const ErrorBars *bars, const CaromOptions *options,
                   Sampling *sampling, double *row) {
    Scene scene;
    Solution solution = {0};
    Components components = {0};
    if (!draw(document, bars, sampling, &scene)) {
        scene_free(&scene);
        return false;
    }
    bool good = solution_compute(&scene, options, &solution) && solution_has_result(&solution) &&
                components_create(&scene, &components);
    if (good) {
        components_after(&components, solution.result.impulse, solution.result.velocity, row);
    }
    components_free(&components);
    solution_free(&solution);
    scene_free(&scene);
    return good;
}

static int compare_numbers(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Mean, deviation and interval of a component from the samples. */
static void measure_bar(const double *rows, int count, int parts, int component, double *column,
                        ErrorBar *bar) {
    double sum = 0, squares = 0;
    for (int i = 0; i < count; i++) {
        column[i] = rows[(size_t)i * (size_t)parts + (size_t)component];
        sum += column[i];
    }
    bar->mean = sum / count;
    for (int i = 0; i < count; i++) {
        squares += (column[i] - bar->mean) * (column[i] - bar->mean);
    }
    bar->sampled = sqrt(squares / (count - 1));
    qsort(column, (size_t)count, sizeof *column, compare_numbers);
    bar->low = column[(int)(0.025 * count)];
    bar->high = column[(int)(0.975 * count)];
}

/* Do linear and sampled error bars agree? With 1000 samples a deviation is known to 2.2 per cent.
 */
static bool bars_agree(const ErrorBar *bar, double noise) {
    double larger = fmax(bar->linear, bar->sampled);
    if (isnan(bar->linear)) {
        return false;
    }
    return larger <= noise || (fabs(bar->linear - bar->sampled) <= 0.2 * larger &&
                               fabs(bar->mean - bar->value) <= 0.5 * larger);
}

static bool fill_bars(json_t *document, const CaromOptions *options, long seed, ErrorBars *bars,
                      Error *error) {
    const Sensitivity *by = &bars->sensitivity;
    int parts = by->components.count;
    double *rows = calloc((size_t)UNCERTAINTY_SAMPLES * (size_t)(parts + 1), sizeof *rows);
    Sampling sampling = sampling_start(seed);
    double scale = 0;
    bars->bars = calloc((size_t)parts + 1, sizeof *bars->bars);
    if (!rows || !bars->bars) {
        free(rows);
        return error_set(error, "out of memory");
    }
    for (int i = 0; i < UNCERTAINTY_SAMPLES; i++) {
        if (i % 16 == 0) {
            progress_show("sample %d of %d", i, UNCERTAINTY_SAMPLES);
        }
        bars->samples += sample(document, bars, options, &sampling,
                                rows + (size_t)bars->samples * (size_t)parts);
    }
    progress_end();
    bars->agree = bars->samples == UNCERTAINTY_SAMPLES;
    for (int i = 0; i < parts; i++) {
        scale = fmax(scale, fabs(by->after[i]));
    }
    for (int i = 0; i < parts && bars->samples > 1; i++) {
        ErrorBar *bar = &bars->bars[i];
        bar->value = by->after[i];
        for (int k = 0; k < by->count; k++) {
            bar->linear = hypot(bar->linear, by->by[k].components[i] * bars->sigmas[k]);
        }
        measure_bar(rows, bars->samples, parts, i,
                    rows + (size_t)UNCERTAINTY_SAMPLES * (size_t)parts, bar);
        bars->agree = bars->agree && bars_agree(bar, 1e-9 * scale);
    }
    free(rows);
    return bars->samples > 1 ||
           error_set(error,
                     "--uncertainty: none of the samples could be solved; a number at the edge "
                     "of what is allowed, such as mu = 0, has samples beyond it");
}

bool error_bars_compute(json_t *document, const Scene *scene, const Solution *solution,
                        const CaromOptions *options, const Uncertainty *uncertainty, long seed,
                        ErrorBars *bars, Error *error) {
    SensitivityPaths paths = {.wanted = true,
                              .paths = calloc(SENSITIVITY_PATHS_MAX, sizeof *paths.paths)};
    int *term_of = calloc(SENSITIVITY_PATHS_MAX, sizeof *term_of);
    *bars = (ErrorBars){0};
    bool good = (paths.paths && term_of) || error_set(error, "out of memory");
    good = good && list_paths(scene, uncertainty, &paths, term_of, error) &&
           sensitivity_compute(document, scene, solution, &paths, &bars->sensitivity, error);
    if (good) {
        bars->sigmas = calloc((size_t)paths.count + 1, sizeof *bars->sigmas);
        good = bars->sigmas || error_set(error, "out of memory");
    }
    for (int i = 0; i < paths.count && good; i++) {
        const UncertaintyTerm *term = &uncertainty->terms[term_of[i]];
        bars->sigmas[i] =
            term->sigma * (term->percent ? fabs(bars->sensitivity.by[i].value) / 100 : 1);
    }
    good = good && fill_bars(document, options, seed, bars, error);
    sensitivity_paths_free(&paths);
    free(term_of);
    return good;
}

void error_bars_free(ErrorBars *bars) {
    sensitivity_free(&bars->sensitivity);
    free(bars->sigmas);
    free(bars->bars);
    *bars = (ErrorBars){0};
}
