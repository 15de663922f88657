/* carom solve --sensitivity and --uncertainty.
 *
 * Oracles: differences of the program's own answers at --vary, extrapolated; a frictionless ball,
 * in closed form; the contract's fields. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"
#include "support/cli/answer.h"
#include "support/cli/program.h"

#define BOX(contact)                                                                               \
    "{\"carom\":1,\"model\":\"rigid\",\"bodies\":[{\"name\":\"box\",\"mass\":2,\"inertia\":[0.2,"  \
    "0.3,"                                                                                         \
    "0.4],\"position\":[0.1,0.2,0.5],\"velocity\":[1,0.5,-2],\"angular_velocity\":[1,-0.5,0.2]},{" \
    "\"mass\":\"infinite\"}],\"contacts\":[{\"bodies\":[0,1],\"point\":[0,0,0],\"normal\":[0,0,1]" \
    "," contact "}]}"
#define BALL(mu)                                                                                   \
    "{\"carom\":1,\"model\":\"rigid\",\"bodies\":[{\"name\":\"ball\",\"mass\":1,\"inertia\":[0.4," \
    "0.4,0.4],"                                                                                    \
    "\"position\":[0,0,1],\"velocity\":[1,0,-2]},{\"mass\":\"infinite\"}],\"contacts\":[{"         \
    "\"bodies\":[0,1],\"point\":[0,0,0],\"normal\":[0,0,1],\"mu\":" mu ",\"e\":0.5}]}"

/* All numbers of an outcome: impulses, then the motion of the first body. */
static void outcome(const json_t *line, double x[9]) {
    const json_t *body = json_array_get(json_object_get(line, "bodies"), 0);
    for (size_t k = 0; k < 3; k++) {
        x[k] = element(line, "impulse", k);
        x[3 + k] = element(body, "velocity", k);
        x[6 + k] = element(body, "angular_velocity", k);
    }
}

/* Derivatives of the outcome by differences at h and h/2. */
static void differences(const char *path, const char *scene, double value, double h,
                        double slope[9]) {
    double rows[5][9];
    char range[128];
    snprintf(range, sizeof range, "%s=%.17g:%.17g:5", path, value - h, value + h);
    Run run =
        program_run(NULL, "solve", "--json", "--vary", range, work_text("s.json", scene), NULL);
    assert_int_equal(run.status, 0);
    char *text = run.out;
    for (int i = 0; i < 5; i++) {
        char *end = strchr(text, '\n');
        *end = '\0';
        json_t *line = parse_line(text);
        outcome(line, rows[i]);
        json_decref(line);
        text = end + 1;
    }
    run_free(&run);
    for (int k = 0; k < 9; k++) {
        double wide = (rows[4][k] - rows[0][k]) / (2 * h), narrow = (rows[3][k] - rows[1][k]) / h;
        slope[k] = (4 * narrow - wide) / 3;
    }
}

/* Every kind of number: coefficient, motion, mass, inertia, position, point, normal. */
static void test_differences(void **state) {
    (void)state;
    static const char *const scene = BOX("\"mu\":0.3,\"e\":0.6");
    static const char *const paths[] = {"contacts[0].mu",        "contacts[0].e",
                                        "bodies[0].velocity[0]", "bodies[0].velocity[2]",
                                        "bodies[0].mass",        "bodies[0].angular_velocity[1]",
                                        "bodies[0].inertia[1]",  "bodies[0].position[2]",
                                        "contacts[0].point[0]",  "contacts[0].normal.turn_y"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        char option[128];
        double given[9], expected[9];
        snprintf(option, sizeof option, "--sensitivity=%s", paths[i]);
        json_t *line = run_line(program_run(scene, "solve", "--json", option, "-", NULL));
        assert_string_equal(text_at(line, "derivative_status"), "ok");
        const json_t *row = json_array_get(json_object_get(line, "derivatives"), 0);
        assert_string_equal(text_at(row, "by"), paths[i]);
        outcome(row, given);
        differences(paths[i], scene, number_at(row, "value"), 1e-3, expected);
        for (int k = 0; k < 9; k++) {
            if (!(fabs(given[k] - expected[k]) <= 1e-7 * (1 + fabs(expected[k])))) {
                fail_msg("%s, number %d: %.12g, differences %.12g", paths[i], k, given[k],
                         expected[k]);
            }
        }
        json_decref(line);
    }
}

