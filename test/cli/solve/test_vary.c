/* carom solve --vary: a scene over a range of one of its numbers, or of two.
 *
 * Oracles: each line of JSON against the same scene with the value written into it, to the last
 * bit; each row of the table against these lines; the last line of a table against its definition.
 */
#include <carom/carom.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/cli/answer.h"
#include "support/cli/program.h"
#include "support/cli/scene_text.h"
#include "support/cli/stack_text.h"

/* One rigid contact in contact space, and two frictionless ones of a stack of balls. */
#define RIGID(contact)                                                                             \
    "{\"carom\":1,\"model\":\"rigid\"," MECHANICS "," SPEED ",\"contacts\":[{" contact "}]}"
#define COMPLIANT(contact)                                                                         \
    "{\"carom\":1,\"model\":\"compliant\"," MECHANICS "," SPEED ",\"contacts\":[{" contact "}]}"

/* Next line of a text, cut off where it ends; NULL: no more. */
static char *next_line(char **text) {
    char *line = *text, *end = strchr(line, '\n');
    if (!*line) {
        return NULL;
    }
    *text = end ? end + 1 : line + strlen(line);
    if (end) {
        *end = '\0';
    }
    return line;
}

static Run vary(const char *range, const char *scene, const char *option) {
    return program_run(NULL, "solve", "--vary", range, work_text("vary.json", scene), option, NULL);
}

/* One line of JSON is the answer to the scene with the value in it, and names the value. */
static void check_line(char *text, const char *scene, const char *parameter, int contact,
                       double value) {
    json_t *line = parse_line(text), *object = json_object_get(line, "vary");
    check_keys(object, "parameter contact value ");
    assert_string_equal(text_at(object, "parameter"), parameter);
    check_close(number_at(object, "contact"), contact, 0);
    check_close(number_at(object, "value"), value, 2e-16 * value);
    json_t *expected = run_line(program_run(scene, "solve", "--json", "-", NULL));
    json_object_del(line, "vary");
    if (!json_equal(line, expected)) {
        fail_msg("%s = %g: %s", parameter, value, text);
    }
    json_decref(expected);
    json_decref(line);
}

/* All parameters, both models, one contact: FROM, TO and the values between them. */
static void test_one_contact(void **state) {
    (void)state;
    static const struct {
        const char *range, *parameter, *scene;
        double values[3];
        const char *scenes[3];
    } runs[] = {
        {"mu=0:0.5:3",
         "mu",
         RIGID("\"mu\":0.3,\"e\":0.6"),
         {0, 0.25, 0.5},
         {RIGID("\"mu\":0,\"e\":0.6"), RIGID("\"mu\":0.25,\"e\":0.6"),
          RIGID("\"mu\":0.5,\"e\":0.6")}},
        /* friction at rest as given: it was another one */
        {"mu=0.5:0:3",
         "mu",
         RIGID("\"mu\":0.3,\"e\":0.6,\"mu_static\":0.5"),
         {0.5, 0.25, 0},
         {RIGID("\"mu\":0.5,\"e\":0.6,\"mu_static\":0.5"),
          RIGID("\"mu\":0.25,\"e\":0.6,\"mu_static\":0.5"),
          RIGID("\"mu\":0,\"e\":0.6,\"mu_static\":0.5")}},
        {"e[0]=0:1:3",
         "e",
         COMPLIANT("\"mu\":0.3,\"e\":0.6"),
         {0, 0.5, 1},
         {COMPLIANT("\"mu\":0.3,\"e\":0"), COMPLIANT("\"mu\":0.3,\"e\":0.5"),
          COMPLIANT("\"mu\":0.3,\"e\":1")}},
        {"stiffness_ratio=0.5:8:3",
         "stiffness_ratio",
         COMPLIANT("\"mu\":0.3,\"e\":0.6"),
         {0.5, 2, 8},
         {COMPLIANT("\"mu\":0.3,\"e\":0.6,\"stiffness_ratio\":0.5"),
          COMPLIANT("\"mu\":0.3,\"e\":0.6,\"stiffness_ratio\":2"),
          COMPLIANT("\"mu\":0.3,\"e\":0.6,\"stiffness_ratio\":8")}},
    };
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        Run run = vary(runs[i].range, runs[i].scene, "--json");
        assert_int_equal(run.status, 0);
        char *rest = run.out;
        for (int k = 0; k < 3; k++) {
            char *line = next_line(&rest);
            assert_non_null(line);
            check_line(line, runs[i].scenes[k], runs[i].parameter, 0, runs[i].values[k]);
        }
        assert_null(next_line(&rest));
        run_free(&run);
    }
}

