/* carom solve --outcomes and carom plot --kind outcomes, from outside.
 *
 * Oracles: three balls in a row, one impact after another, computed here; carom solve --vary for
 * the stiffness ratios; contacts that do not know each other, for which all is certain. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/cli/answer.h"
#include "support/cli/program.h"

#define BALL(name, mass, x, v)                                                                     \
    "{\"name\":\"" name "\",\"mass\":" mass ",\"inertia\":[0.4,0.4,0.4],\"position\":[" x          \
    ",0,0],\"velocity\":[" v ",0,0]}"
#define TOUCH(a, b, x, mu, e)                                                                      \
    "{\"bodies\":[\"" a "\",\"" b "\"],\"point\":[" x ",0,0],\"normal\":[-1,0,0],\"mu\":" mu       \
    ",\"e\":" e "}"
/* Masses 1, 2, 1.5 with speeds 1, 0, -1.3. */
#define ROW(model, mu, e)                                                                          \
    "{\"carom\":1,\"name\":\"Row\",\"model\":\"" model                                             \
    "\",\"bodies\":[" BALL("a", "1", "-2", "1") "," BALL("b", "2", "0", "0") "," BALL(             \
        "c", "1.5", "2", "-1.3") "],\"contacts\":[" TOUCH("a", "b", "-1", mu,                      \
                                                          e) "," TOUCH("b", "c", "1", mu, e) "]}"
/* Two collisions far from each other. */
#define APART                                                                                      \
    "{\"carom\":1,\"model\":\"rigid\",\"bodies\":[" BALL("a", "1", "-2", "1") "," BALL(            \
        "b", "2", "0",                                                                             \
        "0") "," BALL("c", "1", "6",                                                               \
                      "1") "," BALL("d", "3", "8",                                                 \
                                    "-1") "],\"contacts\":[" TOUCH("a", "b", "-1", "0.3",          \
                                                                   "0.5") "," TOUCH("c", "d", "7", \
                                                                                    "0.3",         \
                                                                                    "0.8") "]}"

static json_t *outcomes(const char *scene, const char *option) {
    return run_line(program_run(scene, "solve", "--json", option, "-", NULL));
}

static json_t *part(const json_t *line, const char *key) {
    json_t *value = json_object_get(json_object_get(line, "outcomes"), key);
    assert_non_null(value);
    return value;
}

/* The component with a path. */
static const json_t *component(const json_t *line, const char *path) {
    const json_t *list = part(line, "components");
    for (size_t i = 0; i < json_array_size(list); i++) {
        if (strcmp(text_at(json_array_get(list, i), "path"), path) == 0) {
            return json_array_get(list, i);
        }
    }
    fail_msg("no component %s", path);
    return NULL;
}

static void check_range(const json_t *object, const char *key, double low, double high,
                        double tolerance) {
    const double ends[] = {low, high};
    check_array(json_object_get(object, key), ends, 2, tolerance);
}

/* ---- orders ---- */

/* Speeds after impacts from one end or the other where both contacts approach. */
static void bounce(double e, int last_first, double speed[3]) {
    static const double mass[] = {1, 2, 1.5};
    for (;;) {
        int first = speed[0] - speed[1] > 1e-15, last = speed[1] - speed[2] > 1e-15;
        if (!first && !last) {
            return;
        }
        int i = first && last ? last_first : last;
        double p = (1 + e) * (speed[i] - speed[i + 1]) / (1 / mass[i] + 1 / mass[i + 1]);
        speed[i] -= p / mass[i];
        speed[i + 1] += p / mass[i + 1];
    }
}

