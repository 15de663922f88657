/* The program on several rigid contacts: solve as text, JSON and page; no process to draw or trace.
 */
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "support/check.h"
#include "support/cli/program.h"

/* Two planar contacts of a mechanism; the second may jam for mu = 3. */
#define SCENE(heading, mu)                                                                         \
    "{\"carom\":1,\"model\":\"rigid\"," heading                                                    \
    "\"system\":{\"mass_matrix\":[[1,0,0,0],[0,1,0,0],[0,0,5,-2],[0,0,-2,1]],"                     \
    "\"velocity\":[0,-1,2,1]},\"contacts\":["                                                      \
    "{\"jacobian\":[[1,0,0,0],[0,1,0,0]],\"mu\":0.5,\"e\":0},"                                     \
    "{\"jacobian\":[[0,0,1,0],[0,0,0,1]],\"mu\":" mu ",\"e\":0}]}"

static json_t *solve(const char *scene, int status) {
    Run run = program_run(scene, "solve", "--json", "-", NULL);
    json_t *line = json_loads(run.out, 0, NULL);
    assert_int_equal(run.status, status);
    assert_non_null(line);
    run_free(&run);
    return line;
}

static void test_json(void **state) {
    (void)state;
    json_t *line = solve(SCENE("", "3"), 0);
    assert_string_equal(json_string_value(json_object_get(line, "status")), "ok");
    assert_string_equal(json_string_value(json_object_get(line, "sequence")), "");
    assert_int_equal(json_array_size(json_object_get(line, "events")), 0);
    assert_null(json_object_get(line, "states"));
    assert_int_equal(json_integer_value(json_object_get(line, "solutions")), 3);
    const json_t *impulse = json_object_get(line, "impulse");
    const double expected[4] = {0, 1, -8, 3};
    for (size_t i = 0; i < 4; i++) {
        check_close(json_number_value(json_array_get(impulse, i)), expected[i], 1e-12);
        check_close(json_number_value(json_array_get(json_object_get(line, "velocity"), i)), 0,
                    1e-12);
    }
    check_close(json_number_value(json_object_get(json_object_get(line, "energy"), "change")), -7,
                1e-12);
    json_decref(line);
    line = solve(SCENE("\"restitution\":\"newton\",", "0.5"), 0);
    assert_null(json_object_get(line, "solutions"));
    assert_null(json_object_get(line, "message"));
    json_decref(line);
}

static void test_no_solution(void **state) {
    (void)state;
    json_t *line = solve("{\"carom\":1,\"model\":\"rigid\",\"inverse_inertia\":"
                         "[[1,0,0,0,0,0],[0,1,0,0,0,0],[0,0,1,0,0,-1],"
                         "[0,0,0,1,0,0],[0,0,0,0,1,0],[0,0,-1,0,0,1]],"
                         "\"contact_velocity\":[0,0,-1,0,0,1],"
                         "\"contacts\":[{\"mu\":0.1,\"e\":0.5},{\"mu\":0.1,\"e\":0.5}]}",
                         1);
    assert_string_equal(json_string_value(json_object_get(line, "status")), "no_solution");
    json_decref(line);
}

static void test_text(void **state) {
    (void)state;
    Run run = program_run(SCENE("", "3"), "solve", "-", NULL);
    assert_int_equal(run.status, 0);
    check_contains(run.out, "rigid, newton restitution");
    check_contains(run.out, "One of 3 solutions found");
    assert_null(strstr(run.out, "What happens"));
    assert_null(strstr(run.out, "stiffness"));
    run_free(&run);
    run = program_run(NULL, "solve", scene_path("impulse/box_flat.json"), NULL);
    assert_int_equal(run.status, 0);
    check_contains(run.out, "slips");
    check_contains(run.out, "contacts that slip share the load in more than one way");
    check_contains(run.out, "Not the only solution: others have more kinetic energy after");
    run_free(&run);
}

static void test_refusals(void **state) {
    (void)state;
    const char *scene = work_text("scene.json", SCENE("", "3"));
    check_refused("solve", work_text("law.json", SCENE("\"restitution\":\"poisson\",", "1")), 2,
                  "restitution: several rigid contacts take newton's law only");
    check_refused("solve", work_text("static.json", SCENE("", "0.5,\"mu_static\":0.6")), 2,
                  "mu_static must equal mu: several rigid contacts have one coefficient");
    Run run = program_run(NULL, "plot", scene, "-o", work_path("x.svg"), NULL);
    assert_int_equal(run.status, 2);
    check_contains(run.err, "there is no process to draw");
    run_free(&run);
    run = program_run(NULL, "solve", "--trace", work_path("x.csv"), scene, NULL);
    assert_true(run.status != 0);
    check_contains(run.err, "no process");
    run_free(&run);
}

static void test_page(void **state) {
    (void)state;
    Run run = program_run(NULL, "solve", "--report", work_path("pages"),
                          scene_path("impulse/box_flat.json"), NULL);
    assert_int_equal(run.status, 0);
    run_free(&run);
    size_t size;
    char *page = file_read(work_path("pages/box_flat.html"), &size);
    check_contains(page, "slips");
    check_contains(page, "Not the only solution");
    check_contains(page, "no process between before and after");
    check_contains(page, "Impulses at the contacts");
    check_contains(page, "Speeds at the contacts");
    assert_null(strstr(page, "What happens"));
    assert_null(strstr(page, "Pictures are missing"));
    free(page);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json), cmocka_unit_test(test_no_solution),
        cmocka_unit_test(test_text), cmocka_unit_test(test_refusals), cmocka_unit_test(test_page)};
    return cmocka_run_group_tests_name("cli: several rigid contacts", tests, work_setup,
                                       work_teardown);
}