/* Each contact in turn, the other as given; or one of them. */
static void test_several_contacts(void **state) {
    (void)state;
    static const char *const scenes[2][3] = {
        {STACK("", "\"mu\":0,\"e\":0.9,\"stiffness\":0.25", "\"mu\":0,\"e\":0.7"), PLASTIC,
         STACK("", "\"mu\":0,\"e\":0.9,\"stiffness\":4", "\"mu\":0,\"e\":0.7")},
        {STACK("", "\"mu\":0,\"e\":0.9", "\"mu\":0,\"e\":0.7,\"stiffness\":0.25"), PLASTIC,
         STACK("", "\"mu\":0,\"e\":0.9", "\"mu\":0,\"e\":0.7,\"stiffness\":4")}};
    static const double values[3] = {0.25, 1, 4};
    for (int indexed = 0; indexed < 2; indexed++) {
        Run run = vary(indexed ? "stiffness[1]=0.25:4:3" : "stiffness=0.25:4:3", PLASTIC, "--json");
        assert_int_equal(run.status, 0);
        char *rest = run.out;
        for (int contact = indexed; contact < 2; contact++) {
            for (int k = 0; k < 3; k++) {
                char *line = next_line(&rest);
                assert_non_null(line);
                check_line(line, scenes[contact][k], "stiffness", contact, values[k]);
            }
        }
        assert_null(next_line(&rest));
        run_free(&run);
    }
}

/* The numbers of a table: value, columns, energy lost; answers with how many. */
static int read_row(const char *line, double *numbers, int size, char status[32]) {
    int count = 0, used = 0;
    while (count < size && sscanf(line, "%lf%n", &numbers[count], &used) == 1) {
        line += used;
        count++;
    }
    assert_int_equal(sscanf(line, "%31s", status), 1);
    return count;
}

/* The table of a scene with bodies: velocities that change, energy, and the last line. */
static void test_table_of_bodies(void **state) {
    (void)state;
    Run table = vary("stiffness[1]=0.25:4:5", PLASTIC, NULL);
    Run lines = vary("stiffness[1]=0.25:4:5", PLASTIC, "--json");
    assert_int_equal(table.status, 0);
    check_contains(table.out, "Contact 1      mu = 0, e = 0.7, stiffness 1; lower touches table\n");
    char *rest = strstr(table.out, "\nstiffness from 0.25 to 4 at contact 1 (lower touches table), "
                                   "the others as given\n");
    char *json = lines.out;
    assert_non_null(rest);
    rest++;
    next_line(&rest);
    assert_string_equal(next_line(&rest), "                   upper        lower    energy");
    assert_string_equal(next_line(&rest),
                        "  stiffness           vz           vz    lost %  status");
    double low[2] = {INFINITY, INFINITY}, high[2] = {0, 0};
    for (int i = 0; i < 5; i++) {
        double numbers[4];
        char status[32];
        assert_int_equal(read_row(next_line(&rest), numbers, 4, status), 4);
        assert_string_equal(status, "ok");
        json_t *line = parse_line(next_line(&json));
        const json_t *bodies = json_object_get(line, "bodies");
        const json_t *energy = json_object_get(line, "energy");
        check_close(numbers[0], 0.25 * pow(2, i), 1e-6);
        for (size_t k = 0; k < 2; k++) {
            check_close(numbers[1 + k], element(json_array_get(bodies, k), "velocity", 2), 1e-6);
            double I = element(line, "impulse", 3 * k + 2);
            low[k] = fmin(low[k], I);
            high[k] = fmax(high[k], I);
        }
        check_close(numbers[3], -100 * number_at(energy, "change") / 0.5, 1e-3);
        json_decref(line);
    }
    int worst = high[1] - low[1] > high[0] - low[0];
    char last[128];
    snprintf(last, sizeof last,
             "The impulses change by up to %.3g %% of the largest one (contact %d).",
             100 * (high[worst] - low[worst]) / fmax(high[0], high[1]), worst);
    assert_string_equal(next_line(&rest), last);
    assert_null(next_line(&rest));
    run_free(&table);
    run_free(&lines);
}

