/* carom roll: a ball on a table after an impact.
 *
 * Oracles: the velocities of carom solve, and the closed forms of sliding and rolling written out
 * here. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/cli/answer.h"
#include "support/cli/program.h"

#define RADIUS 0.0305
#define SLIDE (0.152479 * 9.81)
#define ROLL (5.0 / 7 * 0.0209727 * 9.81)

/* A ball of mass 1 and radius 1 that hits a table, with given fields of "roll". */
#define BALL(motion)                                                                               \
    "{\"name\":\"ball\",\"mass\":1,\"inertia\":[0.4,0.4,0.4],\"position\":[0,0,1]," motion "}"
#define DOWN "\"velocity\":[20,0,-3]"
#define HIT(bodies, roll)                                                                          \
    "{\"carom\":1,\"model\":\"rigid\",\"bodies\":[" bodies                                         \
    ",{\"name\":\"table\",\"mass\":\"infinite\"}],\"contacts\":[{\"mu\":0.2,\"e\":0.5,"            \
    "\"bodies\":[0,1],\"point\":[0,0,0],\"normal\":[0,0,1]}]" roll "}"
#define TABLE(body, radius, slide, roll)                                                           \
    ",\"roll\":{\"body\":" body ",\"radius\":" radius ",\"mu_slide\":" slide ",\"mu_roll\":" roll  \
    ",\"gravity\":10}"
#define GOOD HIT(BALL(DOWN), TABLE("\"ball\"", "1", "0.2", "0.01"))

static json_t *roll_line(const char *scene) {
    return run_line(program_run(scene, "roll", "--json", "-", NULL));
}

/* The massé shot: each phase from the velocities that carom solve prints. */
static void test_phases(void **state) {
    (void)state;
    json_t *solved = solve_scene("cue_shot.json");
    const json_t *ball = json_array_get(json_object_get(solved, "bodies"), 1);
    json_t *line = run_line(program_run(NULL, "roll", "--json", scene_path("cue_shot.json"), NULL));
    check_keys(line, "status model body phases end hop ");
    assert_string_equal(text_at(line, "body"), "ball");
    const json_t *phases = json_object_get(line, "phases");
    static const char *const names[] = {"sliding", "rolling", "rest"};
    assert_int_equal(json_array_size(phases), 3);
    double v[2], u[2], rolls[2];
    for (size_t i = 0; i < 2; i++) {
        v[i] = element(ball, "velocity", i);
        u[i] = v[i] + (i ? 1 : -1) * RADIUS * element(ball, "angular_velocity", 1 - i);
        rolls[i] = v[i] - 2.0 / 7 * u[i];
    }
    double t1 = 2.0 / 7 * hypot(u[0], u[1]) / SLIDE, t2 = hypot(rolls[0], rolls[1]) / ROLL;
    const double times[3] = {0, t1, t1 + t2};
    for (size_t k = 0; k < 3; k++) {
        const json_t *phase = json_array_get(phases, k);
        assert_string_equal(text_at(phase, "phase"), names[k]);
        check_close(number_at(phase, "time"), times[k], 1e-12);
        for (size_t i = 0; i < 2; i++) {
            double begins = k == 0 ? v[i] : k == 1 ? rolls[i] : 0;
            double at = k == 0 ? 0 : t1 * (v[i] + rolls[i]) / 2 + (k == 2 ? t2 * rolls[i] / 2 : 0);
            check_close(element(phase, "velocity", i), begins, 1e-13);
            check_close(element(phase, "position", i), at, 1e-12);
        }
        check_close(element(phase, "angular_velocity", 2), element(ball, "angular_velocity", 2), 0);
    }
    check_close(number_at(line, "hop"), element(ball, "velocity", 2), 0);
    assert_string_equal(text_at(json_object_get(line, "end"), "phase"), "rest");
    json_decref(line);
    json_decref(solved);
}

/* The text after the number `index` of a row, which begins at text. */
static double cell(const char *text, int index) {
    for (; index > 0; index--) {
        text = strchr(text, ',') + 1;
    }
    return strtod(text, NULL);
}

