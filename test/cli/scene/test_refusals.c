/* carom solve, from outside: which scenes it refuses, and that the message names the field. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/check.h"
#include "support/cli/program.h"
#include "support/cli/scene_text.h"

static const Refusal refusals[] = {
    /* not JSON, or not this JSON */
    {"", "empty"},
    {" \n\t ", "empty"},
    {"[1,2]", "must be a JSON object"},
    {"3", "must be a JSON object"},
    {"{\"carom\":1,", "not valid JSON"},
    {GOOD " x", "end of file expected"},
    {GOOD GOOD, "end of file expected"},
    {"{\"carom\":1,\"carom\":1}", "carom: not valid JSON: duplicate object key"},
    {CONTACT("\"mu\":0.3,\"e\":0.6,\"mu\":0.4"), "contacts[0].mu: not valid JSON: duplicate"},
    {CONTACT("\"mu\":NaN,\"e\":0.6"), "contacts[0].mu: must be a finite number, got NaN"},
    {CONTACT("\"mu\":0.3,\"e\":-Infinity"), "contacts[0].e: must be a finite number, got -Inf"},
    {SCENE(MECHANICS, "\"contact_velocity\":[0,1e999,-1]", SURFACE),
     "contact_velocity[1]: must be a finite number, got 1e999"},
    {SCENE("\"inverse_inertia\":[[3,0,0],[0,3,0],[0,0,nan]]", SPEED, SURFACE),
     "inverse_inertia[2][2]: must be a finite number, got nan"},
    {BODIES("{\"mass\":infinite}", PLACE), "bodies[0].mass: not valid JSON: invalid token"},
    /* version, names, choices */
    {"{\"model\":\"rigid\"}", "carom: missing"},
    {"{\"carom\":2}", "carom: must be 1"},
    {"{\"carom\":\"1\"}", "carom: must be a number, got \"1\""},
    {"{\"carom\":1," MECHANICS "," SPEED "," SURFACE "}",
     "model: missing, must be \"rigid\" or \"compliant\""},
    {"{\"carom\":1,\"model\":\"rigd\"," MECHANICS "," SPEED "," SURFACE "}",
     "model: must be \"rigid\" or \"compliant\", got \"rigd\""},
    {SCENE(MECHANICS ",\"restitution\":\"hertz\"", SPEED, SURFACE),
     "restitution: must be \"energetic\" or \"poisson\" or \"newton\" or \"mono_stiffness\" or "
     "\"plastic_deformation\" or \"bi_stiffness\", got \"hertz\""},
    {SCENE(MECHANICS ",\"name\":7", SPEED, SURFACE), "name: must be a string, got 7"},
    {SCENE(MECHANICS ",\"units\":\"CGS\"", SPEED, SURFACE),
     "units: must be \"SI\" or an object with \"length\", \"mass\" and \"time\", got \"CGS\""},
    {SCENE(MECHANICS ",\"units\":{\"length\":\"mm\",\"mass\":\"g\"}", SPEED, SURFACE),
     "units.time: missing, must be a string"},
    {SCENE(MECHANICS ",\"units\":{\"length\":\"m'\",\"mass\":\"g\",\"time\":\"s\"}", SPEED,
           SURFACE),
     "units.length: must have only letters, digits, blanks and / . -"},
    {SCENE(MECHANICS ",\"units\":{\"length\":\"\",\"mass\":\"g\",\"time\":\"s\"}", SPEED, SURFACE),
     "units.length: must have 1 to 15 bytes, got 0"},
    {SCENE(MECHANICS ",\"gravity\":9.81", SPEED, SURFACE), "gravity: only in a scene to simulate"},
    {SCENE(MECHANICS ",\"inverse_inertja\":1", SPEED, SURFACE),
     "inverse_inertja: unknown field; did you mean \"inverse_inertia\"?"},
    {CONTACT("\"mu\":0.3,\"e\":0.6,\"mu_statik\":1"),
     "contacts[0].mu_statik: unknown field; did you mean \"mu_static\"?"},
    {SCENE(MECHANICS ",\"evil\\u001b[31m\":1", SPEED, SURFACE), "evil?[31m: unknown field"},
    /* the mechanics */
    {"{\"carom\":1,\"model\":\"rigid\"," SURFACE "}", "the mechanics are missing"},
    {SCENE(MECHANICS ",\"bodies\":[]", SPEED, SURFACE), "bodies: the mechanics are given twice"},
    {SCENE(MECHANICS ",\"system\":{}", SPEED, SURFACE),
     "system: the mechanics are given twice: \"inverse_inertia\" says them already"},
    {SCENE(MECHANICS, "\"name\":\"\"", SURFACE), "contact_velocity: missing"},
    {SCENE("\"name\":\"\"", SPEED, SURFACE), "inverse_inertia: missing"},
    {SCENE(MECHANICS, "\"contact_velocity\":[1,-1]", SURFACE),
     "contact_velocity: must have 3 numbers, got 2"},
    {SCENE(MECHANICS, "\"contact_velocity\":[1,\"x\",-1]", SURFACE),
     "contact_velocity[1]: must be a number, got \"x\""},
    {SCENE("\"inverse_inertia\":[[1,0,0],[0,1,0]]", SPEED, SURFACE),
     "inverse_inertia: must have 3 rows, got 2"},
    {SCENE("\"inverse_inertia\":[[1,0,0],[0,1],[0,0,1]]", SPEED, SURFACE),
     "inverse_inertia[1]: must have 3 numbers, got 2"},
    {SCENE("\"inverse_inertia\":[[1,0,0],7,[0,0,1]]", SPEED, SURFACE),
     "inverse_inertia[1]: must be an array of 3 numbers, got 7"},
    {SCENE("\"inverse_inertia\":[[1,0,0.1],[0,1,0],[0.2,0,1]]", SPEED, SURFACE),
     "inverse_inertia: must be symmetric: [0][2] is 0.1, [2][0] is 0.2"},
    {SCENE("\"inverse_inertia\":[[1,2,0],[2,1,0],[0,0,1]]", SPEED, SURFACE), "positive definite"},
    {SCENE("\"inverse_inertia\":[[-1,0,0],[0,1,0],[0,0,1]]", SPEED, SURFACE), "positive definite"},
    {SCENE("\"inverse_inertia\":[[1,0,0],[0,1,0],[0,0,0]]", SPEED, SURFACE), "inverse_inertia"},
    /* the contacts */
    {SCENE(MECHANICS, SPEED, "\"contacts\":[]"), "contacts: must have 1 to 1000 elements, got 0"},
    {SCENE(MECHANICS, SPEED, "\"contacts\":{}"), "contacts: must be an array of contacts, got an"},
    {SCENE(MECHANICS, SPEED, "\"contacts\":[5]"), "contacts[0]: must be an object, got 5"},
    {SCENE(MECHANICS, SPEED, "\"name\":\"\""), "contacts: missing"},
    {CONTACT("\"mu\":-1,\"e\":0.6"), "contacts[0].mu: must be a number >= 0, got -1"},
    {CONTACT("\"mu\":true,\"e\":0.6"), "contacts[0].mu: must be a number >= 0, got true"},
    {CONTACT("\"mu\":null,\"e\":0.6"), "contacts[0].mu: must be a number >= 0, got null"},
    {CONTACT("\"e\":0.6"), "contacts[0].mu: missing, must be a number >= 0"},
    {CONTACT("\"mu\":1"), "contacts[0].e: missing, must be a number in [0, 1]"},
    {CONTACT("\"mu\":1,\"e\":1.5"), "contacts[0].e: must be a number in [0, 1], got 1.5"},
    {CONTACT("\"mu\":1,\"e\":-1e-9"), "contacts[0].e: must be a number in [0, 1], got -1e-09"},
    {CONTACT("\"mu\":1,\"e\":1.0000000001"), "got 1.0000000001"},
    {CONTACT("\"mu\":1,\"e\":1,\"mu_static\":0.5"),
     "contacts[0].mu_static: must be at least mu, got 0.5"},
    {CONTACT("\"mu\":1,\"e\":1,\"stiffness\":0"),
     "contacts[0].stiffness: must be a number > 0, got 0"},
    {CONTACT("\"mu\":1,\"e\":1,\"stiffness_ratio\":-2"),
     "contacts[0].stiffness_ratio: must be a number > 0, got -2"},
    {CONTACT("\"mu\":1,\"e\":1,\"point\":[0,0,0]"),
     "contacts[0].point: only in a scene with \"bodies\""},
    {CONTACT("\"mu\":1,\"e\":1,\"jacobian\":[]"),
     "contacts[0].jacobian: only in a scene with \"system\""},
    /* bodies */
    {BODIES("", PLACE), "bodies: must have 1 to 10000 elements, got 0"},
    {BODIES("4", PLACE), "bodies[0]: must be an object, got 4"},
    {BODIES("{\"mass\":0}", PLACE), "bodies[0].mass: must be a number > 0 or \"infinite\", got 0"},
    {BODIES("{\"mass\":\"big\"}", PLACE), "bodies[0].mass: must be a number > 0 or \"infinite\""},
    {BODIES("{}", PLACE), "bodies[0].mass: missing"},
    {BODIES("{\"mass\":1}", PLACE), "bodies[0].inertia: missing"},
    {BODIES("{\"mass\":1,\"inertia\":[1,1]}", PLACE), "bodies[0].inertia: must have 3 numbers"},
    {BODIES("{\"mass\":1,\"inertia\":[1,0,1]}", PLACE),
     "bodies[0].inertia[1]: must be a number > 0, got 0"},
    {BODIES("{\"mass\":1,\"inertia\":[[1,0,0],[0,1,0],[0.5,0,1]]}", PLACE),
     "bodies[0].inertia: must be symmetric"},
    {BODIES("{\"mass\":1,\"inertia\":[[1,2,0],[2,1,0],[0,0,1]]}", PLACE),
     "bodies[0].inertia: must be positive definite"},
    {BODIES("{\"mass\":1,\"inertia\":[1,1,1]}", PLACE), "bodies[0].position: missing"},
    {BODIES("{\"mass\":1,\"inertia\":{\"bal\":1}}", PLACE),
     "bodies[0].inertia.bal: unknown field; did you mean \"ball\"?"},
    {BODIES("{\"mass\":1,\"inertia\":{}}", PLACE), "bodies[0].inertia: must name one solid, got 0"},
    {BODIES("{\"mass\":1,\"inertia\":{\"ball\":1,\"shell\":1}}", PLACE),
     "bodies[0].inertia: must name one solid, got 2"},
    {BODIES("{\"mass\":1,\"inertia\":{\"ball\":0}}", PLACE),
     "bodies[0].inertia.ball: must be a number > 0, got 0"},
    {BODIES("{\"mass\":1,\"inertia\":{\"box\":[1,2]}}", PLACE),
     "bodies[0].inertia.box: must have 3 numbers, got 2"},
    {BODIES("{\"mass\":1,\"inertia\":{\"cone\":[1,-2]}}", PLACE),
     "bodies[0].inertia.cone: size has an entry that is not a finite number > 0"},
    {BODIES("{\"mass\":1,\"inertia\":\"ball\"}", PLACE),
     "bodies[0].inertia: must be an array of 3 principal moments or of 3 rows, or a solid"},
    {BODIES(BALL ",\"orientation\":[1,1,0,0]}", PLACE),
     "bodies[0].orientation: must be a unit quaternion, its length is 1.41421356"},
    {BODIES(BALL ",\"orientation\":[1.002,0,0,0]}", PLACE),
     "bodies[0].orientation: must be a unit quaternion, its length is 1.002"},
    {BODIES(BALL ",\"orientation\":[1,0,0]}", PLACE),
     "bodies[0].orientation: must have 4 numbers, got 3"},
    {BODIES(BALL ",\"velocity\":[1,0]}", PLACE), "bodies[0].velocity: must have 3 numbers, got 2"},
    {BODIES(BALL ",\"spin\":[1,0,0]}", PLACE), "bodies[0].spin: unknown field\n"},
    {BODIES("{\"mass\":1,\"guide\":[0,0,1]}", PLACE),
     "bodies[0].guide: must be an object with \"axis\" and \"speed\""},
    {BODIES("{\"mass\":1,\"guide\":{\"speed\":1}}", PLACE), "bodies[0].guide.axis: missing"},
    {BODIES("{\"mass\":1,\"guide\":{\"axis\":[0,0,0]}}", PLACE),
     "bodies[0].guide.axis: must not be zero"},
    {BODIES("{\"mass\":1,\"guide\":{\"axis\":[0,0,1],\"sped\":1}}", PLACE),
     "bodies[0].guide.sped: unknown field; did you mean \"speed\"?"},
    {BODIES("{\"mass\":\"infinite\",\"guide\":{\"axis\":[0,0,1]}}", PLACE),
     "bodies[0].guide: a body of infinite mass cannot be guided"},
    {BODIES("{\"mass\":1,\"velocity\":[0,0,1],\"guide\":{\"axis\":[0,0,1]}}", PLACE),
     "bodies[0].velocity: a guided body has \"speed\" in \"guide\" instead"},
    {BODIES("{\"mass\":1,\"angular_velocity\":[0,0,1],\"guide\":{\"axis\":[0,0,1]}}", PLACE),
     "bodies[0].angular_velocity: a guided body has"},
    {BODIES(BALL "}," BALL "}", PLACE), "bodies[1].name: \"ball\" is the name of bodies[0]"},
    {BODIES(BALL "}," FLOOR, PLACE), "contacts[0].bodies: missing"},
    {BODIES(BALL "}," FLOOR, PLACE ",\"bodies\":[0]"), "contacts[0].bodies: must have 2 bodies"},
    {BODIES(BALL "}," FLOOR, PLACE ",\"bodies\":[0,2]"),
     "contacts[0].bodies[1]: must be a body's name or its index, 0 to 1, got 2"},
    {BODIES(BALL "}," FLOOR, PLACE ",\"bodies\":[0,0.5]"), "contacts[0].bodies[1]: must be a body"},
    {BODIES(BALL "}," FLOOR, PLACE ",\"bodies\":[\"ball\",\"wall\"]"),
     "contacts[0].bodies[1]: there is no body with the name \"wall\""},
    {BODIES(BALL "}," FLOOR, PLACE ",\"bodies\":[0,\"ball\"]"),
     "contacts[0].bodies: must be two different bodies"},
    {BODIES(FLOOR ",{\"mass\":\"infinite\"}", PLACE ",\"bodies\":[0,1]"),
     "contacts[0].bodies: one of the two must have a finite mass"},
    {BODIES(BALL "}," FLOOR, "\"mu\":0,\"e\":1,\"bodies\":[0,1],\"point\":[0,0,0]"),
     "contacts[0].normal: missing"},
    {BODIES(BALL "}," FLOOR,
            "\"mu\":0,\"e\":1,\"bodies\":[0,1],\"point\":[0,0,0],\"normal\":[0,0,0]"),
     "contacts[0].normal: must not be zero"},
    {BODIES(BALL "}," FLOOR, PLACE ",\"bodies\":[0,1],\"tangent\":[0,0,0]"),
     "contacts[0].tangent: must not be zero"},
    {BODIES(BALL "}," FLOOR, PLACE ",\"bodies\":[0,1],\"tangent\":[0,0,-2]"),
     "contacts[0].tangent: must not be parallel to the normal"},
};