/* Without bodies: impulses, normal and tangential. */
static void test_table_of_impulses(void **state) {
    (void)state;
    Run table = vary("mu=0:0.6:4", RIGID("\"mu\":0.3,\"e\":0.6"), NULL);
    Run lines = vary("mu=0:0.6:4", RIGID("\"mu\":0.3,\"e\":0.6"), "--json");
    assert_int_equal(table.status, 0);
    char *rest = strstr(table.out, "\nmu from 0 to 0.6\n"), *json = lines.out;
    assert_non_null(rest);
    rest++;
    next_line(&rest);
    assert_string_equal(next_line(&rest), "                 impulse      impulse    energy");
    assert_string_equal(next_line(&rest),
                        "         mu       normal   tangential    lost %  status");
    for (int i = 0; i < 4; i++) {
        double numbers[4];
        char status[32];
        assert_int_equal(read_row(next_line(&rest), numbers, 4, status), 4);
        json_t *line = parse_line(next_line(&json));
        check_close(numbers[0], 0.2 * i, 1e-6);
        check_close(numbers[1], element(line, "impulse", 2), 5e-6); /* six digits */
        check_close(numbers[2], hypot(element(line, "impulse", 0), element(line, "impulse", 1)),
                    5e-6);
        json_decref(line);
    }
    check_contains(next_line(&rest), "The impulse changes by up to ");
    run_free(&table);
    run_free(&lines);
    /* coefficients that it does not depend on */
    table = vary("stiffness=1:100:3", RIGID("\"mu\":0.3,\"e\":0.6"), NULL);
    check_contains(table.out, "The impulse does not depend on it.\n");
    run_free(&table);
}

/* Many bodies: as many columns as fit, and those that change most. */
static void test_many_bodies(void **state) {
    (void)state;
    enum { BALLS = 12 };
    char text[8192];
    size_t length = 0;
    length += (size_t)snprintf(text, sizeof text,
                               "{\"carom\":1,\"model\":\"compliant\","
                               "\"bodies\":[");
    for (int i = 0; i < BALLS; i++) {
        length += (size_t)snprintf(text + length, sizeof text - length,
                                   "%s{\"name\":\"a ball with a long name, %d\",\"mass\":1,"
                                   "\"inertia\":[1,1,1],\"position\":[%d,0,0],\"velocity\":"
                                   "[%d,0,0]}",
                                   i > 0 ? "," : "", i, i, i == 0);
    }
    length += (size_t)snprintf(text + length, sizeof text - length, "],\"contacts\":[");
    for (int i = 1; i < BALLS; i++) {
        length += (size_t)snprintf(text + length, sizeof text - length,
                                   "%s{\"bodies\":[%d,%d],\"mu\":0,\"e\":1,\"point\":[%g,0,0],"
                                   "\"normal\":[1,0,0]}",
                                   i > 1 ? "," : "", i, i - 1, i - 0.5);
    }
    snprintf(text + length, sizeof text - length, "]}");
    Run run = vary("stiffness[10]=0.5:2:3", text, NULL);
    assert_int_equal(run.status, 0);
    check_contains(run.out, "(the 5 columns that change most; 7 more with --json)\n");
    char *rest = strstr(run.out, "lost %  status\n");
    assert_non_null(rest);
    next_line(&rest);
    double numbers[8];
    char status[32];
    assert_int_equal(read_row(next_line(&rest), numbers, 8, status), 7);
    rest = run.out;
    for (char *line; (line = next_line(&rest));) {
        assert_true(strlen(line) <= 100);
    }
    run_free(&run);
}

