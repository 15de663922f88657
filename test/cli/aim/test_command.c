/* carom aim: round trips. An outcome is computed by carom solve or roll, wished for, and the strike
 * comes back. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/cli/answer.h"
#include "support/cli/program.h"

/* A rigid ball with spin, and a wish. */
#define BALL(vx, spin, aim)                                                                        \
    "{\"carom\":1,\"model\":\"rigid\",\"bodies\":[{\"name\":\"ball\",\"mass\":1,\"inertia\":"      \
    "[0.4,0.4,0.4],\"position\":[0,0,1],\"velocity\":[" vx ",0,-3],\"angular_velocity\":[0," spin  \
    ",0]},{\"name\":\"floor\",\"mass\":\"infinite\"}],\"contacts\":[{\"bodies\":[0,1],\"point\":"  \
    "[0,0,0],\"normal\":[0,0,1],\"tangent\":[1,0,0],\"mu\":0.2,\"e\":0.8}]" aim "}"

static double value_at(const json_t *solution, const char *path) {
    return number_at(json_object_get(solution, "values"), path);
}

static const json_t *solution_at(const json_t *line, size_t index) {
    return json_array_get(json_object_get(line, "solutions"), index);
}

/* Velocities of two strikes come back: one that slips throughout, one whose slip stops. */
static void test_velocities(void **state) {
    (void)state;
    static const char *const strikes[] = {BALL("7", "0", ""), BALL("2", "-1", "")};
    static const double speeds[] = {7, 2};
    for (size_t i = 0; i < 2; i++) {
        char text[2048];
        json_t *solved = solve_text(strikes[i]);
        const json_t *ball = json_array_get(json_object_get(solved, "bodies"), 0);
        snprintf(text, sizeof text,
                 BALL("1", "%s",
                      ",\"aim\":{\"free\":{\"bodies[0].velocity[0]\":[0.5,20]},"
                      "\"wanted\":[{\"velocity\":\"bodies[0].velocity[0]\",\"value\":"
                      "%.17g,\"tolerance\":1e-6}]}"),
                 i == 0 ? "0" : "-1", element(ball, "velocity", 0));
        json_t *line = run_line(program_run(text, "aim", "--json", "-", NULL));
        check_keys(line, "status solutions ");
        const json_t *found = solution_at(line, 0);
        check_keys(found, "values sequence residual family at_bound outcome sensitivity ");
        check_close(value_at(found, "bodies[0].velocity[0]"), speeds[i], 1e-5);
        assert_string_equal(text_at(found, "sequence"), text_at(solved, "sequence"));
        json_decref(line);
        json_decref(solved);
    }
}

/* dv_x/dmu of a ball that slips: -(1 + e) |v_n|. */
static void test_sensitivity(void **state) {
    (void)state;
    json_t *line = run_line(program_run(
        BALL("7", "0",
             ",\"aim\":{\"free\":{\"bodies[0].velocity[0]\":[5,20]},\"wanted\":[{"
             "\"velocity\":\"bodies[0].velocity[0]\",\"value\":6,\"tolerance\":0.001}]}"),
        "aim", "--json", "-", NULL));
    const json_t *by = json_object_get(solution_at(line, 0), "sensitivity");
    check_close(element(by, "contacts[0].mu", 0), -1.8 * 3, 1e-6);
    check_close(element(by, "contacts[0].e", 0), -0.2 * 3, 1e-6);
    json_decref(line);
}

/* What cannot be: more than the energy allows. The closest is at the end of its range. */
static void test_none(void **state) {
    (void)state;
    Run run = program_run(
        BALL("7", "0",
             ",\"aim\":{\"free\":{\"bodies[0].velocity[0]\":[5,20]},\"wanted\":[{"
             "\"velocity\":\"bodies[0].velocity[0]\",\"value\":30,\"tolerance\":0.1}]}"),
        "aim", "--json", "-", NULL);
    assert_int_equal(run.status, 1);
    json_t *line = parse_line(run.out);
    assert_string_equal(text_at(line, "status"), "no_solution");
    assert_int_equal(json_array_size(json_object_get(line, "solutions")), 0);
    check_contains(text_at(line, "message"), "bodies[0].velocity[0] is at the end of its range");
    check_close(value_at(json_object_get(line, "closest"), "bodies[0].velocity[0]"), 20, 1e-9);
    json_decref(line);
    run_free(&run);
}

