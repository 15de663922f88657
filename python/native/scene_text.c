/* Scenes as texts: read, checked, solved and edited by the program's own code. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/document.h"
#include "base/json_write.h"
#include "report/json/json_report.h"
#include "report/text/text_report.h"
#include "rows.h"
#include "scene/scene_path.h"
#include "scene/scene_read.h"

static void fail(char *error, const char *text) {
    snprintf(error, sizeof((Error *)0)->text, "%s", text);
}

void text_free(char *text) {
    free(text);
}

static bool read_scene(const char *text, size_t size, Scene *scene, char *error) {
    Error why;
    bool good = scene_read_memory(text, size, scene, &why);
    if (!good) {
        fail(error, why.text);
    }
    return good;
}

char *scene_file(const char *path, char *error) {
    Error why;
    size_t size;
    char *bytes = document_read_bytes(path, &size, &why);
    Scene scene = {0};
    if (!bytes) {
        fail(error, why.text);
        return NULL;
    }
    if (!read_scene(bytes, size, &scene, error)) {
        free(bytes);
        return NULL;
    }
    scene_free(&scene);
    return bytes;
}

int scene_check(const char *text, size_t size, SceneSizes *sizes, char *error) {
    Scene scene = {0};
    bool good = read_scene(text, size, &scene, error);
    if (good) {
        *sizes = (SceneSizes){.contacts = scene.contact_count,
                              .rows = scene_rows(&scene),
                              .model = (int)scene.model,
                              .law = (int)scene_law(&scene, CAROM_METHOD_EXACT),
                              .speeds = scene.system.speed_count,
                              .bodies = scene.body_count};
    }
    scene_free(&scene);
    return good;
}

int scene_numbers(const char *text, size_t size, double *W, double *v, double *coefficients,
                  char *error) {
    Scene scene = {0};
    bool good = read_scene(text, size, &scene, error);
    if (good) {
        size_t m = (size_t)(scene_rows(&scene) * scene.contact_count);
        memcpy(W, scene.inverse_inertia, m * m * sizeof *W);
        memcpy(v, scene.velocity, m * sizeof *v);
        for (int i = 0; i < scene.contact_count; i++) {
            const CaromContact *contact = &scene.contacts[i];
            double *to = &coefficients[5 * i];
            to[0] = contact->mu;
            to[1] = contact->mu_static;
            to[2] = contact->e;
            to[3] = contact->stiffness < 0 ? 0 : contact->stiffness; /* 0 is the limit here */
            to[4] = contact->stiffness_ratio;
        }
    }
    scene_free(&scene);
    return good;
}

static void write_report(FILE *file, const Scene *scene, const Solution *solution, int words,
                         bool *good) {
    if (!words) {
        *good = json_write_line(file, report_json(scene, solution));
    } else if (solution_has_result(solution)) {
        report_text(file, scene, solution);
    }
}

/* A report as a text; NULL: no memory. */
static char *report(const Scene *scene, const Solution *solution, int words) {
    char *text = NULL;
    size_t length;
    FILE *file = open_memstream(&text, &length);
    if (!file) {
        return NULL;
    }
    bool good = true;
    write_report(file, scene, solution, words, &good);
    good = !ferror(file) && good;
    good = fclose(file) == 0 && good;
    if (!good) {
        free(text);
    }
    return good ? text : NULL;
}

char *scene_solve(const char *text, size_t size, const Settings *settings, int words, char *error) {
    Scene scene = {0};
    Solution solution = {0};
    char *answer = NULL;
    if (!read_scene(text, size, &scene, error)) {
        return NULL;
    }
    CaromOptions options = settings_options(settings);
    options.jumps = 1;
    if (solution_compute(&scene, &options, &solution)) {
        answer = report(&scene, &solution, words);
    }
    if (!answer) {
        fail(error, "out of memory");
    }
    solution_free(&solution);
    scene_free(&scene);
    return answer;
}

/* The document and the path. NULL: see error. */
static json_t *read_path(const char *text, size_t size, const char *name, ScenePath *path,
                         char *error) {
    Error why;
    json_t *document = NULL;
    if (!scene_path_read(name, strlen(name), path, &why) ||
        !(document = document_read_memory(text, size, &why))) {
        fail(error, why.text);
    }
    return document;
}

int scene_get(const char *text, size_t size, const char *path, double *number, char *error) {
    ScenePath place;
    Error why;
    json_t *document = read_path(text, size, path, &place, error);
    if (!document) {
        return 0;
    }
    bool good = scene_path_get(document, &place, number, &why);
    if (!good) {
        fail(error, why.text);
    }
    json_decref(document);
    return good;
}

char *scene_set(const char *text, size_t size, const char *path, double number, char *error) {
    ScenePath place;
    Error why;
    json_t *document = read_path(text, size, path, &place, error);
    char *answer = NULL;
    if (!document) {
        return NULL;
    }
    if (scene_path_set(document, &place, number, &why)) {
        answer = json_dumps(document, JSON_COMPACT | JSON_REAL_PRECISION(17));
        if (!answer) {
            fail(error, "out of memory");
        }
    } else {
        fail(error, why.text);
    }
    json_decref(document);
    return answer;
}
