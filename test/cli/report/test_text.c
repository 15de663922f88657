/* carom solve as text, for several contacts. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/cli/answer.h"
#include "support/cli/program.h"
#include "support/cli/stack_text.h"

/* Longest line of a text. */
static size_t longest_line(const char *text) {
    size_t longest = 0;
    for (const char *end; *text; text = end + (*end == '\n')) {
        end = strchr(text, '\n');
        end = end ? end : text + strlen(text);
        longest = (size_t)(end - text) > longest ? (size_t)(end - text) : longest;
    }
    return longest;
}

static void test_text(void **state) {
    (void)state;
    Run run = program_run(PLASTIC, "solve", "-", NULL);
    assert_int_equal(run.status, 0);
    assert_string_equal(run.err, "");
    check_contains(run.out, "Contact 0      mu = 0, e = 0.9, stiffness 1; upper hits lower\n"
                            "Contact 1      mu = 0, e = 0.7, stiffness 1; lower touches table\n");
    check_contains(run.out, "  p = 0            contacts 0 and 1 act from the start\n");
    check_contains(run.out, "contact 0: compression ends, energy 0.276551 stored\n");
    check_contains(run.out, "contact 0: the bodies separate\n");
    check_contains(run.out, "contact 0: touches again\n");
    check_contains(run.out, "  S1 both              0           0          -1           0"
                            "           0           0\n"
                            "  S2 only 1       1.1383    0.787234    0.442328    -0.30403"
                            "           0    0.384525\n");
    check_contains(run.out, "  S4 none        1.61395     1.85611     0.40423     0.20972");
    check_contains(run.out, "Impulse                      0             0      1.856113\n");
    check_contains(run.out, "upper        before             0             0            -1\n"
                            "             after              0             0     0.6139494\n");
    check_contains(run.out, "Angular velocities do not change.\n");
    check_contains(run.out, "lost in the normal direction     0.2861399    57.23 %\n");
    assert_null(strstr(run.out, "latched"));
    assert_true(longest_line(run.out) <= 100);
    run_free(&run);
    /* the middle one of three balls: nothing to rest on, and not by name */
    run = program_run("{\"carom\":1,\"model\":\"compliant\",\"restitution\":\"mono_stiffness\","
                      "\"inverse_inertia\":[[1,0,0,0,0,0],[0,1,0,0,0,0],[0,0,2,0,0,-1],"
                      "[0,0,0,1,0,0],[0,0,0,0,1,0],[0,0,-1,0,0,2]],\"contact_velocity\":"
                      "[0,0,-1,0,0,0],\"contacts\":[{\"mu\":0,\"e\":0.8},{\"mu\":0,\"e\":0.8}]}",
                      "solve", "-", NULL);
    assert_int_equal(run.status, 0);
    check_contains(run.out, "compliant, mono_stiffness restitution, method exact");
    check_contains(run.out, "Kinetic energy of the motion at the contacts (v.W^-1 v/2)\n"
                            "  before                           0.3333333   100.00 %\n");
    run_free(&run);
}

/* A contact that does not give back anything is held while the other one presses it. */
static void test_latched(void **state) {
    (void)state;
    Run run = program_run(STACK("", "\"mu\":0,\"e\":1", "\"mu\":0,\"e\":0,\"stiffness\":20"),
                          "solve", "-", NULL);
    assert_int_equal(run.status, 0);
    check_contains(run.out, "contact 1: stays in touch\n");
    check_contains(run.out, "  1 of 2 contacts latched: held in touch, without bouncing, for a "
                            "time\n");
    run_free(&run);
}

/* A row of balls in a line, the first one moving; free() the text. */
static char *make_row(int balls) {
    size_t size = 512 * (size_t)balls, length;
    char *text = malloc(size);
    assert_non_null(text);
    length = (size_t)snprintf(text, size, "{\"carom\":1,\"model\":\"compliant\",\"bodies\":[");
    for (int i = 0; i < balls; i++) {
        length += (size_t)snprintf(text + length, size - length,
                                   "%s{\"name\":\"ball %d\",\"mass\":1,\"inertia\":[0.1,0.1,0.1],"
                                   "\"position\":[%d,0,0],\"velocity\":[%d,0,0]}",
                                   i > 0 ? "," : "", i, i, i == 0);
    }
    length += (size_t)snprintf(text + length, size - length, "],\"contacts\":[");
    for (int i = 1; i < balls; i++) {
        length += (size_t)snprintf(text + length, size - length,
                                   "%s{\"bodies\":[%d,%d],\"mu\":0,\"e\":1,\"point\":[%g,0,0],"
                                   "\"normal\":[1,0,0]}",
                                   i > 1 ? "," : "", i, i - 1, i - 0.5);
    }
    snprintf(text + length, size - length, "]}");
    return text;
}

