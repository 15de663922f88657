/* carom simulate on worlds: the scenes of the project, output as text, JSON and a table, and what
 * is refused. */
#include <jansson.h>
#include <stdio.h>
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
    const char *const scenes[] = {"world/break.json",       "world/draw.json",
                                  "world/follow.json",      "world/masse.json",
                                  "world/throw.json",       "world/three_cushion.json",
                                  "world/box_and_ball.json"};
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

/* A world with a convex body: its table has orientations, and shows the box at rest where the
 * report does. */
static void test_convex_body(void **state) {
    (void)state;
    const char *table = work_path("box.csv");
    Run run = program_run(NULL, "simulate", "--json", scene_path("world/box_and_ball.json"),
                          "--trajectory", table, "--rate", "100", NULL);
    assert_int_equal(run.status, 0);
    json_t *line = parse_line(run.out);
    const json_t *box = json_array_get(json_object_get(line, "bodies"), 1);
    const json_t *place = json_object_get(box, "position"), *turned;
    turned = json_object_get(box, "orientation");
    assert_int_equal(json_array_size(turned), 4);
    /* it lies on a side */
    check_close(json_number_value(json_array_get(place, 2)), 0.1, 1e-7);
    size_t size;
    char *text = file_read(table, &size), *last = NULL;
    check_contains(text, "t,body,x,y,z,vx,vy,vz,wx,wy,wz,phase,qw,qx,qy,qz\n0,0,-0.5999");
    check_contains(text, ",lasting,");
    for (char *at = text; (at = strchr(at, '\n')) != NULL && at[1]; at++) {
        last = at + 1;
    }
    double t, x[3], v[6], q[4];
    int body;
    assert_int_equal(sscanf(last, "%lf,%d,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,rest,%lf,%lf,%lf,%lf",
                            &t, &body, &x[0], &x[1], &x[2], &v[0], &v[1], &v[2], &v[3], &v[4],
                            &v[5], &q[0], &q[1], &q[2], &q[3]),
                     15);
    assert_int_equal(body, 1);
    for (size_t k = 0; k < 4; k++) {
        check_close(q[k], json_number_value(json_array_get(turned, k)), 0);
    }
    for (size_t k = 0; k < 3; k++) {
        check_close(x[k], json_number_value(json_array_get(place, k)), 0);
    }
    free(text);
    json_decref(line);
    run_free(&run);
}

#define CUE_SCENE(aim)                                                                             \
    "{\"carom\":1,\"gravity\":[0,0,-9.81],\"simulate\":{\"time\":3},\"world\":{\"balls\":["        \
    "{\"radius\":1,\"mass\":1,\"position\":[0,0,1]}],\"contacts\":["                               \
    "{\"materials\":[\"ball\",\"table\"],\"mu\":0.2,\"e\":0.5,\"mu_roll\":0.01},"                  \
    "{\"materials\":[\"ball\",\"cushion\"],\"mu\":0.1,\"e\":0.8}],"                                \
    "\"table\":{\"size\":[50,50],\"nose\":1.2},\"shot\":{\"ball\":\"ball 0\",\"mass\":3,"          \
    "\"speed\":4,\"mu\":0.7,\"e\":0.7," aim "}}}"