static void test_orders(void **state) {
    (void)state;
    double speed[2][3];
    json_t *line = outcomes(ROW("rigid", "0", "0.6"), "--outcomes");
    check_keys(line, "status model outcomes ");
    check_keys(json_object_get(line, "outcomes"), "orders stiffness components ");
    check_keys(part(line, "orders"), "outcomes different unsolved all ");
    assert_true(json_is_true(json_object_get(part(line, "orders"), "all")));
    check_close(number_at(part(line, "orders"), "outcomes"), 2, 0);
    check_close(number_at(part(line, "orders"), "different"), 2, 0);
    for (int k = 0; k < 2; k++) {
        memcpy(speed[k], (const double[]){1, 0, -1.3}, sizeof speed[k]);
        bounce(0.6, k, speed[k]);
    }
    for (int i = 0; i < 3; i++) {
        char path[32];
        snprintf(path, sizeof path, "bodies[%d].velocity[0]", i);
        const json_t *object = component(line, path);
        check_keys(object, "path before orders stiffness scale verdict ");
        check_range(object, "orders", fmin(speed[0][i], speed[1][i]),
                    fmax(speed[0][i], speed[1][i]), 1e-14);
        check_close(number_at(object, "scale"), 1.3, 0.5);
    }
    assert_string_equal(text_at(component(line, "bodies[1].velocity[1]"), "verdict"), "unchanged");
    json_decref(line);
}

/* More orders than asked for: a sample that its seed determines. */
static void test_sample(void **state) {
    (void)state;
    const char *scene = scene_path("bead_column.json");
    json_t *lines[3];
    for (int i = 0; i < 3; i++) {
        lines[i] = run_line(program_run(NULL, "solve", "--json", "--outcomes=20", "--seed",
                                        i < 2 ? "7" : "8", scene, NULL));
        assert_true(json_is_false(json_object_get(part(lines[i], "orders"), "all")));
        check_close(number_at(part(lines[i], "orders"), "outcomes"), 20, 0);
        check_close(number_at(part(lines[i], "orders"), "seed"), i < 2 ? 7 : 8, 0);
        assert_string_equal(text_at(part(lines[i], "stiffness"), "sample"), "latin_hypercube");
    }
    assert_true(json_equal(lines[0], lines[1]));
    assert_false(json_equal(part(lines[0], "components"), part(lines[2], "components")));
    for (int i = 0; i < 3; i++) {
        json_decref(lines[i]);
    }
    check_output(program_run(NULL, "solve", "--outcomes=20", scene, NULL),
                 "20 random orders (seed 1): ");
}

/* ---- stiffness ---- */

/* Two contacts: the grid of --vary, and the scene as given. */
static void test_grid(void **state) {
    (void)state;
    const char *scene = work_text("row.json", ROW("compliant", "0.2", "0.6"));
    double low = INFINITY, high = -INFINITY;
    Run run = program_run(NULL, "solve", "--json", "--vary", "stiffness[1]=0.2:5:8", scene, NULL);
    char *text = run.out;
    for (int i = 0; i < 9; i++) {
        json_t *line = i < 8 ? parse_line(strtok(i == 0 ? text : NULL, "\n")) : solve_file(scene);
        double v = element(json_array_get(json_object_get(line, "bodies"), 1), "velocity", 0);
        low = fmin(low, v);
        high = fmax(high, v);
        json_decref(line);
    }
    run_free(&run);
    json_t *line = run_line(program_run(NULL, "solve", "--json", "--outcomes=9",
                                        "--stiffness-range", "0.2:5", scene, NULL));
    const json_t *set = part(line, "stiffness");
    check_keys(set, "outcomes different unsolved range sample ");
    check_close(number_at(set, "outcomes"), 9, 0);
    check_range(set, "range", 0.2, 5, 0);
    assert_string_equal(text_at(set, "sample"), "grid");
    check_range(component(line, "bodies[1].velocity[0]"), "stiffness", low, high, 1e-14);
    json_decref(line);
}

/* ---- both ---- */

/* The model of the scene does not matter. */
static void test_models(void **state) {
    (void)state;
    json_t *rigid = outcomes(ROW("rigid", "0.2", "0.6"), "--outcomes=50");
    json_t *compliant = outcomes(ROW("compliant", "0.2", "0.6"), "--outcomes=50");
    assert_string_equal(text_at(rigid, "model"), "rigid");
    assert_true(
        json_equal(json_object_get(rigid, "outcomes"), json_object_get(compliant, "outcomes")));
    json_decref(rigid);
    json_decref(compliant);
}

