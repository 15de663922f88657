/* Derivatives of what is wanted: flight, rolling and the impact, against differences of the
 * outcome. */
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "aim/aim_run.h"
#include "aim/aim_slope.h"
#include "base/document.h"
#include "scene/scene_read.h"
#include "support/check.h"
#include "support/cli/program.h"

/* A scene with one number changed, solved. */
typedef struct Case {
    json_t *document;
    Scene scene;
    Solution solution;
} Case;

static Case open_case(const AimRun *run, const ScenePath *path, double number) {
    Case made = {.document = json_deep_copy(run->document)};
    CaromOptions options = carom_options_default();
    Error error;
    assert_true(!path || scene_path_set(made.document, path, number, &error));
    assert_true(scene_from_json(made.document, &made.scene, &error));
    assert_true(solution_compute(&made.scene, &options, &made.solution));
    assert_true(made.solution.result.status >= 0);
    return made;
}

static void close_case(Case *made) {
    solution_free(&made->solution);
    scene_free(&made->scene);
    json_decref(made->document);
}

static void numbers_at(const AimRun *run, const ScenePath *path, double number, double *numbers) {
    Case made = open_case(run, path, number);
    for (int i = 0, at = 0; i < run->wish_count; i++) {
        double given[3], wanted[3];
        assert_true(aim_wish_numbers(&run->wishes[i], &made.scene, &made.solution, given, wanted));
        memcpy(numbers + at, given, (size_t)aim_wish_size(&run->wishes[i]) * sizeof *given);
        at += aim_wish_size(&run->wishes[i]);
    }
    close_case(&made);
}

/* Slopes by one number, both ways. */
static void check_path(const AimRun *run, const char *text, double step, double tolerance) {
    ScenePath path;
    Error error;
    double value, exact[CAROM_AIM_MISSES_MAX], ends[2][CAROM_AIM_MISSES_MAX], largest = 0;
    assert_true(scene_path_read(text, strlen(text), &path, &error));
    assert_true(scene_path_get(run->document, &path, &value, &error));
    Case made = open_case(run, NULL, 0);
    assert_true(aim_slopes(made.document, &made.scene, &made.solution, run->wishes, run->wish_count,
                           &path, 1, exact));
    close_case(&made);
    double h = step * fmax(fabs(value), 0.1);
    numbers_at(run, &path, value - h, ends[0]);
    numbers_at(run, &path, value + h, ends[1]);
    for (int i = 0; i < run->miss_count; i++) {
        largest = fmax(largest, fabs(exact[i]));
    }
    for (int i = 0; i < run->miss_count; i++) {
        double difference = (ends[1][i] - ends[0][i]) / (2 * h);
        if (!(fabs(exact[i] - difference) <= tolerance * (1 + largest))) {
            fail_msg("%s: number %d: %.12g, by differences %.12g", text, i, exact[i], difference);
        }
    }
}

static void check_scene(const char *name, const char *wanted, const char *const *paths, double step,
                        double tolerance) {
    Error error;
    AimRun *run = calloc(1, sizeof *run);
    json_t *document = document_read_file(scene_path(name), &error);
    assert_non_null(document);
    if (wanted) {
        json_object_set_new(json_object_get(document, "aim"), "wanted",
                            json_loads(wanted, 0, NULL));
    }
    assert_true(aim_read(document, run, &error));
    for (int k = 0; k < run->free_count; k++) {
        check_path(run, run->free[k].text, step, tolerance);
    }
    for (; *paths; paths++) {
        check_path(run, *paths, step, tolerance);
    }
    aim_free(run);
    free(run);
    json_decref(document);
}

static void test_flight(void **state) {
    (void)state;
    static const char *const paths[] = {"contacts[0].mu",        "contacts[0].e",
                                        "bodies[0].mass",        "bodies[0].velocity[1]",
                                        "bodies[0].position[2]", "bodies[0].angular_velocity[1]",
                                        "contacts[0].turn_y",    NULL};
    static const char direction[] = "[{\"direction\": \"ball\", \"value\": [1, 1, 1], "
                                    "\"tolerance\": 1}, {\"velocity\": \"bodies[0].velocity[2]\", "
                                    "\"value\": 1, \"tolerance\": 1}]";
    static const char too_high[] = "[{\"landing\": \"ball\", \"value\": [1, 1], \"height\": 99, "
                                   "\"tolerance\": 1}]";
    check_scene("aim/bat.json", NULL, paths, 1e-6, 1e-7); /* measured 3e-9 */
    check_scene("aim/bat.json", direction, paths, 1e-6, 1e-7);
    check_scene("aim/bat.json", too_high, paths, 1e-6, 1e-7);
    check_scene("aim/table_tennis.json", NULL, paths, 1e-6, 1e-7);
}

static void test_rolling(void **state) {
    (void)state;
    static const char *const paths[] = {
        "contacts[0].mu", "contacts[1].e", "contacts[1].stiffness", "bodies[1].position[0]",
        "roll.mu_slide",  "roll.mu_roll",  "roll.gravity",          NULL};
    static const char rest[] = "[{\"rest\": [-1, 0], \"tolerance\": 1}]";
    /* points near which the ball slides, rolls, and starts */
    static const char sliding[] = "[{\"passes\": [-0.4, -0.1], \"tolerance\": 1}]";
    static const char rolling[] = "[{\"passes\": [-3, -0.2], \"tolerance\": 1}]";
    static const char start[] = "[{\"passes\": [2, 0], \"tolerance\": 1}]";
    check_scene("aim/masse.json", rest, paths, 1e-5, 1e-5);
    check_scene("aim/masse.json", sliding, paths, 1e-5, 1e-5);
    check_scene("aim/masse.json", rolling, paths, 1e-5, 1e-5);
    check_scene("aim/masse.json", start, paths, 1e-5, 1e-5);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_flight),
                                       cmocka_unit_test(test_rolling)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
