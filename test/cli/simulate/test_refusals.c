/* carom simulate: scenes and options that it refuses. */
#include <jansson.h>

#include "support/check.h"
#include "support/cli/answer.h"
#include "support/cli/program.h"
#include "support/cli/throw_text.h"

static void check_bad(const char *scene, const char *part) {
    const char *path = work_text("bad.json", scene);
    check_refused("simulate", path, 2, part);
    Run run = program_run(NULL, "simulate", "--json", path, NULL);
    json_t *line = parse_line(run.out);
    assert_string_equal(text_at(line, "status"), "invalid_input");
    check_contains(text_at(line, "message"), part);
    json_decref(line);
    run_free(&run);
}

#define BODY(body) SCENE("\"bodies\":[" body "]", PLANE, GRAVITY, SURFACE, "")
#define SHAPE(shape) SCENE(DROP("\"shape\":" shape, STILL), PLANE, GRAVITY, SURFACE, "")

static void test_bad_bodies(void **state) {
    (void)state;
    check_bad(BODY(""), "bodies: must have 1 body");
    check_bad(BODY("{},{}"), "bodies: must have 1 body (the plane is not one of them), got 2");
    check_bad(BODY("3"), "bodies[0]: must be an object, got 3");
    check_bad(BODY("{}"), "bodies[0].shape: missing");
    check_bad(BODY("{\"mass\":\"infinite\"," BALL "}"), "bodies[0].mass: must be a number > 0");
    check_bad(BODY("{\"mass\":-1," BALL "}"), "bodies[0].mass: must be a number > 0");
    check_bad(BODY("{\"mass\":1,\"guide\":{\"axis\":[0,0,1]}," BALL "}"),
              "bodies[0].guide: the body flies, it cannot be guided");
    check_bad(BODY("{\"mass\":1," BALL "}"), "bodies[0].inertia: missing");
    check_bad(BODY("{\"mass\":1,\"inertia\":[1,1,1]," BALL "}"), "bodies[0].position: missing");
    check_bad(BODY("{\"mass\":1,\"inertia\":[1,1,1],\"position\":[0,0,0.5]," BALL "}"),
              "bodies[0].position: the body is inside the plane, by 0.5");
    check_bad(SHAPE("{}"), "bodies[0].shape: must have either \"ball\" or \"vertices\"");
    check_bad(SHAPE("{\"ball\":1,\"vertices\":[[0,0,1]]}"), "bodies[0].shape: must have either");
    check_bad(SHAPE("{\"bal\":1}"), "bodies[0].shape.bal: unknown field; did you mean \"ball\"?");
    check_bad(SHAPE("{\"ball\":0}"), "bodies[0].shape.ball: must be a number > 0, got 0");
    check_bad(SHAPE("{\"vertices\":[]}"), "bodies[0].shape.vertices: must have 1 to 10000");
    check_bad(SHAPE("{\"vertices\":[[0,0]]}"), "bodies[0].shape.vertices[0]: must have 3 numbers");
    check_bad(SHAPE("{\"vertices\":[[0,0,\"x\"]]}"),
              "bodies[0].shape.vertices[0][2]: must be a number");
    check_bad(SHAPE("{\"vertices\":[[0,0,1e999]]}"),
              "bodies[0].shape.vertices[0][2]: must be a finite");
}

#define FIELDS(plane, gravity, surface, rest)                                                      \
    SCENE(DROP(BALL, STILL), plane, gravity, surface, rest)