/* A frictionless ball leaves with -e times its normal velocity. */
static void test_ball(void **state) {
    (void)state;
    json_t *line = run_line(program_run(BALL("0"), "solve", "--json", "--sensitivity", "-", NULL));
    const json_t *rows = json_object_get(line, "derivatives");
    int found = 0;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        const json_t *body = json_array_get(json_object_get(row, "bodies"), 0);
        if (strcmp(text_at(row, "by"), "contacts[0].e") == 0) {
            check_close(element(body, "velocity", 2), 2, 1e-14);
            found++;
        }
        if (strcmp(text_at(row, "by"), "bodies[0].velocity[2]") == 0) {
            check_close(element(body, "velocity", 2), -0.5, 1e-14);
            check_close(element(row, "contact_velocity", 2), -0.5, 1e-14);
            found++;
        }
    }
    assert_int_equal(found, 2);
    assert_int_equal(json_array_size(rows), 2 + 6); /* mu, e, six velocities */
    json_decref(line);
    Run run = program_run(BALL("0"), "solve", "--sensitivity", "-", NULL);
    check_contains(run.out, "\ncontacts[0].e ");
    check_contains(run.out, "\nper cent per per cent");
    check_contains(run.out, "\nKink ");
    run_free(&run);
}

static void test_error_bars(void **state) {
    (void)state;
    json_t *line = run_line(program_run(
        BALL("0"), "solve", "--json", "--uncertainty=e=0.01,bodies[0].velocity[2]=2%", "-", NULL));
    const json_t *bars = json_object_get(line, "uncertainty"), *bar = json_array_get(bars, 2);
    assert_int_equal(json_array_size(bars), 6);
    assert_string_equal(text_at(bar, "of"), "bodies[0].velocity[2]");
    double sigma = hypot(2 * 0.01, 0.5 * 0.04); /* of e and of v */
    check_close(number_at(bar, "value"), 1, 1e-14);
    check_close(number_at(bar, "linear"), sigma, 1e-12);
    check_close(number_at(bar, "sampled"), sigma, 4 * sigma / sqrt(2000)); /* four deviations */
    check_close(number_at(bar, "mean"), 1, 4 * sigma / sqrt(1000));
    check_close(number_at(bar, "low"), 1 - 1.96 * sigma, 0.3 * sigma);
    check_close(number_at(bar, "high"), 1 + 1.96 * sigma, 0.3 * sigma);
    assert_true(json_is_true(json_object_get(line, "uncertainty_linear")));
    json_decref(line);
}

/* Error bars that reach over a kink: the ball rolls off at 5/7 of its speed for every mu above
 * 0.0952, so the linear error bar is 0 on one side and too large on the other. */
static void test_kink_is_told(void **state) {
    (void)state;
    static const char *const scene = BALL("0.1");
    Run run = program_run(scene, "solve", "--uncertainty=mu=0.05", "-", NULL);
    assert_int_equal(run.status, 0);
    check_contains(run.out, "Warning        linear and sampled error bars disagree");
    run_free(&run);
    run = program_run(scene, "solve", "--uncertainty=mu=0.0001", "-", NULL);
    assert_int_equal(run.status, 0);
    assert_null(strstr(run.out, "Warning"));
    run_free(&run);
}

/* Contacts without friction: the derivative by their mu is missing, which is told
 * where it was asked for, and only there. */
static void test_missing_is_told_where_asked(void **state) {
    (void)state;
    static const char *const asked[] = {"--sensitivity", "--sensitivity=contacts[0].mu",
                                        "--sensitivity=contacts[0].e,bodies[0].velocity[0]"};
    for (int i = 0; i < 3; i++) {
        Run run =
            program_run(NULL, "solve", "--json", asked[i], scene_path("bernoulli.json"), NULL);
        assert_int_equal(run.status, 0);
        json_t *line = parse_line(run.out);
        const json_t *message = json_object_get(line, "derivative_message");
        assert_string_equal(text_at(line, "derivative_status"), i < 2 ? "none" : "one_sided");
        assert_true(i < 2 ? json_is_string(message) : message == NULL);
        json_decref(line);
        run_free(&run);
    }
}

/* Rigid contacts that share their load in many ways have no derivatives, so no linear error bars: a
 * word says so where the number would be, and the warning why. */
