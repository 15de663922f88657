/* carom simulate on worlds: the scenes of the project, output as text, JSON and a table, and what
 * is refused. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/cli/answer.h"
#include "support/cli/program.h"

static json_t *simulate(const char *scene) {
    Run run = program_run(NULL, "simulate", "--json", scene_path(scene), NULL);
    assert_int_equal(run.status, 0);
    json_t *line = parse_line(run.out);
    run_free(&run);
    return line;
}

/* All scenes of worlds come to rest with less energy than they began with. */
static void test_come_to_rest(void **state) {
    (void)state;
    const char *const scenes[] = {"world/break.json",  "world/draw.json",
                                  "world/follow.json", "world/masse.json",
                                  "world/throw.json",  "world/three_cushion.json"};
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        json_t *line = simulate(scenes[i]), *energy = json_object_get(line, "energy");
        assert_string_equal(text_at(line, "status"), "ok");
        assert_string_equal(text_at(json_object_get(line, "end"), "reason"), "rest");
        assert_true(json_number_value(json_object_get(energy, "after")) <
                    json_number_value(json_object_get(energy, "before")));
        json_t *body, *events = json_object_get(line, "events");
        size_t k;
        json_array_foreach(json_object_get(line, "bodies"), k, body) {
            const char *phase = text_at(body, "phase");
            assert_true(strcmp(phase, "rest") == 0 || strcmp(phase, "pocketed") == 0);
        }
        double time = 0;
        json_array_foreach(events, k, body) {
            double now = json_number_value(json_object_get(body, "time"));
            assert_true(now >= time);
            time = now;
        }
        json_decref(line);
    }
}

/* The x of a ball at the end. */
static double end_of(const json_t *line, size_t ball) {
    const json_t *body = json_array_get(json_object_get(line, "bodies"), ball);
    return json_number_value(json_array_get(json_object_get(body, "position"), 0));
}

/* The cue ball of a draw shot comes back, that of a follow shot goes on, sidespin throws. */
static void test_shots(void **state) {
    (void)state;
    const char *const scenes[] = {"world/draw.json", "world/follow.json", "world/throw.json"};
    for (int i = 0; i < 3; i++) {
        Run run = program_run(NULL, "simulate", "--json", "--time", i == 2 ? "0.5" : "1.6",
                              scene_path(scenes[i]), NULL);
        assert_int_equal(run.status, 0);
        json_t *line = parse_line(run.out);
        const double met = -2 * 0.028575;
        if (i == 0) {
            assert_true(end_of(line, 0) < met - 0.05);
        } else if (i == 1) {
            assert_true(end_of(line, 0) > met + 0.05);
        } else {
            const json_t *ball = json_array_get(json_object_get(line, "bodies"), 1);
            const json_t *v = json_object_get(ball, "velocity");
            assert_true(json_number_value(json_array_get(v, 1)) < -0.01);
        }
        json_decref(line);
        run_free(&run);
    }
}

static void test_text_and_table(void **state) {
    (void)state;
    const char *table = work_path("paths.csv");
    Run run = program_run(NULL, "simulate", scene_path("world/draw.json"), "--trajectory", table,
                          "--rate", "50", NULL);
    assert_int_equal(run.status, 0);
    check_contains(run.out, "cue ball meets the cue");
    check_contains(run.out, "object ball meets cushion 0");
    check_contains(run.out, "everything rests");
    run_free(&run);
    size_t size;
    char *text = file_read(table, &size);
    check_contains(text, "t,body,x,y,z,vx,vy,vz,wx,wy,wz,phase\n0,0,");
    check_contains(text, ",sliding\n");
    check_contains(text, ",rolling\n");
    free(text);
}

#define SCENE(world)                                                                               \
    "{\"carom\":1,\"gravity\":[0,0,-9.81],\"simulate\":{\"time\":1},\"world\":{" world "}}"
#define CONTACTS                                                                                   \
    "\"contacts\":[{\"materials\":[\"ball\",\"ball\"],\"mu\":0,\"e\":1},"                          \
    "{\"materials\":[\"ball\",\"plane\"],\"mu\":0,\"e\":1}]"
#define BALL(x, more) "{\"radius\":1,\"mass\":1,\"position\":[" x ",0,1]" more "}"

static void check_bad(const char *scene, const char *part) {
    check_refused("simulate", work_text("bad.json", scene), 2, part);
}

static void test_refused(void **state) {
    (void)state;
    check_bad(SCENE(""), "world.contacts: missing");
    check_bad(SCENE(CONTACTS), "world.balls: missing");
    check_bad(SCENE(CONTACTS ",\"balls\":[]"), "world.balls: must have 1 to 100000");
    check_bad(SCENE(CONTACTS ",\"balls\":[{\"radius\":0}]"),
              "world.balls[0].radius: must be a number > 0");
    check_bad(SCENE(CONTACTS ",\"balls\":[" BALL("0", "") "," BALL("1.5", "") "]"),
              "world.balls: \"ball 0\" and \"ball 1\" overlap by 0.5");
    check_bad(SCENE(CONTACTS ",\"balls\":[" BALL("0", ",\"material\":\"ice\"") "]"),
              "world.contacts has no material \"ice\"");
    check_bad(SCENE(CONTACTS ",\"balls\":[" BALL("0", ",\"colour\":1") "]"),
              "world.balls[0].colour: unknown field");
    check_bad(SCENE(CONTACTS ",\"balls\":[" BALL("0", ",\"name\":\"a\"") "," BALL(
                  "3", ",\"name\":\"a\"") "]"),
              "world.balls[1].name: two balls are called \"a\"");
    check_bad(SCENE(CONTACTS ",\"balls\":[" BALL("0", "") "],\"planes\":[{\"point\":[0,0,0.5],"
                                                          "\"normal\":[0,0,1]}]"),
              "a body is inside a plane");
    check_bad(
        SCENE(CONTACTS ",\"balls\":[" BALL("0", "") "],\"table\":{\"size\":[5,5],\"nose\":1}"),
        "world.table: world.contacts has no material \"table\"");
    check_bad(SCENE(CONTACTS ",\"balls\":[" BALL(
                  "0", "") "],\"shot\":{\"ball\":\"x\",\"mass\":1,"
                           "\"speed\":1,\"direction\":[1,0,0],\"offset\":[-1,0,0],\"mu\":0,"
                           "\"e\":1}"),
              "world.shot.ball: there is no ball \"x\"");
    check_bad(SCENE("\"contacts\":[{\"materials\":[\"ball\",\"plane\"],\"mu\":0,\"e\":1}],"
                    "\"balls\":[" BALL("0", "") "," BALL("3", "") "]"),
              "world.contacts: none for the materials \"ball\" and \"ball\"");
    /* each command says which one is meant */
    check_refused("solve", scene_path("world/draw.json"), 2, "\"carom simulate\" takes it");
    check_refused("simulate", scene_path("two_balls.json"), 2, "\"carom solve\" takes it");
    check_error(
        program_run(NULL, "simulate", "--bounces", "3", scene_path("world/draw.json"), NULL), 2,
        "--bounces: not for a world");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_come_to_rest),
        cmocka_unit_test(test_shots),
        cmocka_unit_test(test_text_and_table),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, work_setup, work_teardown);
}
