/* Fuzz target: any bytes to the scene reader, and what it accepts to the solver.
 *
 * Oracles: nothing crashes (build with the sanitizers); a refused scene has a message in plain
 * text and owns nothing; a solve ends with a known status, a success with finite numbers, a failure
 * with a message. Whether the numbers are right is not asked here. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <carom/carom.h>

#include "scene.h"
#include "solution.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition, const char *what) {
    if (!condition) {
        fprintf(stderr, "fuzz_scene: %s\n", what);
        abort();
    }
}

static void check_refusal(const Scene *scene, const SceneError *error) {
    size_t length = strnlen(error->text, sizeof error->text);
    require(length > 0 && length < sizeof error->text, "a refused scene needs a message");
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)error->text[i];
        require(c >= ' ' && c != 127, "a message holds a control character");
    }
    require(!scene->name && !scene->description && !scene->contacts && !scene->inverse_inertia &&
                !scene->velocity && !scene->bodies && !scene->body_names && !scene->sites &&
                !scene->system.mass_matrix && !scene->system.speeds && !scene->system.jacobian &&
                !scene->system.responses,
            "a refused scene must own nothing");
}

static void check_solution(const Scene *scene, const Solution *solution) {
    const CaromResult *result = &solution->result;
    require(strcmp(carom_status_string(result->status), "unknown_status") != 0, "unknown status");
    require(result->status >= 0 || result->message[0], "a failure needs a message");
    int size = scene_rows(scene) * scene->contact_count;
    for (int i = 0; i < size && result->status >= 0; i++) {
        require(isfinite(result->impulse[i]) && isfinite(result->velocity[i]),
                "a success must have finite numbers");
    }
    require(result->status < 0 || scene->source != SCENE_BODIES || solution->bodies,
            "a success must move the bodies");
    require(result->status < 0 || scene->source != SCENE_SYSTEM || solution->speeds,
            "a success must change the speeds");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Scene scene;
    SceneError error;
    if (!scene_read_memory((const char *)data, size, &scene, &error)) {
        check_refusal(&scene, &error);
        return 0;
    }
    CaromOptions options = carom_options_default();
    Solution solution;
    if (solution_compute(&scene, &options, &solution)) {
        check_solution(&scene, &solution);
    }
    solution_free(&solution);
    scene_free(&scene);
    return 0;
}