/* Values that are not solved have their status in the table and in their lines; what is wrong is
 * said once. */
static void test_values_not_solved(void **state) {
    (void)state;
    static const char away[] = "{\"carom\":1,\"model\":\"rigid\"," MECHANICS
                               ",\"contact_velocity\":[0,0,1],\"contacts\":[{\"mu\":0,\"e\":1}]}";
    Run run = vary("mu=0:1:3", away, NULL);
    assert_int_equal(run.status, 1);
    check_contains(run.out, "       0.5         -  not_approaching\n");
    check_contains(run.out, "\n3 of 3 values were not solved.\n");
    assert_null(strstr(run.out, "The impulse"));
    check_contains(run.err,
                   "vary.json: --vary: contacts[0].mu = 0: not_approaching: contact_velocity");
    assert_ptr_equal(strchr(run.err, '\n'), run.err + strlen(run.err) - 1);
    run_free(&run);
    run = vary("mu=0:1:3", away, "--json");
    assert_int_equal(run.status, 1);
    char *rest = run.out;
    for (int i = 0; i < 3; i++) {
        json_t *line = parse_line(next_line(&rest));
        check_keys(line, "status message vary ");
        assert_string_equal(text_at(line, "status"), "not_approaching");
        check_close(number_at(json_object_get(line, "vary"), "value"), 0.5 * i, 0);
        json_decref(line);
    }
    assert_null(next_line(&rest));
    run_free(&run);
    /* not accurate enough is still a row with numbers */
    run = program_run(RIGID("\"mu\":0.3,\"e\":0.6"), "solve", "--tolerance=1e-300",
                      "--vary=e=0.5:1:2", "-", NULL);
    assert_int_equal(run.status, 1);
    char *row = strstr(run.out, "\n        0.5 "), status[32];
    assert_non_null(row);
    double numbers[4];
    assert_int_equal(read_row(row + 1, numbers, 4, status), 4);
    assert_string_equal(status, "not_converged");
    check_contains(run.err, "contacts[0].e = 0.5: not_converged: ");
    run_free(&run);
}