static void test_refusals(void **state) {
    (void)state;
    check_refusals(refusals, sizeof refusals / sizeof *refusals);
}

/* The good scene is good: else every refusal above could be for another reason. */
static void test_good_scene(void **state) {
    (void)state;
    Run run = program_run(GOOD, "solve", "-", NULL);
    assert_int_equal(run.status, 0);
    assert_string_equal(run.err, "");
    check_contains(run.out, "the bodies separate");
    assert_null(strchr(run.out, '\x1b'));
    run_free(&run);
}

/* A body by its solid is the body by its moments. */
static void test_solids(void **state) {
    (void)state;
    static const char *const pairs[][2] = {{"{\"ball\":2}", "[3.2,3.2,3.2]"},
                                           {"{\"box\":[1,2,3]}", "[2.1666666666666665,"
                                                                 "1.6666666666666667,"
                                                                 "0.83333333333333337]"},
                                           {"{\"cylinder\":[1,3]}", "[2,2,1]"},
                                           {"{\"tube\":[1,3]}", "[2.5,2.5,2]"},
                                           {"{\"rod\":[3,1]}", "[2,2,1]"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char *out[2];
        for (int k = 0; k < 2; k++) {
            char scene[512];
            snprintf(scene, sizeof scene,
                     BODIES("{\"mass\":2,\"inertia\":%s,\"position\":[1,0.5,1],\"velocity\":"
                            "[1,0,-1]}," FLOOR,
                            PLACE ",\"bodies\":[0,1]"),
                     pairs[i][k]);
            Run run = program_run(scene, "solve", "--json", "-", NULL);
            assert_int_equal(run.status, 0);
            out[k] = strdup(run.out);
            run_free(&run);
        }
        /* to 15 digits: the moments above are rounded */
        const char *a = strstr(out[0], "\"impulse\""), *b = strstr(out[1], "\"impulse\"");
        for (const char *x = strchr(a, '['), *y = strchr(b, '['); *x != ']' && *y != ']';) {
            char *next_x, *next_y;
            check_close(strtod(x + 1, &next_x), strtod(y + 1, &next_y), 1e-14);
            x = next_x;
            y = next_y;
        }
        free(out[0]);
        free(out[1]);
    }
}

static void test_unreadable_files(void **state) {
    (void)state;
    check_refused("solve", work_path(""), 2, "is a directory");
    check_refused("solve", work_path("none.json"), 2, "No such file");
    /* 100,000 levels deep, in arrays and in objects */
    enum { DEEP = 100000 };
    char *deep = malloc(5 * DEEP + 1);
    assert_non_null(deep);
    memset(deep, '[', DEEP);
    check_refused("solve", work_file("deep.json", deep, DEEP), 2, "maximum parsing depth");
    for (int i = 0; i < DEEP; i++) {
        memcpy(deep + 5 * i, "{\"a\":", 5);
    }
    check_refused("solve", work_file("deep.json", deep, 5 * DEEP), 2, "maximum parsing depth");
    free(deep);
    /* zero bytes, and more of them than a scene may have */
    check_refused("solve", work_file("zero.json", "{\0}", 3), 2, "not valid JSON");
    assert_int_equal(truncate(work_path("zero.json"), (64 << 20) + 1), 0);
    check_refused("solve", work_path("zero.json"), 2, "larger than 64 MB");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good_scene),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_solids),
        cmocka_unit_test(test_unreadable_files),
    };
    return cmocka_run_group_tests(tests, work_setup, work_teardown);
}