static void test_bad_fields(void **state) {
    (void)state;
    check_bad("", "empty");
    check_bad("[1]", "must be a JSON object");
    check_bad("{\"carom\":2}", "carom: must be 1");
    check_bad("{\"carom\":1", "not valid JSON");
    check_bad("{\"carom\":1,\"inverse_inertia\":[]}",
              "inverse_inertia: only in a scene of one impact");
    check_bad("{\"carom\":1,\"model\":\"rigid\"}", "bodies: missing");
    check_bad(FIELDS(PLANE, "\"gravty\":[0,0,1]", SURFACE, ""), "gravty: unknown field; did you");
    check_bad(FIELDS(PLANE, "\"name\":\"x\"", SURFACE, ""), "gravity: missing");
    check_bad(FIELDS(PLANE, "\"gravity\":[0,1]", SURFACE, ""), "gravity: must have 3 numbers");
    check_bad(FIELDS("\"plane\":[]", GRAVITY, SURFACE, ""), "plane: must be an object");
    check_bad(FIELDS("\"plane\":{\"point\":[0,0,0]}", GRAVITY, SURFACE, ""),
              "plane.normal: missing");
    check_bad(FIELDS("\"plane\":{\"point\":[0,0,0],\"normal\":[0,0,0]}", GRAVITY, SURFACE, ""),
              "plane.normal: must not be zero");
    check_bad(FIELDS(PLANE, GRAVITY, "\"contacts\":[]", ""),
              "contacts: must have 1 contact, got 0");
    check_bad(FIELDS(PLANE, GRAVITY, "\"contacts\":[{\"mu\":1,\"e\":2}]", ""),
              "contacts[0].e: must be a number in [0, 1], got 2");
    check_bad(FIELDS(PLANE, GRAVITY, "\"contacts\":[7]", ""), "contacts[0]: must be an object");
    check_bad(FIELDS(PLANE, GRAVITY, "\"contacts\":7", ""), "contacts: must be an array");
    check_bad(FIELDS(PLANE, GRAVITY, "\"contacts\":[{\"mu\":1,\"e\":1,\"normal\":[0,0,1]}]", ""),
              "contacts[0].normal: not in a scene to simulate");
    check_bad(FIELDS(PLANE, GRAVITY, SURFACE, ",\"simulate\":{\"time\":0}"),
              "simulate.time: must be a number > 0, got 0");
    check_bad(FIELDS(PLANE, GRAVITY, SURFACE, ",\"simulate\":{\"bounces\":1.5}"),
              "simulate.bounces: must be a whole number from 1 to 100000, got 1.5");
    check_bad(FIELDS(PLANE, GRAVITY, SURFACE, ",\"simulate\":{\"rest\":-1}"),
              "simulate.rest: must be a number in [0, 1], got -1");
    check_bad(FIELDS(PLANE, GRAVITY, SURFACE, ",\"simulate\":{\"until\":1}"),
              "simulate.until: unknown field");
    /* refused by the solver: the compliant model has the energetic law only */
    check_bad("{\"carom\":1,\"model\":\"compliant\",\"restitution\":\"newton\"," DROP(
                  BALL, STILL) "," GRAVITY "," SURFACE "}",
              "restitution");
    check_refused("simulate", work_path("none.json"), 2, "cannot be opened");
    check_refused("simulate", scene_path(""), 2, "is a directory");
}

static void check_usage(const char *part, const char *first, const char *second,
                        const char *third) {
    Run run = program_run(GOOD, "simulate", first, second, third, NULL);
    assert_int_equal(run.status, 2);
    assert_string_equal(run.out, "");
    check_contains(run.err, part);
    check_contains(run.err, "carom simulate --help");
    run_free(&run);
}

static void test_bad_usage(void **state) {
    (void)state;
    check_usage("no scene given", NULL, NULL, NULL);
    check_usage("takes one scene, got 2", "-", "-", NULL);
    check_usage("--time: must be a number > 0, got \"0\"", "--time", "0", "-");
    check_usage("--bounces: must be 1 to 100000, got \"x\"", "--bounces", "x", "-");
    check_usage("--rate: only with --trajectory", "--rate", "5", "-");
    check_usage("--plot: must end in .svg", "--plot", "a.txt", "-");
    check_usage("--method: must be exact", "--method", "best", "-");
    check_usage("--step: only with", "--step", "1", "-");
    check_usage("--as-printed: only with", "--as-printed", "-", NULL);
    check_usage("unknown option", "--bogus", "-", NULL);
    check_error(program_run(GOOD, "simulate", "-", "-o", "/nowhere/t.csv", NULL), 2,
                "--trajectory: /nowhere/t.csv: ");
    check_error(
        program_run(GOOD, "simulate", "-", "-o", work_path("t.csv"), "--rate", "1e300", NULL), 2,
        "--rate: 1e+300 is too high for a time of ");
    /* a method that is not one of the model's */
    check_error(program_run(GOOD, "simulate", "--method", "euler", "-", NULL), 2, "method");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_bodies),
        cmocka_unit_test(test_bad_fields),
        cmocka_unit_test(test_bad_usage),
    };
    return cmocka_run_group_tests(tests, work_setup, work_teardown);
}