static const struct {
    const char *range, *message;
} wrong[] = {
    {"mu", "--vary: must be PATH=FROM:TO:COUNT, got \"mu\""},
    {"", "--vary: must be PATH=FROM:TO:COUNT"},
    {"=0:1:3", "--vary: must be the path of a number, for example mu, contacts[0].e or "
               "bodies[0].velocity[2], got \"\""},
    {"e[]=0:1:3", "--vary: must be the path of a number"},
    {"e[one]=0:1:3", "got \"e[one]\""},
    {"e[-1]=0:1:3", "got \"e[-1]\""},
    {"e[0=0:1:3", "got \"e[0\""},
    {"e[12345678]=0:1:3", "got \"e[12345678]\""},
    {".mu=0:1:3", "got \".mu\""},
    {"contacts[0]..mu=0:1:3", "got \"contacts[0]..mu\""},
    {"Mu=0:1:3", "got \"Mu\""},
    {"mu=0:1", "--vary: mu: the range must be FROM:TO:COUNT, got \"0:1\""},
    {"mu=", "--vary: mu: the range must be FROM:TO:COUNT, got \"\""},
    {"mu=0:1:2:3", "--vary: mu: COUNT must be 2 to 10000, got \"2:3\""},
    {"mu=0:1:1", "--vary: mu: COUNT must be 2 to 10000, got \"1\""},
    {"mu=0:1:10001", "--vary: mu: COUNT must be 2 to 10000, got \"10001\""},
    {"mu=0:1:-5", "--vary: mu: COUNT must be 2 to 10000, got \"-5\""},
    {"mu=0:1:2.5", "--vary: mu: COUNT must be 2 to 10000, got \"2.5\""},
    {"mu=0:1:99999999999999999999", "--vary: mu: COUNT must be 2 to 10000"},
    {"mu=zero:1:3", "--vary: mu: FROM must be a number, got \"zero\""},
    {"mu=0::3", "--vary: mu: TO must be a number, got \"\""},
    {"mu=0:inf:3", "--vary: mu: TO must be a number, got \"inf\""},
    {"mu=0:nan:3", "--vary: mu: TO must be a number, got \"nan\""},
    {"mu=0:1e999:3", "--vary: mu: TO must be a number, got \"1e999\""},
    {"stiffness=0:1:3", "--vary: stiffness: must be > 0, got 0"},
    {"stiffness_ratio=1:-1:3", "--vary: stiffness_ratio: must be > 0, got -1"},
    {"e=0.5:0.5:3", "--vary: e: FROM and TO must be different"},
    /* errors that depend on the scene */
    {"mu=-0.1:1:3", "vary.json: --vary: contacts[0].mu: must be a number >= 0, got -0.1\n"},
    {"e=0:1.1:3", "vary.json: --vary: contacts[0].e: must be a number in [0, 1], got 1.1\n"},
    {"mu=0:1:3", "vary.json: --vary: contacts[0].mu_static: must be at least mu, got 0.5\n"},
    {"e[1]=0:1:3", "vary.json: --vary: contacts[1]: there is 1, counted from 0\n"},
    {"friction=0:1:3", "--vary: friction: the scene has no such field\n"},
    {"contacts[0].mu.x=0:1:3", "--vary: contacts[0].mu.x: the scene has no such field\n"},
    {"contacts=0:1:3", "--vary: contacts: is not a number in this scene\n"},
    {"model=0:1:3", "--vary: model: is not a number in this scene\n"},
    {"inverse_inertia[0][3]=0:1:3", "--vary: inverse_inertia[0][3]: there are 3, counted from 0\n"},
    {"contacts[0].normal.turn_x=0:1:3",
     "--vary: contacts[0].normal: the scene has no such field\n"},
};

static void check_wrong(Run run, const char *message) {
    assert_int_equal(run.status, 2);
    assert_int_equal(strncmp(run.err, "carom: ", 7), 0);
    check_contains(run.err, message);
    assert_ptr_equal(strchr(run.err, '\n'), run.err + strlen(run.err) - 1); /* one line */
    run_free(&run);
}

static void test_wrong_ranges(void **state) {
    (void)state;
    char path[256]; /* work_text() keeps only the last few */
    snprintf(path, sizeof path, "%s",
             work_text("vary.json", RIGID("\"mu\":0.3,\"e\":0.6,\"mu_static\":0.5")));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Run run = program_run(NULL, "solve", "--vary", wrong[i].range, path, NULL);
        assert_string_equal(run.out, "");
        check_wrong(run, wrong[i].message);
    }
    snprintf(path, sizeof path, "%s", work_text("vary_1.json", RIGID("\"mu\":0.3,\"e\":0.6")));
    check_wrong(vary("e[2]=0:1:3", PLASTIC, NULL),
                "vary.json: --vary: contacts[2]: there are 2, counted from 0\n");
    check_wrong(vary("mu[0]=0:1:3",
                     STACK("", "\"mu\":0,\"e\":1", "\"mu\":0,\"e\":1,\"stiffness\":\"infinite\""),
                     NULL),
                "--vary: contacts[1].stiffness: 0 and \"infinite\" are limits for contacts without "
                "friction, but contacts[0].mu is 1\n");
    Run run = vary("e[2]=0:1:3", PLASTIC, "--json");
    json_t *line = parse_line(run.out);
    assert_string_equal(text_at(line, "status"), "invalid_input");
    check_contains(text_at(line, "message"), "--vary: contacts[2]");
    json_decref(line);
    run_free(&run);
    /* with other options */
    check_wrong(
        program_run(NULL, "solve", "--vary=e=0:1:3", "--vary=contacts[0].e=0:1:3", path, NULL),
        "--vary: contacts[0].e: given twice");
    check_wrong(program_run(NULL, "solve", "--vary=e=0:1:3", "--vary=mu=0:1:3", "--vary=e=0:1:2",
                            path, NULL),
                "--vary: given three times, takes one or two ranges");
    check_wrong(program_run(NULL, "solve", "--vary=e=0:1:10000", "--vary=mu=0:1:101", path, NULL),
                "--vary: a map has at most 1000000 points, got 10000 times 101");
    check_wrong(
        program_run(NULL, "solve", "--vary=e=0:1:3", "--trace", work_path("t.csv"), path, NULL),
        "--trace: shows one process, not those of --vary");
    check_wrong(program_run(NULL, "solve", "--vary", NULL), "--vary: a value is missing");
}