/* Rows: ascending times, each phase from its beginning, positions that follow from the velocities
 * (trapezoidal rule, exact while the velocity is linear), the end as given. */
static void test_trajectory(void **state) {
    (void)state;
    const char *path = work_path("path.csv");
    check_output(program_run(NULL, "roll", "-o", path, "--rate", "50", "--time", "5",
                             scene_path("cue_shot.json"), NULL),
                 "  ends");
    size_t size;
    char *table = file_read(path, &size), *row = strchr(table, '\n') + 1;
    assert_int_equal(strncmp(table, "t,x,y,z,vx,vy,vz,wx,wy,wz,phase\n", 32), 0);
    int rows = 1, rolling = strstr(row, "rolling") < strchr(row, '\n');
    for (char *next = strchr(row, '\n') + 1; *next; row = next, next = strchr(next, '\n') + 1) {
        double step = cell(next, 0) - cell(row, 0);
        assert_true(step > 0 && step <= 0.02 + 1e-12);
        for (int i = 1; i <= 2; i++) {
            double mean = (cell(row, 3 + i) + cell(next, 3 + i)) / 2;
            check_close(cell(next, i) - cell(row, i), step * mean, 1e-13);
        }
        char *end = strchr(next, '\n');
        int now = strncmp(end - 7, "rolling", 7) == 0;
        assert_true(now >= rolling);
        if (now > rolling) { /* the phase begins at this row: no slip from here on */
            check_close(cell(next, 4), RADIUS * cell(next, 8), 1e-14);
        }
        rolling = now;
        rows++;
    }
    assert_true(rolling && rows == 252); /* 0, 0.02 to 5, and the change */
    check_close(cell(row, 0), 5, 0);
    free(table);
}

/* Phases that do not happen are not listed; friction that is 0 needs an end. */
static void test_special_paths(void **state) {
    (void)state;
    /* it sticks in the impact, so the slip after is 0 but for rounding: it rolls at once */
    json_t *stuck = roll_line(HIT(BALL("\"velocity\":[2,0,-3]"), TABLE("0", "1", "0.2", "0.01")));
    assert_string_equal(text_at(json_array_get(json_object_get(stuck, "phases"), 0), "phase"),
                        "rolling");
    json_decref(stuck);
    /* no slip at all */
    json_t *line = roll_line(HIT(BALL("\"velocity\":[2,0,-3],\"angular_velocity\":[0,2,0]"),
                                 TABLE("0", "1", "0.2", "0.01")));
    const json_t *phases = json_object_get(line, "phases");
    assert_int_equal(json_array_size(phases), 2);
    assert_string_equal(text_at(json_array_get(phases, 0), "phase"), "rolling");
    check_close(number_at(json_object_get(line, "end"), "time"), 2 / (5.0 / 7 * 0.1), 1e-12);
    json_decref(line);
    /* straight down: it rests */
    line = roll_line(HIT(BALL("\"velocity\":[0,0,-3]"), TABLE("0", "1", "0.2", "0.01")));
    assert_int_equal(json_array_size(json_object_get(line, "phases")), 1);
    check_close(number_at(line, "hop"), 1.5, 1e-15);
    json_decref(line);
    static const char *const endless[] = {HIT(BALL(DOWN), TABLE("0", "1", "0", "0.01")),
                                          HIT(BALL(DOWN), TABLE("0", "1", "0.2", "0"))};
    for (int i = 0; i < 2; i++) {
        check_refused("roll", work_text("endless.json", endless[i]), 2,
                      "the ball does not come to rest: give --time");
        check_output(program_run(endless[i], "roll", "--time", "100", "-", NULL),
                     i == 0 ? "  slides" : "  rolls");
    }
}

