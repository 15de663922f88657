/* Scenes: from a document, and what a scene owns. */
#include "scene.h"

#include <stdlib.h>
#include <string.h>

#include "document.h"
#include "scene_json.h"

/* Takes the document, which may be NULL: then *error is filled already. */
static bool read_document(json_t *document, Scene *scene, SceneError *error) {
    *scene = (Scene){0};
    bool good = document && scene_from_json(document, scene, error);
    json_decref(document);
    if (!good) {
        scene_free(scene);
    }
    return good;
}

bool scene_read_memory(const char *bytes, size_t size, Scene *scene, SceneError *error) {
    return read_document(document_read_memory(bytes, size, error), scene, error);
}

bool scene_read_file(const char *path, Scene *scene, SceneError *error) {
    return read_document(document_read_file(path, error), scene, error);
}

const char *scene_file_name(const char *path) {
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

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

int scene_rows(const Scene *scene) {
    return scene->planar ? 2 : 3;
}

bool scene_has_process(const Scene *scene) {
    return scene->model != CAROM_MODEL_RIGID || scene->contact_count == 1;
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