static void test_certain(void **state) {
    (void)state;
    json_t *line = outcomes(APART, "--outcomes=40");
    const json_t *list = part(line, "components");
    check_close(number_at(part(line, "orders"), "outcomes"), 2, 0);
    check_close(number_at(part(line, "orders"), "different"), 1, 0);
    check_close(number_at(part(line, "stiffness"), "different"), 1, 0);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *object = json_array_get(list, i);
        const char *path = text_at(object, "path");
        int moves = strstr(path, "].velocity[0]") != NULL;
        assert_string_equal(text_at(object, "verdict"), moves ? "certain" : "unchanged");
    }
    json_decref(line);
    Run run = program_run(APART, "solve", "--outcomes=40", "-", NULL);
    check_contains(run.out, "all 2 orders: 1 different outcome\n");
    check_contains(run.out, "Certain:\n  a v_x = 0, b v_x = 0.5, c v_x = -1.7, d v_x = -0.1\n");
    check_contains(run.out, "Certain in sign only: nothing\nNot certain: nothing\n");
    check_contains(run.out, "(no change in any outcome: 20 more)");
    run_free(&run);
}

/* The words follow from the ranges. */
static void test_words(void **state) {
    (void)state;
    Run run = program_run(NULL, "solve", "--outcomes=200", scene_path("cradle_3.json"), NULL);
    assert_string_equal(run.err, "");
    check_contains(run.out, "the only order: 1 different outcome\n");
    check_contains(run.out, "200 ratios k1/k0, times 0.01 to 100: ");
    check_contains(run.out, "Certain: nothing\nCertain in sign only:\n  ball 3 v_x 0.6668 to 1\n");
    check_contains(run.out, "Not certain:\n  ball 1 v_x -0.3333 to 0, ball 2 v_x 0 to 0.6665\n");
    run_free(&run);
}

/* Mechanisms and contact space have names of their own. */
static void test_names(void **state) {
    (void)state;
    json_t *line = run_line(
        program_run(NULL, "solve", "--json", "--outcomes=10", scene_path("heel_toe.json"), NULL));
    component(line, "system.velocity[3]");
    json_decref(line);
    line = outcomes("{\"carom\":1,\"model\":\"rigid\",\"inverse_inertia\":["
                    "[1,0,0,0,0,0],[0,1,0,0,0,0],[0,0,2,0,0,-0.5],[0,0,0,1,0,0],[0,0,0,0,1,0],"
                    "[0,0,-0.5,0,0,2]],\"contact_velocity\":[0.1,0,-1,0,0,-1],"
                    "\"contacts\":[{\"mu\":0.1,\"e\":0.5},{\"mu\":0.2,\"e\":0.5}]}",
                    "--outcomes=10");
    assert_int_equal(json_array_size(part(line, "components")), 6);
    component(line, "contact_velocity[5]");
    json_decref(line);
}

/* ---- method sequence ---- */

static void test_sequence(void **state) {
    (void)state;
    json_t *line = run_line(program_run(ROW("rigid", "0", "0.6"), "solve", "--json", "--method",
                                        "sequence", "-", NULL));
    double speed[3] = {1, 0, -1.3};
    bounce(0.6, 1, speed); /* contact 1 approaches faster */
    for (size_t i = 0; i < 3; i++) {
        check_close(element(json_array_get(json_object_get(line, "bodies"), i), "velocity", 0),
                    speed[i], 1e-14);
    }
    assert_null(json_object_get(line, "message"));
    json_decref(line);
    Run run = program_run(NULL, "solve", "--method", "sequence", scene_path("cradle_3.json"), NULL);
    assert_int_equal(run.status, 2);
    check_contains(run.err, "method: sequence belongs to the rigid model");
    run_free(&run);
}

/* ---- refusals ---- */