/* A cue by azimuth, elevation and the place of its tip is the same as by vectors. */
static void test_aim(void **state) {
    (void)state;
    /* azimuth 90: along +y, right is +x; elevation 30; tip 0.3 right, 0.4 up */
    const char *const aims[] = {"\"azimuth_degrees\":90,\"elevation_degrees\":30,\"tip\":[0.3,0.4]",
                                "\"direction\":[0,0.8660254037844386,-0.5],\"offset\":"
                                "[0.3,-0.5500000000000000,0.7794228634059948]",
                                "\"direction\":[0,0.8660254037844386,-0.5],\"tip\":[0.3,0.4]"};
    double x[3][2], spin[3];
    for (int i = 0; i < 3; i++) {
        char scene[1024];
        snprintf(scene, sizeof scene, CUE_SCENE("%s"), aims[i]);
        Run run = program_run(NULL, "simulate", "--json", work_text("aim.json", scene), NULL);
        assert_int_equal(run.status, 0);
        json_t *line = parse_line(run.out);
        const json_t *ball = json_array_get(json_object_get(line, "bodies"), 0);
        for (size_t k = 0; k < 2; k++) {
            x[i][k] = json_number_value(json_array_get(json_object_get(ball, "position"), k));
        }
        spin[i] = json_number_value(json_array_get(json_object_get(ball, "angular_velocity"), 2));
        json_decref(line);
        run_free(&run);
    }
    for (int i = 1; i < 3; i++) {
        check_close(x[i][0], x[0][0], 1e-9);
        check_close(x[i][1], x[0][1], 1e-9);
        check_close(spin[i], spin[0], 1e-9);
    }
    /* it goes along +y, with the spin of a hit on the right */
    assert_true(x[0][1] > 0.5 && spin[0] > 0.1);
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

/* Of very many balls two have the same name, or overlap. */
static void check_many(int count, int named, int as, int moved, const char *words) {
    char *scene = malloc(100 * (size_t)count + 300), *at = scene;
    assert_non_null(scene);
    at += sprintf(at, "{\"carom\":1,\"gravity\":[0,0,0],\"simulate\":{\"time\":1},\"world\":{"
                      "\"contacts\":[{\"materials\":[\"ball\",\"ball\"],\"mu\":0,\"e\":1}],"
                      "\"balls\":[");
    for (int i = 0; i < count; i++) {
        at += sprintf(at, "{\"name\":\"b%d\",\"radius\":1,\"mass\":1,\"position\":[%d,0,0]}%s",
                      i == named ? as : i, i == moved ? 1 : 3 * i, i + 1 < count ? "," : "]}}");
    }
    check_bad(scene, words);
    free(scene);
}

static void test_many_balls(void **state) {
    (void)state;
    check_many(3000, 2900, 2800, -1, "world.balls[2900].name: two bodies are called \"b2800\"");
    check_many(6000, -1, 0, 5990, "world.balls: \"b0\" and \"b5990\" overlap by 1");
}

static void test_refused(void **state) {
    (void)state;
    check_bad(SCENE(""), "world.contacts: missing");
    check_bad(SCENE(CONTACTS), "world.balls: missing, and so is \"bodies\"");
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
              "world.balls[1].name: two bodies are called \"a\"");
    check_bad(SCENE(CONTACTS ",\"balls\":[" BALL("0", "") "],\"planes\":[{\"point\":[0,0,0.5],"
                                                          "\"normal\":[0,0,1]}]"),
              "world.balls[0].position: \"ball 0\" is inside plane 0 by 0.5");
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
    check_bad(CUE_SCENE("\"azimuth_degrees\":0,\"direction\":[1,0,0],\"tip\":[0,0]"),
              "world.shot: must have either \"direction\" or \"azimuth_degrees\"");
    check_bad(CUE_SCENE("\"azimuth_degrees\":0"),
              "world.shot: must have either \"offset\" or \"tip\"");
    check_bad(CUE_SCENE("\"azimuth_degrees\":0,\"elevation_degrees\":91,\"tip\":[0,0]"),
              "world.shot.elevation_degrees: must be a number from 0 (level) to 90");
    check_bad(CUE_SCENE("\"direction\":[1,0,0],\"elevation_degrees\":1,\"tip\":[0,0]"),
              "world.shot.elevation_degrees: goes with \"azimuth_degrees\"");
    check_bad(CUE_SCENE("\"azimuth_degrees\":0,\"tip\":[0.8,0.6]"),
              "world.shot.tip: misses the ball");
    check_bad(CUE_SCENE("\"direction\":[1,0,0],\"offset\":[1,0,0]"),
              "world.shot.offset: the cue does not move towards the ball there");
    check_bad(CUE_SCENE("\"direction\":[0,0,0],\"offset\":[1,0,0]"),
              "world.shot.direction: must not be zero");
#define TABLE_SCENE(place, nose)                                                                   \
    SCENE("\"contacts\":[{\"materials\":[\"ball\",\"table\"],\"mu\":0,\"e\":1},"                   \
          "{\"materials\":[\"ball\",\"cushion\"],\"mu\":0,\"e\":1}],\"balls\":[" BALL(             \
              place, "") "],\"table\":{\"size\":[8,8],\"nose\":" nose "}")
    check_bad(TABLE_SCENE("0", "2"), "world.table.nose: \"ball 0\" passes below it");
    check_bad(TABLE_SCENE("6", "1.3"), "world.balls[0].position: \"ball 0\" is not on the table");
#define BOX(more) "{\"mass\":1,\"inertia\":[1,1,1],\"position\":[0,0,2]" more "}"
#define CUBE                                                                                       \
    ",\"vertices\":[[-1,-1,-1],[1,-1,-1],[-1,1,-1],[1,1,-1],[-1,-1,1],[1,-1,1],[-1,1,1],[1,1,1]]"
#define BOX_CONTACTS "\"contacts\":[{\"materials\":[\"body\",\"plane\"],\"mu\":0,\"e\":1}],"
    check_bad(SCENE(BOX_CONTACTS "\"bodies\":[" BOX("") "]"), "world.bodies[0].vertices: missing");
    check_bad(SCENE(BOX_CONTACTS "\"bodies\":[" BOX(CUBE ",\"guide\":1") "]"),
              "world.bodies[0].guide: unknown field");
    check_bad(SCENE(BOX_CONTACTS "\"bodies\":[" BOX(CUBE) "," BOX(CUBE ",\"name\":\"body 0\"") "]"),
              "world.bodies[1].name: two bodies are called \"body 0\"");
    check_bad(SCENE(BOX_CONTACTS "\"bodies\":[" BOX(CUBE) "," BOX(CUBE) "]"),
              "convex bodies cannot meet");
    check_bad(SCENE(BOX_CONTACTS "\"planes\":[{\"point\":[0,0,1.5],\"normal\":[0,0,1]}],"
                                 "\"bodies\":[" BOX(CUBE) "]"),
              "world.bodies[0].position: \"body 0\" is inside plane 0 by 0.5");
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
        cmocka_unit_test(test_convex_body),
        cmocka_unit_test(test_aim),
        cmocka_unit_test(test_many_balls),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, work_setup, work_teardown);
}