/* Few contacts are reported one by one, many in a table. */
static void test_rows(void **state) {
    (void)state;
    for (int balls = 5; balls <= 40; balls *= 8) {
        char *text = make_row(balls);
        const char *path = work_text("row.json", text);
        json_t *line = solve_file(path);
        size_t count = (size_t)balls - 1;
        assert_string_equal(text_at(line, "sequence"), "");
        const json_t *states = json_object_get(line, "states");
        const json_t *first = json_array_get(states, 0);
        assert_true(json_array_size(states) >= count);
        /* the push does not get far at once: how far is a matter of rounding */
        size_t active = json_array_size(json_object_get(first, "active"));
        assert_true(balls == 5 ? active == count : active > 5);
        assert_int_equal(json_array_size(json_object_get(first, "impulse")), 3 * count);
        assert_int_equal(json_array_size(json_object_get(first, "stored")), count);
        const json_t *bodies = json_object_get(line, "bodies");
        double momentum = 0, energy = 0;
        for (size_t i = 0; i <= count; i++) {
            double v = element(json_array_get(bodies, i), "velocity", 0);
            momentum += v;
            energy += v * v;
        }
        check_close(momentum, 1, 1e-14); /* 0 */
        check_close(energy, 1, 1e-13);   /* 2.2e-16 */
        json_decref(line);
        Run run = program_run(NULL, "solve", path, NULL);
        assert_int_equal(run.status, 0);
        size_t lines = 0;
        for (const char *c = run.out; *c; c++) {
            lines += *c == '\n';
        }
        assert_true(longest_line(run.out) <= 100);
        assert_true(lines < 45 + 3 * (size_t)balls);
        check_contains(run.out, "  0 ball 1 - ball 0 ");
        check_contains(run.out, balls == 5 ? "  0123  contacts 0, 1, 2 and 3 act from the start\n"
                                           : "39 contacts    mu = 0, e = 1, stiffness 1 each\n");
        check_contains(run.out, balls == 5 ? "  ....  contact 3: the bodies separate\n"
                                           : " of 39 contacts act from the start");
        run_free(&run);
        free(text);
    }
}

/* The names of units stand beside the numbers, and nowhere without them. */
static void test_units(void **state) {
    (void)state;
    static const char head[] = "{\"carom\":1,\"model\":\"rigid\",";
    static const char rest[] =
        "\"bodies\":[{\"name\":\"ball\",\"mass\":1,\"inertia\":[0.4,0.4,0.4],"
        "\"position\":[0,0,1],\"velocity\":[2,0,-3]},{\"name\":\"floor\",\"mass\":\"infinite\"}],"
        "\"contacts\":[{\"bodies\":[0,1],\"point\":[0,0,0],\"normal\":[0,0,1],\"mu\":0.2,"
        "\"e\":0.8}]}";
    static const struct {
        const char *units, *parts[4];
    } cases[] = {
        {"\"units\":\"SI\",",
         {"Units          m, kg, s; impulse N s, energy J\n", "energy 4.5 J stored",
          "Velocity after (m/s)", "Kinetic energy of the bodies (J)"}},
        {"\"units\":{\"length\":\"mm\",\"mass\":\"g\",\"time\":\"ms\"},",
         {"energy 4.5 g mm²/ms² stored", "Angular velocity (rad/ms)", "Impulse (g mm/ms)",
          "(p: normal impulse so far, g mm/ms)"}},
    };
    char scene[1024];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(scene, sizeof scene, "%s%s%s", head, cases[i].units, rest);
        Run run = program_run(scene, "solve", "-", NULL);
        assert_int_equal(run.status, 0);
        for (int k = 0; k < 4; k++) {
            check_contains(run.out, cases[i].parts[k]);
        }
        run_free(&run);
    }
    snprintf(scene, sizeof scene, "%s%s", head, rest);
    Run run = program_run(scene, "solve", "-", NULL);
    assert_null(strstr(run.out, "Units"));
    assert_null(strstr(run.out, "m/s"));
    run_free(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_latched),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_units),
    };
    return cmocka_run_group_tests(tests, work_setup, work_teardown);
}
