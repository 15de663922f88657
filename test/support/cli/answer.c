#include "support/cli/answer.h"

#include <stdio.h>
#include <string.h>

#include "support/check.h"

json_t *parse_line(const char *line) {
    json_error_t error;
    json_t *object = json_loads(line, JSON_REJECT_DUPLICATES, &error);
    if (!object) {
        fail_msg("not JSON: %s in %s", error.text, line);
    }
    return object;
}

json_t *run_line(Run run) {
    if (run.status != 0) {
        fail_msg("exit status %d: %s", run.status, run.err);
    }
    json_t *line = parse_line(run.out);
    run_free(&run);
    return line;
}

json_t *solve_file(const char *path) {
    return run_line(program_run(NULL, "solve", "--json", path, NULL));
}

json_t *solve_text(const char *scene) {
    return run_line(program_run(scene, "solve", "--json", "-", NULL));
}

json_t *solve_scene(const char *name) {
    return solve_file(scene_path(name));
}

double number_at(const json_t *object, const char *key) {
    json_t *value = json_object_get(object, key);
    if (!json_is_number(value)) {
        fail_msg("\"%s\" is not a number", key);
    }
    return json_number_value(value);
}

const char *text_at(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    if (!text) {
        fail_msg("\"%s\" is not a text", key);
    }
    return text;
}

double element(const json_t *object, const char *key, size_t index) {
    const json_t *array = json_object_get(object, key);
    assert_true(index < json_array_size(array));
    return json_number_value(json_array_get(array, index));
}

void check_array(const json_t *array, const double *expected, size_t size, double tolerance) {
    assert_int_equal(json_array_size(array), size);
    for (size_t i = 0; i < size; i++) {
        check_close(json_number_value(json_array_get(array, i)), expected[i], tolerance);
    }
}

void check_keys(const json_t *object, const char *expected) {
    char keys[512] = "";
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value) {
        snprintf(keys + strlen(keys), sizeof keys - strlen(keys), "%s ", key);
    }
    assert_string_equal(keys, expected);
}

void check_energy_account(const json_t *line) {
    const json_t *energy = json_object_get(line, "energy");
    double before = number_at(energy, "before"), after = number_at(energy, "after");
    double lost = number_at(energy, "normal_loss") + number_at(energy, "friction_loss");
    check_close(after, before + number_at(energy, "change"), 1e-14 * before);
    check_close(after, before - lost, 1e-14 * before);
}