/* The published schemes have tables too, and several scenes one each. */
static void test_methods_and_files(void **state) {
    (void)state;
    const char *path = work_text("vary.json", RIGID("\"mu\":0.3,\"e\":0.6"));
    Run run = program_run(NULL, "solve", "--method=vs", "--vary=e=0:1:2", path, path, NULL);
    assert_int_equal(run.status, 0);
    check_contains(run.out, "method vs");
    const char *first = strstr(run.out, "e from 0 to 1\n");
    assert_non_null(first);
    assert_non_null(strstr(first + 1, "e from 0 to 1\n"));
    run_free(&run);
    run = program_run(NULL, "solve", "--help", NULL);
    check_contains(run.out, "--vary PATH=FROM:TO:COUNT");
    run_free(&run);
}

/* A box in one piece: what a path names is written into it by hand. */
#define BOX(mass, velocity, spin, normal, tangent)                                                 \
    "{\"carom\":1,\"model\":\"rigid\",\"bodies\":[{\"mass\":" mass ",\"inertia\":[[0.2,0.01,0],"   \
    "[0.01,0.3,0],[0,0,0.4]],\"position\":[0.1,0.2,0.5],\"velocity\":" velocity spin               \
    "},{\"mass\":\"infinite\"}],\"contacts\":[{\"bodies\":[0,1],\"point\":[0,0,0],"                \
    "\"normal\":" normal tangent ",\"mu\":0.4,\"e\":0.5}]}"
#define BOX_AS_GIVEN BOX("2", "[1,0.5,-2]", "", "[0,0,1]", "")

/* The line of JSON for the second of two values has the answer to the scene with it. */
static void check_path(const char *given, const char *path, const char *first, double second,
                       const char *expected) {
    char range[128];
    snprintf(range, sizeof range, "%s=%s:%.17g:2", path, first, second);
    Run run = vary(range, given, "--json");
    assert_int_equal(run.status, 0);
    char *rest = run.out;
    next_line(&rest);
    json_t *line = parse_line(next_line(&rest)), *object = json_object_get(line, "vary");
    check_keys(object, "parameter value ");
    assert_string_equal(text_at(object, "parameter"), path);
    json_t *answer = run_line(program_run(expected, "solve", "--json", "-", NULL));
    for (size_t k = 0; k < 3; k++) {
        check_close(element(line, "impulse", k), element(answer, "impulse", k), 1e-12);
    }
    json_decref(answer);
    json_decref(line);
    run_free(&run);
}