static void test_refusals(void **state) {
    (void)state;
    const char *scene = work_text("good.json", ROW("rigid", "0", "0.6"));
    static const struct {
        const char *arguments[3], *message;
    } usages[] = {{{"--outcomes=0"}, "--outcomes: must be 1 to 10000"},
                  {{"--outcomes=many"}, "--outcomes: must be 1 to 10000"},
                  {{"--outcomes", "--stiffness-range=5:1"}, "--stiffness-range: must be LOW:HIGH"},
                  {{"--outcomes", "--stiffness-range=0:1"}, "--stiffness-range: must be LOW:HIGH"},
                  {{"--stiffness-range=1:2"}, "--stiffness-range: only with --outcomes"},
                  {{"--seed=2"}, "--seed: only with --outcomes"},
                  {{"--outcomes", "--vary", "mu=0:1:3"}, "--vary: not with --outcomes"},
                  {{"--outcomes", "--method=sequence"}, "--method: not with --outcomes"}};
    for (size_t i = 0; i < sizeof usages / sizeof *usages; i++) {
        const char *const *a = usages[i].arguments;
        check_error(program_run(NULL, "solve", scene, a[0], a[1], a[2], NULL), 2,
                    usages[i].message);
    }
    check_error(program_run(NULL, "solve", "--outcomes", scene_path("two_balls.json"), NULL), 2,
                "must have two contacts at least");
    /* a ball between two walls never comes to rest */
    const char *walls = work_text(
        "walls.json",
        "{\"carom\":1,\"model\":\"rigid\",\"bodies\":[" BALL(
            "a", "1", "0",
            "1") ","
                 "{\"name\":\"wall\",\"mass\":\"infinite\"}],\"contacts\":["
                 "{\"bodies\":[\"a\",\"wall\"],\"point\":[1,0,0],\"normal\":[-1,0,0],\"mu\":0,"
                 "\"e\":1},{\"bodies\":[\"a\",\"wall\"],\"point\":[-1,0,0],"
                 "\"normal\":[1,0,0],\"mu\":0,\"e\":1}]}");
    check_error(program_run(NULL, "solve", "--outcomes=5", walls, NULL), 1, "no order is solved");
    Run run = program_run(NULL, "solve", "--json", "--outcomes=5", walls, NULL);
    json_t *line = parse_line(run.out);
    assert_string_equal(text_at(line, "status"), "not_converged");
    json_decref(line);
    run_free(&run);
}

/* ---- picture ---- */

static void test_picture(void **state) {
    (void)state;
    const char *picture = work_path("outcomes.svg");
    Run run = program_run(NULL, "plot", "--kind", "outcomes", scene_path("bernoulli.json"), "-o",
                          picture, NULL);
    assert_string_equal(run.err, "");
    assert_int_equal(run.status, 0);
    run_free(&run);
    size_t size;
    char *svg = file_read(picture, &size);
    check_contains(svg, "<title id=\"carom_title\">Bernoulli's problem: outcomes</title>");
    check_contains(svg, "cue ball v_y to the right and left ball v_x upwards");
    check_contains(svg, "One after another (circles): all 2 orders: 2 different outcomes; cue ball "
                        "v_y from -0.21651 to 0.21651");
    check_contains(svg, "All at once (crosses): 1000 random stiffnesses");
    check_contains(svg, "one after another: 2 orders");
    free(svg);
    check_error(program_run(NULL, "plot", "--kind", "outcomes", scene_path("two_balls.json"), "-o",
                            picture, NULL),
                2, "must have two contacts at least");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders),   cmocka_unit_test(test_sample),
        cmocka_unit_test(test_grid),     cmocka_unit_test(test_models),
        cmocka_unit_test(test_certain),  cmocka_unit_test(test_words),
        cmocka_unit_test(test_names),    cmocka_unit_test(test_sequence),
        cmocka_unit_test(test_refusals), cmocka_unit_test(test_picture),
    };
    return cmocka_run_group_tests(tests, work_setup, work_teardown);
}
