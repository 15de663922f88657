/* Messages: no text from outside reaches the terminal as it is, and each names the option, the
 * field, or the command that takes the file. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/check.h"
#include "support/cli/program.h"
#include "support/cli/scene_text.h"
#include "support/math/random.h"

enum { SEED = 4711 };

#define TABLE "w11,w12,w13,w22,w23,w33,vx,vy,vz,mu,e\n3,0.5,0.2,4,-0.3,2,0.7,-0.4,-1.5,0.3,0.6\n"

/* Parts that clear the screen, set the title, turn the text round, or are not UTF-8. */
static const char *const parts[] = {"\x1b[2J",
                                    "\x1b]0;title\x07",
                                    "\xC2\x9B"
                                    "31m",
                                    "\x9B"
                                    "1m",
                                    "\xE2\x80\xAE",
                                    "\xE2\x81\xA6",
                                    "\xE2\x80\xA8",
                                    "\xD8\x9C",
                                    "\x7F",
                                    "\r",
                                    "\xFF\xFE",
                                    "\xED\xA0\x80",
                                    "\xE2\x80",
                                    "ü",
                                    "name"};

static void hostile_name(Random *random, char name[64]) {
    name[0] = '\0';
    for (int i = 0; i < 5; i++) {
        int part = (int)(sizeof parts / sizeof *parts * random_uniform(random));
        strcat(name, parts[part]);
    }
}

/* No control character but the end of a line, no character that turns the text, and UTF-8. */
static void check_plain(const char *text, const char *what) {
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        bool turns = (c[0] == 0xE2 && c[1] == 0x80 && c[2] >= 0xA8 && c[2] <= 0xAE) ||
                     (c[0] == 0xE2 && c[1] == 0x81 && c[2] >= 0xA6 && c[2] <= 0xA9) ||
                     (c[0] == 0xD8 && c[1] == 0x9C);
        bool control =
            (*c < ' ' && *c != '\n') || *c == 0x7F || (*c == 0xC2 && c[1] >= 0x80 && c[1] < 0xA0);
        bool alone = *c >= 0x80 && *c < 0xC0 && (c == (const unsigned char *)text || c[-1] < 0x80);
        if (turns || control || alone || *c >= 0xF8) {
            fail_msg("%s: byte %02x in: %s", what, *c, text);
        }
    }
}

static void check_run_is_plain(Run run, const char *what) {
    check_plain(run.err, what);
    check_plain(run.out, what);
    run_free(&run);
}

/* The name wherever a text can stand: files, options, columns, cells, fields, strings. */
static void check_everywhere(const char *name) {
    char text[1024];
    const char *scene = work_text("scene.json", GOOD);
    check_run_is_plain(program_run(NULL, name, NULL), "command");
    static const char *const commands[] = {"solve", "batch", "plot", "simulate", "figures", "lab"};
    for (int i = 0; i < 6; i++) {
        check_run_is_plain(program_run(NULL, commands[i], name, NULL), commands[i]);
        snprintf(text, sizeof text, "--%s", name);
        check_run_is_plain(program_run(NULL, commands[i], text, NULL), "option");
    }
    static const char *const options[] = {"--method",   "--vary",    "--tolerance",
                                          "--outcomes", "--samples", "--stiffness-range"};
    for (int i = 0; i < 6; i++) {
        snprintf(text, sizeof text, "%s=%s", options[i], name);
        check_run_is_plain(program_run(NULL, "solve", text, scene, NULL), text);
    }
    snprintf(text, sizeof text, "none/%s/trace.svg", name);
    const char *place = work_path(text);
    check_run_is_plain(program_run(NULL, "solve", "--trace", place, scene, NULL), "--trace");
    check_run_is_plain(program_run(NULL, "plot", "-o", place, scene, NULL), "-o");
    check_run_is_plain(program_run(NULL, "plot", "--kind", name, "-o", "x.svg", scene, NULL),
                       "--kind");
    check_run_is_plain(program_run(NULL, "figures", "--only", name, NULL), "--only");
    snprintf(text, sizeof text, "w11,%s,mu\n1,2,3\n", name);
    check_run_is_plain(program_run(text, "batch", NULL), "column");
    snprintf(text, sizeof text, "{\"carom\":1,\"%s\":1}", name);
    check_run_is_plain(program_run(text, "solve", "-", NULL), "field");
    check_run_is_plain(program_run(text, "solve", "--json", "-", NULL), "field, --json");
    check_run_is_plain(program_run(text, "simulate", "--json", "-", NULL), "field of simulate");
    snprintf(text, sizeof text,
             "{\"carom\":1,\"model\":\"%s\"," MECHANICS "," SPEED "," SURFACE "}", name);
    check_run_is_plain(program_run(text, "solve", "-", NULL), "string");
}

/* Files whose names exist, and names in a scene that is solved. */
static void check_good_names(const char *name) {
    char path[128];
    snprintf(path, sizeof path, "%s.json", name);
    const char *file = work_text(path, GOOD);
    check_run_is_plain(program_run(NULL, "solve", file, file, NULL), "headings");
    Run run = program_run(NULL, "solve", "--report", work_path(name), file, NULL);
    check_run_is_plain(run, "--report");
    directory_remove(work_path(name));
    unlink(file);
}

static void test_hostile_names(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 8; i++) {
        Random random = random_start(SEED, i);
        char name[64];
        hostile_name(&random, name);
        check_everywhere(name);
    }
    check_good_names("\x1b[2Jscene\xE2\x80\xAE");
}