static void test_paths(void **state) {
    (void)state;
    check_path(BOX_AS_GIVEN, "bodies[0].mass", "1", 3, BOX("3", "[1,0.5,-2]", "", "[0,0,1]", ""));
    check_path(BOX_AS_GIVEN, "bodies[0].velocity[2]", "-1", -3,
               BOX("2", "[1,0.5,-3]", "", "[0,0,1]", ""));
    /* a field that the scene leaves to its default */
    check_path(BOX_AS_GIVEN, "bodies[0].angular_velocity[1]", "0", 2,
               BOX("2", "[1,0.5,-2]", ",\"angular_velocity\":[0,2,0]", "[0,0,1]", ""));
    /* an angle, with the tangent, which the frame follows */
    check_path(BOX("2", "[1,0.5,-2]", "", "[0,0,1]", ",\"tangent\":[1,0,0]"),
               "contacts[0].normal.turn_y", "0", atan(0.75),
               BOX("2", "[1,0.5,-2]", "", "[0.6,0,0.8]", ",\"tangent\":[0.8,0,-0.6]"));
    /* the whole contact around the centre of its first body, by index or by name */
#define ROUND(pair, place)                                                                         \
    "{\"carom\":1,\"model\":\"rigid\",\"bodies\":[{\"name\":\"wall\",\"mass\":\"infinite\"},{"     \
    "\"name\":\"ball\",\"mass\":1,\"inertia\":[0.4,0.4,0.4],\"position\":[0,0,1],\"velocity\":"    \
    "[1,0.5,-2]}],\"contacts\":[{\"bodies\":" pair "," place ",\"mu\":0.4,\"e\":0.5}]}"
    static const char *const pairs[] = {
        ROUND("[1,0]", "\"point\":[0,0,0],\"normal\":[0,0,1]"),
        ROUND("[\"ball\",\"wall\"]", "\"point\":[0,0,0],\"normal\":[0,0,1]")};
    for (int i = 0; i < 2; i++) {
        check_path(pairs[i], "contacts[0].turn_y", "0", atan(0.75),
                   ROUND("[1,0]", "\"point\":[-0.6,0,0.2],\"normal\":[0.6,0,0.8],\"tangent\":"
                                  "[0.8,0,-0.6]"));
    }
    /* an entry of a symmetric matrix moves both */
    static const char *const W =
        "{\"carom\":1,\"model\":\"rigid\",\"inverse_inertia\":[[3,%s,0.2],[%s,2,"
        "0.1],[0.2,0.1,1]],\"contact_velocity\":[1,0.5,-2],\"contacts\":[{"
        "\"mu\":0.4,\"e\":0.5}]}";
    char given[512], expected[512];
    snprintf(given, sizeof given, W, "0", "0");
    snprintf(expected, sizeof expected, W, "0.5", "0.5");
    check_path(given, "inverse_inertia[0][1]", "0", 0.5, expected);
    check_path(given, "inverse_inertia[1][0]", "0", 0.5, expected);
}

/* A map: each row of CSV against the line of JSON at the same point. */
static void test_map(void **state) {
    (void)state;
    const char *path = work_text("vary.json", BOX_AS_GIVEN);
    Run table =
        program_run(NULL, "solve", "--vary=mu=0:1:3", "--vary=bodies[0].mass=1:2:2", path, NULL);
    Run lines = program_run(NULL, "solve", "--vary=mu=0:1:3", "--vary=bodies[0].mass=1:2:2",
                            "--json", path, NULL);
    assert_int_equal(table.status, 0);
    char *rows = table.out, *json = lines.out;
    assert_string_equal(next_line(&rows),
                        "contacts[0].mu,bodies[0].mass,after.bodies[0].velocity[0],"
                        "after.bodies[0].velocity[1],after.bodies[0].velocity[2],"
                        "after.bodies[0].angular_velocity[0],after.bodies[0].angular_velocity[1],"
                        "after.bodies[0].angular_velocity[2],impulse[0],impulse[1],impulse[2],"
                        "energy_lost_percent,sequence,status");
    for (int i = 0; i < 6; i++) {
        double x[12];
        char sequence[16] = "", *row = next_line(&rows);
        json_t *line = parse_line(next_line(&json)), *vary = json_object_get(line, "vary");
        for (int k = 0; k < 12; k++) {
            x[k] = strtod(row, &row);
            row += *row == ',';
        }
        assert_int_equal(sscanf(row, "%15[a-z],ok", sequence), 1);
        assert_string_equal(sequence, text_at(line, "sequence"));
        check_close(x[0], i / 2 * 0.5, 0);
        check_close(x[1], 1 + i % 2, 0);
        for (size_t k = 0; k < 2; k++) {
            check_close(number_at(json_array_get(vary, k), "value"), x[k], 0);
        }
        for (size_t k = 0; k < 3; k++) {
            const json_t *body = json_array_get(json_object_get(line, "bodies"), 0);
            check_close(element(body, "velocity", k), x[2 + k], 0);
            check_close(element(body, "angular_velocity", k), x[5 + k], 0);
            check_close(element(line, "impulse", k), x[8 + k], 0);
        }
        const json_t *energy = json_object_get(line, "energy");
        check_close(x[11], 100 * (1 - number_at(energy, "after") / number_at(energy, "before")),
                    1e-9);
        json_decref(line);
    }
    assert_null(next_line(&rows));
    assert_null(next_line(&json));
    run_free(&table);
    run_free(&lines);
}

