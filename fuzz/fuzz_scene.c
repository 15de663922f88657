/* Fuzz target: arbitrary bytes to the scene reader; accepted scenes to the solver and both reports.
 *
 * Oracles: nothing crashes (build with the sanitizers); a refused scene has a message in plain
 * text and owns nothing; a solve ends with a known status, a success with finite numbers, a failure
 * with a message; successive states of several contacts differ, and no contact acts in the last;
 * the text report has no control characters, and the JSON report can be built. The numbers
 * themselves are not checked. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <carom/carom.h>

#include "fuzz_reader.h"
#include "report/json/json_report.h"
#include "report/text/text_report.h"
#include "scene/scene_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Scenes with more contacts are read but not solved: a rack of balls with many bounces takes 0.1 s,
 * and a hundred times as long with the fuzzer's instrumentation. */
enum { CONTACTS_SOLVED = 10 };

/* The same for several contacts of very different inertia or stiffness. */
#define RATIO_SOLVED 1e3

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

/* Each state differs from the previous one. */
static void check_states(const Scene *scene, const Solution *solution) {
    const States *states = &solution->states;
    size_t count = (size_t)scene->contact_count;
    if (solution->result.status < 0 || !states->active) {
        return;
    }
    require(states->count > 1, "several contacts must act, and end");
    for (int i = 0; i < states->count; i++) {
        const unsigned char *now = states_active(scene, states, i);
        bool last = i + 1 == states->count;
        require(i == 0 || memcmp(now, states_active(scene, states, i - 1), count) != 0,
                "two equal states in a row");
        require(!last || states_active_count(scene, now) == 0, "a contact acts to the end");
    }
}

static void check_reports(const Scene *scene, const Solution *solution) {
    char *text = NULL;
    size_t length = 0;
    json_t *object = report_json(scene, solution);
    require(object != NULL, "no report in JSON");
    json_decref(object);
    if (!solution_has_result(solution)) {
        return;
    }
    FILE *file = open_memstream(&text, &length);
    if (file) {
        report_text(file, scene, solution);
        fclose(file);
    }
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        require((c >= ' ' && c != 127) || c == '\n', "a report holds a control character");
    }
    free(text);
}

/* Extend a range by x, if x > 0; true if the range becomes too wide. */
static bool widens(double x, double *low, double *high) {
    if (x > 0) {
        *low = fmin(*low, x);
        *high = fmax(*high, x);
    }
    return *high > RATIO_SOLVED * *low;
}

static bool is_quick(const Scene *scene) {
    int rows = scene_rows(scene), size = rows * scene->contact_count;
    double W[2] = {INFINITY, 0}, k[2] = {INFINITY, 0};
    if (scene->contact_count == 1) {
        return true;
    }
    for (int i = 0; i < size && scene->contact_count <= CONTACTS_SOLVED; i++) {
        const CaromContact *contact = &scene->contacts[i / rows];
        double stiffness = isinf(contact->stiffness) ? 0 : contact->stiffness;
        if (widens(scene->inverse_inertia[i * size + i], &W[0], &W[1]) ||
            widens(stiffness, &k[0], &k[1]) ||
            widens(stiffness / contact->stiffness_ratio, &k[0], &k[1])) {
            return false;
        }
    }
    return scene->contact_count <= CONTACTS_SOLVED;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Scene scene;
    Error error;
    if (!scene_read_memory((const char *)data, size, &scene, &error)) {
        check_refusal(&scene, &error);
        return 0;
    }
    CaromOptions options = carom_options_default();
    Solution solution = {0};
    if (is_quick(&scene) && solution_compute(&scene, &options, &solution)) {
        check_solution(&scene, &solution);
        check_states(&scene, &solution);
        check_reports(&scene, &solution);
    }
    solution_free(&solution);
    scene_free(&scene);
    return 0;
}