/* Names in a scene are shown plain in text and escaped in JSON, where none is lost. */
static void test_names_in_scenes(void **state) {
    (void)state;
    static const char scene[] =
        "{\"carom\":1,\"name\":\"\\u001b[2J \\u009b1m \\u202e\",\"description\":\"\\u2067 "
        "\\u007f\","
        "\"model\":\"rigid\",\"bodies\":[{\"name\":\"\\u009b\\u202eü\",\"mass\":2,"
        "\"inertia\":[1,1,1],\"position\":[0,0,1],\"velocity\":[0,0,-1]}," FLOOR "],"
        "\"contacts\":[{" PLACE ",\"bodies\":[0,1]}]}";
    Run run = program_run(scene, "solve", "-", NULL);
    assert_int_equal(run.status, 0);
    check_contains(run.out, "?[2J ?1m ?\n");
    check_contains(run.out, "??ü");
    check_run_is_plain(run, "text");
    run = program_run(scene, "solve", "--json", "-", NULL);
    check_contains(run.out, "\"name\":\"\\u009B\\u202E\\u00FC\"");
    check_run_is_plain(run, "--json");
    check_run_is_plain(program_run(scene, "solve", "--vary", "mu=0:1:3", "-", NULL), "--vary");
}

/* A file that belongs to another command. */
static void test_other_commands(void **state) {
    (void)state;
    const char *scene = work_text("scene.json", GOOD), *table = work_text("table.csv", TABLE);
    const char *throw = CAROM_SOURCE_DIR "/scenes/simulate/superball.json";
    check_refused("solve", throw, 2, "only in a scene to simulate: \"carom simulate\" takes it");
    check_refused("simulate", scene, 2,
                  "inverse_inertia: only in a scene of one impact: \"carom solve\" takes it");
    check_refused("simulate", scene_path("pencil.json"), 2,
                  "gravity: missing; without it this is a scene of one impact: \"carom solve\"");
    check_refused("solve", table, 2, "is a table of impacts (CSV), not a scene: \"carom batch\"");
    check_refused("simulate", table, 2, "is a table of impacts (CSV)");
    check_refused("batch", scene, 2, "is JSON, not a table: \"carom solve\" takes scenes");
    check_error(program_run(NULL, "plot", "-o", work_path("x.svg"), throw, NULL), 2,
                "\"carom simulate\" takes it");
}

/* Texts in other encodings. */
static void test_encodings(void **state) {
    (void)state;
    static const char wide[] = "\xFF\xFE{\0\"\0c\0a\0r\0o\0m\0\"\0:\0001\0}\0\n";
    check_refused("solve", work_file("wide.json", wide, sizeof wide), 2,
                  "is UTF-16 text, must be UTF-8");
    check_refused("solve", work_file("wide.json", wide + 2, sizeof wide - 2), 2, "is UTF-16 text");
    check_refused("batch", work_file("wide.csv", wide, sizeof wide), 2, "is UTF-16 text");
    check_refused("solve", work_text("zero.json", "{\"carom\":1,\"name\":\"a\\u0000b\"}"), 2,
                  "name: a text must not have \\u0000 (line 1");
    check_output(program_run("\xEF\xBB\xBF" GOOD, "solve", "-", NULL), "the bodies separate");
    check_output(program_run("\xEF\xBB\xBF" TABLE, "batch", NULL), ",ok\n");
}

/* A body that turns too often to follow: the field and the option, not the library's argument. */
static void test_flights(void **state) {
    (void)state;
    static const char scene[] =
        "{\"carom\":1,\"model\":\"rigid\",\"bodies\":[{\"mass\":1,\"inertia\":[1,2,2.5],"
        "\"position\":[0,0,5],\"angular_velocity\":[1e6,2e6,3e5],\"shape\":{\"vertices\":"
        "[[1,0,0],[0,1,0],[0,0,1]]}}],\"gravity\":[0,0,%s]," SURFACE "%s}";
    static const struct {
        const char *gravity, *rest, *message;
    } cases[] = {{"-1", "",
                  "simulate.time: the body turns too often before it touches the plane; "
                  "--time ends the run earlier"},
                 {"1", ",\"simulate\":{\"time\":1e6}", "simulate.time: the body turns too often"}};
    for (int i = 0; i < 2; i++) {
        char text[1024];
        snprintf(text, sizeof text, scene, cases[i].gravity, cases[i].rest);
        check_error(program_run(text, "simulate", "-", NULL), 1, cases[i].message);
    }
}

/* Options are named where their value is the reason; a long name does not hide the reason. */
static void test_options(void **state) {
    (void)state;
    const char *scene = work_text("scene.json", GOOD);
    const char *throw = CAROM_SOURCE_DIR "/scenes/simulate/superball.json";
    check_error(
        program_run(NULL, "simulate", "--rate", "1e300", "-o", work_path("t.csv"), throw, NULL), 2,
        "superball.json: --rate: 1e+300 is too high for a time of ");
    check_error(program_run(NULL, "solve", "--tolerance", "1e-300", scene, NULL), 1,
                "not_converged: tolerance: the estimated error is larger");
    check_error(program_run(NULL, "solve", "--method", "fs", "--step", "1e-300", scene, NULL), 1,
                "not_converged: step: the scheme did not end");
    check_error(program_run(NULL, "solve", "", NULL), 2, "carom: \"\": cannot be opened: No such");
    char name[6000];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    check_error(program_run(NULL, "solve", "--trace", name, scene, NULL), 2,
                "nnn: cannot be written: File name too long\n");
    check_error(program_run(NULL, "solve", name, NULL), 2, "cannot be opened: File name too long");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hostile_names),  cmocka_unit_test(test_names_in_scenes),
        cmocka_unit_test(test_other_commands), cmocka_unit_test(test_encodings),
        cmocka_unit_test(test_flights),        cmocka_unit_test(test_options),
    };
    return cmocka_run_group_tests(tests, work_setup, work_teardown);
}