/* The speeds of a mechanism are columns. */
static void test_mechanism(void **state) {
    (void)state;
    Run table =
        vary("mu=0.1:0.2:2",
             "{\"carom\":1,\"model\":\"rigid\",\"system\":{\"mass_matrix\":[[2,0.5],[0.5,1]],"
             "\"velocity\":[1,-2]},\"contacts\":[{\"jacobian\":[[1,0],[0,1]],\"mu\":0.3,"
             "\"e\":0}]}",
             NULL);
    assert_int_equal(table.status, 0);
    check_contains(table.out, "\n                    u[0]         u[1]    energy\n"
                              "         mu        speed        speed    lost %  status\n");
    run_free(&table);
}

static void test_map_picture(void **state) {
    (void)state;
    const char *path = work_text("vary.json", BOX_AS_GIVEN), *picture = work_path("map.svg");
    Run run = program_run(NULL, "plot", "--kind=map", "--vary=mu=0:1:5", "--vary=e=0:1:4",
                          "--show=bodies[0].velocity[2]", path, "-o", picture, NULL);
    assert_int_equal(run.status, 0);
    run_free(&run);
    size_t size;
    char *svg = file_read(picture, &size);
    check_contains(svg,
                   "Map of the bodies[0].velocity[2]: mu from 0 to 1 to the right, e from 0 to "
                   "1 upwards; 5 by 4 impacts. The values go from ");
    free(svg);
    check_wrong(
        program_run(NULL, "plot", "--kind=map", "--vary=mu=0:1:5", path, "-o", picture, NULL),
        "--vary: --kind map needs two ranges, got 1");
    check_wrong(program_run(NULL, "plot", "--vary=mu=0:1:5", path, "-o", picture, NULL),
                "--vary: only with --kind map");
    check_wrong(program_run(NULL, "plot", "--show=mu", path, "-o", picture, NULL),
                "--show: only with --kind map");
    check_wrong(program_run(NULL, "plot", "--kind=map", "--vary=mu=0:1:5", "--vary=e=0:1:4",
                            "--show=bodies[7].velocity[2]", path, "-o", picture, NULL),
                "--show: the outcome has no \"bodies[7].velocity[2]\"");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paths),           cmocka_unit_test(test_map),
        cmocka_unit_test(test_mechanism),       cmocka_unit_test(test_map_picture),
        cmocka_unit_test(test_one_contact),     cmocka_unit_test(test_several_contacts),
        cmocka_unit_test(test_table_of_bodies), cmocka_unit_test(test_table_of_impulses),
        cmocka_unit_test(test_many_bodies),     cmocka_unit_test(test_values_not_solved),
        cmocka_unit_test(test_wrong_ranges),    cmocka_unit_test(test_methods_and_files),
    };
    return cmocka_run_group_tests(tests, work_setup, work_teardown);
}
