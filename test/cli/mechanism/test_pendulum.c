/* carom simulate on a mechanism, from outside. How it moves is tested in test/motion. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/cli/answer.h"
#include "support/cli/program.h"

#define PENDULUM(angles)                                                                           \
    "\"mechanism\":{\"double_pendulum\":{\"length\":1,\"mass\":1,\"bearing_height\":1.25,"         \
    "\"angles\":" angles "}}"
#define GRAVITY "\"gravity\":[0,0,-9.81]"
#define SURFACE "\"contacts\":[{\"mu\":0.15,\"e\":0.8}]"
#define TIME "\"simulate\":{\"time\":10}"
#define SCENE(mechanism, gravity, surface, ends)                                                   \
    "{\"carom\":1," mechanism "," gravity "," surface "," ends "}"
#define GOOD SCENE(PENDULUM("[0.3,0.9]"), GRAVITY, SURFACE, TIME)

/* Energy before the first impact is that of the start; it never rises; the tip comes to rest. */
static void test_run(void **state) {
    (void)state;
    Run run = program_run(GOOD, "simulate", "--json", "-", NULL);
    assert_int_equal(run.status, 0);
    json_t *line = parse_line(run.out);
    const json_t *events = json_object_get(line, "events"), *end = json_object_get(line, "end");
    assert_string_equal(text_at(end, "reason"), "rest");
    check_close(number_at(end, "impacts"), 41, 0);
    double lost = 0, time = 0;
    for (size_t i = 0; i < json_array_size(events); i++) {
        const json_t *event = json_array_get(events, i);
        assert_true(number_at(event, "time") >= time);
        time = number_at(event, "time");
        if (strcmp(text_at(event, "event"), "impact") == 0) {
            assert_true(number_at(event, "energy_lost") >= 0);
            lost += number_at(event, "energy_lost");
        }
    }
    /* sliding takes the rest */
    assert_true(number_at(end, "energy") < number_at(end, "energy_before") - lost);
    json_decref(line);
    run_free(&run);
}

static void test_files(void **state) {
    (void)state;
    const char *scene = work_text("pendulum.json", GOOD), *table = work_path("pendulum.csv");
    const char *picture = work_path("pendulum.svg");
    Run run =
        program_run(NULL, "simulate", scene, "-o", table, "--rate", "100", "--plot", picture, NULL);
    assert_string_equal(run.err, "");
    assert_int_equal(run.status, 0);
    check_contains(run.out, "41 impacts; ends at time");
    run_free(&run);
    size_t size;
    char *text = file_read(table, &size);
    assert_ptr_equal(
        strstr(text, "t,q1,q2,u1,u2,gap,kinetic,potential,phase\n0,0.29999999999999999,"), text);
    free(text);
    text = file_read(picture, &size);
    check_contains(text, "path of the tip");
    free(text);
}

static void check_bad(const char *scene, const char *part) {
    check_refused("simulate", work_text("bad.json", scene), 2, part);
}

static void test_refusals(void **state) {
    (void)state;
    check_bad(SCENE(PENDULUM("[-1.5,0]"), GRAVITY, SURFACE, TIME),
              "mechanism.double_pendulum.angles: the tip is below the floor");
    check_bad(SCENE(PENDULUM("[0]"), GRAVITY, SURFACE, TIME), "angles: must have 2 numbers");
    check_bad(SCENE("\"mechanism\":{\"duble_pendulum\":{}}", GRAVITY, SURFACE, TIME),
              "did you mean \"double_pendulum\"?");
    check_bad(SCENE(PENDULUM("[0,0]"), "\"gravity\":[1,0,0]", SURFACE, TIME),
              "gravity: must be along z");
    check_bad(SCENE(PENDULUM("[0,0]"), GRAVITY, "\"contacts\":[{\"mu\":-1,\"e\":1}]", TIME),
              "contacts[0].mu");
    check_bad(SCENE(PENDULUM("[0,0]"), GRAVITY, SURFACE, "\"simulate\":{}"),
              "simulate.time: missing");
    check_bad(SCENE(PENDULUM("[0,0]"), GRAVITY, SURFACE, TIME ",\"model\":\"compliant\""),
              "model: must be");
    check_error(program_run(GOOD, "simulate", "--bounces", "3", "-", NULL), 2, "--bounces");
    check_error(program_run(GOOD, "solve", "-", NULL), 2, "carom simulate");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_run), cmocka_unit_test(test_files),
                                       cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, work_setup, work_teardown);
}