static void test_missing_bars_are_told(void **state) {
    (void)state;
    size_t size;
    char *text = file_read(scene_path("impulse/box_flat.json"), &size);
    char *spin = strstr(text, "1.5]");
    assert_non_null(spin);
    memcpy(spin, "0.0]", 4); /* slips without turning: all contacts in one direction */
    const char *flat = work_file("box_flat.json", text, size);
    free(text);
    Run run = program_run(NULL, "solve", "--uncertainty=e=0.01", "--report", work_path("pages"),
                          flat, NULL);
    assert_int_equal(run.status, 0);
    check_contains(run.out, " none ");
    check_contains(run.out, "Warning        there are no linear error bars of some numbers: "
                            "contacts that slip in one direction share the load in many ways");
    assert_null(strstr(run.out, "disagree"));
    assert_null(strstr(run.out, "nan"));
    run_free(&run);
    char *page = file_read(work_path("pages/box_flat.html"), &size);
    check_contains(page, "there are no linear error bars of some numbers");
    assert_null(strstr(page, ">nan<"));
    free(page);
    json_t *line =
        run_line(program_run(NULL, "solve", "--json", "--uncertainty=e=0.01", flat, NULL));
    const json_t *bar = json_array_get(json_object_get(line, "uncertainty"), 0);
    assert_true(json_is_null(json_object_get(bar, "linear")));
    assert_true(number_at(bar, "sampled") > 0);
    assert_true(json_is_false(json_object_get(line, "uncertainty_linear")));
    json_decref(line);
}

/* Eighteen numbers at an edge (mu = 0, e = 1), where half of the values of each are not allowed. */
static void test_uncertainty_at_an_edge(void **state) {
    (void)state;
    Run run = program_run(NULL, "solve", "--uncertainty=mu=0.02,e=0.01",
                          CAROM_SOURCE_DIR "/scenes/cradle_10.json", NULL);
    assert_int_equal(run.status, 0);
    check_contains(run.out, "linear and sampled error bars disagree");
    assert_null(strstr(run.out, "have no answer"));
    run_free(&run);
}

static void check_wrong(Run run, const char *message) {
    assert_int_equal(run.status, 2);
    check_contains(run.err, message);
    run_free(&run);
}

static void test_wrong_use(void **state) {
    (void)state;
    const char *path = work_text("ball.json", BALL("0"));
    check_wrong(program_run(NULL, "solve", "--sensitivity=x y", path, NULL),
                "--sensitivity: must be the path of a number");
    check_wrong(program_run(NULL, "solve", "--sensitivity=bodies[5].mass", path, NULL),
                "bodies[5]: there are 2, counted from 0");
    check_wrong(program_run(NULL, "solve", "--uncertainty=mu", path, NULL),
                "--uncertainty: must be NAME=SIGMA");
    check_wrong(program_run(NULL, "solve", "--uncertainty=mu=-1", path, NULL),
                "--uncertainty: mu: the standard deviation must be a number > 0, got \"-1\"");
    check_wrong(program_run(NULL, "solve", "--uncertainty=mu=%", path, NULL),
                "--uncertainty: mu: the standard deviation must be a number > 0, got \"\"");
    check_wrong(program_run(NULL, "solve", "--uncertainty=mu=0.1,contacts[0].mu=1%", path, NULL),
                "--uncertainty: contacts[0].mu is given twice");
    check_wrong(program_run(NULL, "solve", "--sensitivity", "--vary=mu=0:1:2", path, NULL),
                "--sensitivity: not with --vary");
    check_wrong(program_run(NULL, "solve", "--sensitivity", "--method=vs", path, NULL),
                "--sensitivity: only with the method exact");
    check_wrong(program_run(NULL, "solve", "--seed=2", path, NULL),
                "--seed: only with --outcomes or --uncertainty");
}

/* The page of a report has both. */
static void test_page(void **state) {
    (void)state;
    size_t size;
    Run run = program_run(NULL, "solve", "--sensitivity", "--uncertainty=e=0.1", "--report",
                          work_path("pages"), work_text("ball.json", BALL("0")), NULL);
    assert_int_equal(run.status, 0);
    run_free(&run);
    char *page = file_read(work_path("pages/ball.html"), &size);
    check_contains(page, "<h2>Sensitivity</h2>");
    check_contains(page, "<th scope=\"row\">contacts[0].e</th><td>0.5</td>");
    check_contains(page, "Per cent of change for one per cent of each number"); /* the picture */
    check_contains(page, "<h2>Error bars</h2>");
    free(page);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_differences),
        cmocka_unit_test(test_ball),
        cmocka_unit_test(test_error_bars),
        cmocka_unit_test(test_kink_is_told),
        cmocka_unit_test(test_missing_is_told_where_asked),
        cmocka_unit_test(test_missing_bars_are_told),
        cmocka_unit_test(test_uncertainty_at_an_edge),
        cmocka_unit_test(test_wrong_use),
        cmocka_unit_test(test_page),
    };
    return cmocka_run_group_tests(tests, work_setup, work_teardown);
}