/* The scenes: each has a solution, and the strike put into the scene gives what was wanted. */
static void test_scenes(void **state) {
    (void)state;
    static const char *const names[] = {"aim/bat.json", "aim/table_tennis.json",
                                        "aim/superball.json", "aim/masse.json"};
    static const size_t least[] = {2, 1, 1, 1};
    for (size_t i = 0; i < 4; i++) {
        json_t *line = run_line(program_run(NULL, "aim", "--json", scene_path(names[i]), NULL));
        size_t count = json_array_size(json_object_get(line, "solutions"));
        assert_true(count >= least[i]);
        for (size_t k = 0; k < count; k++) {
            assert_true(number_at(solution_at(line, k), "residual") <= 1);
        }
        json_decref(line);
    }
    /* tilts of the bat by a dense scan with a contact space of its own */
    json_t *bat = run_line(program_run(NULL, "aim", "--json", scene_path("aim/bat.json"), NULL));
    assert_int_equal(json_array_size(json_object_get(bat, "solutions")), 2);
    check_close(value_at(solution_at(bat, 0), "contacts[0].turn_y"), -0.09065192638, 1e-9);
    check_close(value_at(solution_at(bat, 1), "contacts[0].turn_y"), -0.94967251894, 1e-9);
    json_decref(bat);
    /* the massé shot by carom roll, which knows nothing of the search */
    json_t *line = run_line(program_run(NULL, "aim", "--json", scene_path("aim/masse.json"), NULL));
    json_t *scene = json_load_file(scene_path("aim/masse.json"), 0, NULL);
    json_t *guide = json_object_get(json_array_get(json_object_get(scene, "bodies"), 0), "guide");
    const json_t *found = solution_at(line, 0);
    json_object_set_new(guide, "speed", json_real(value_at(found, "bodies[0].guide.speed")));
    json_array_set_new(json_object_get(guide, "axis"), 0,
                       json_real(value_at(found, "bodies[0].guide.axis[0]")));
    json_array_set_new(json_object_get(guide, "axis"), 1,
                       json_real(value_at(found, "bodies[0].guide.axis[1]")));
    json_object_del(scene, "aim");
    char *text = json_dumps(scene, 0);
    json_t *rolled = run_line(program_run(text, "roll", "--json", "-", NULL));
    const json_t *end = json_object_get(rolled, "end");
    check_close(element(end, "position", 0), -4.9, 0.02);
    check_close(element(end, "position", 1), -0.29, 0.02);
    free(text);
    json_decref(rolled);
    json_decref(scene);
    json_decref(line);
}

static void test_refusals(void **state) {
    (void)state;
    static const struct {
        const char *aim, *message;
    } cases[] = {
        {"", "aim: missing"},
        {",\"aim\":{\"free\":{},\"wanted\":[]}", "aim.free: must be an object"},
        {",\"aim\":{\"free\":{\"bodies[5].mass\":[1,2]},\"wanted\":[]}", "there are 2"},
        {",\"aim\":{\"free\":{\"mu\":[2,1]},\"wanted\":[]}", "low must be below high"},
        {",\"aim\":{\"free\":{\"mu\":[0,1]},\"wanted\":[{\"tolerance\":1}]}",
         "aim.wanted[0]: must have one of velocity"},
        {",\"aim\":{\"free\":{\"mu\":[0,1]},\"wanted\":[{\"rest\":[0,1],\"tolerance\":1}]}",
         "needs the scene's \"roll\""},
        {",\"aim\":{\"free\":{\"mu\":[0,1]},\"wanted\":[{\"velocity\":\"mu\",\"value\":1,"
         "\"tolerance\":1}]}",
         "is not a velocity after the impact"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[2048];
        snprintf(text, sizeof text, BALL("1", "0", "%s"), cases[i].aim);
        check_error(program_run(text, "aim", "-", NULL), 2, cases[i].message);
    }
    check_error(program_run(NULL, "aim", NULL), 2, "takes one scene");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_velocities),
                                       cmocka_unit_test(test_sensitivity),
                                       cmocka_unit_test(test_none), cmocka_unit_test(test_scenes),
                                       cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, work_setup, work_teardown);
}