static void test_refusals(void **state) {
    (void)state;
    static const struct {
        const char *scene, *part;
    } bad[] = {
        {HIT(BALL(DOWN), ""), "roll: missing, must be an object"},
        {HIT(BALL(DOWN), ",\"roll\":3"), "roll: must be an object, got 3"},
        {HIT(BALL(DOWN), TABLE("\"bal\"", "1", "0.2", "0")), "roll.body: there is no body with"},
        {HIT(BALL(DOWN), TABLE("\"table\"", "1", "0.2", "0")), "roll.body: must be a free body"},
        {HIT(BALL(DOWN), TABLE("0", "0", "0.2", "0")), "roll.radius: must be a number > 0"},
        {HIT(BALL(DOWN), TABLE("0", "2", "0.2", "0")),
         "roll.radius: the body's inertia is not that of a uniform ball of this radius, 2/5 m r^2 "
         "= "
         "1.6"},
        {HIT(BALL(DOWN), TABLE("0", "1", "-1", "0")), "roll.mu_slide: must be a number >= 0"},
        {HIT(BALL(DOWN), TABLE("0", "1", "0.2", "\"x\"")), "roll.mu_roll: must be a number >= 0"},
        {HIT(BALL(DOWN), ",\"roll\":{\"body\":0,\"radius\":1,\"mu_slide\":0,\"mu_roll\":0}"),
         "roll.gravity: missing"},
        {HIT(BALL(DOWN), ",\"roll\":{\"bodi\":0}"),
         "roll.bodi: unknown field; did you mean \"body\""},
        {HIT("{\"mass\":1,\"guide\":{\"axis\":[0,0,1],\"speed\":-1}}",
             TABLE("0", "1", "0.2", "0.1")),
         "roll.body: must be a free body"},
        {"{\"carom\":1,\"model\":\"rigid\",\"inverse_inertia\":[[1,0,0],[0,1,0],[0,0,1]],"
         "\"contact_velocity\":[0,0,-1],\"contacts\":[{\"mu\":0,\"e\":1}],\"roll\":{}}",
         "roll: only in a scene with \"bodies\""}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        check_refused("roll", work_text("bad.json", bad[i].scene), 2, bad[i].part);
    }
    /* a scene that is refused for its roll is so by every command */
    check_refused("solve", work_text("bad.json", bad[1].scene), 2, bad[1].part);
    check_error(program_run(GOOD, "roll", NULL), 2, "no scene given");
    check_error(program_run(GOOD, "roll", "-", "-", NULL), 2, "takes one scene, got 2");
    check_error(program_run(GOOD, "roll", "--rate", "5", "-", NULL), 2,
                "--rate: only with --trajectory");
    check_error(program_run(GOOD, "roll", "--plot", "a.txt", "-", NULL), 2, "--plot: must end in");
    check_error(program_run(GOOD, "roll", "--step", "1", "-", NULL), 2, "--step: only with");
    check_error(program_run(GOOD, "roll", "-o", "/nowhere/t.csv", "-", NULL), 2,
                "--trajectory: /nowhere/t.csv: ");
    check_error(program_run(GOOD, "roll", "-o", work_path("t.csv"), "--rate", "1e300", "-", NULL),
                2, "--rate: 1e+300 is too high for a time of");
    /* an impact that does not happen */
    check_error(program_run(HIT(BALL("\"velocity\":[0,0,1]"), TABLE("0", "1", "0.2", "0.1")),
                            "roll", "-", NULL),
                1, "not_approaching");
}

static void test_picture(void **state) {
    (void)state;
    const char *path = work_path("path.svg");
    check_output(program_run(NULL, "roll", "--plot", path, scene_path("cue_shot.json"), NULL),
                 "  rests");
    size_t size;
    char *svg = file_read(path, &size);
    check_contains(svg, "It slides on a parabola for a time of ");
    check_contains(svg, ">slides<");
    check_contains(svg, ">rests<");
    free(svg);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_phases),        cmocka_unit_test(test_trajectory),
        cmocka_unit_test(test_special_paths), cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_picture),
    };
    return cmocka_run_group_tests(tests, work_setup, work_teardown);
}
