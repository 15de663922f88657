/* carom plot, from outside: the pictures it writes, and its messages when it cannot.
 *
 * Oracle: the picture itself is read back. Its marks give the map from the page to velocities;
 * every point of the drawn curve must then lie on the closed-form hodograph. */
#include <carom/carom.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/check.h"
#include "support/cli/markup.h"
#include "support/cli/plot_script.h"
#include "support/cli/program.h"

/* Figure 3 of Jia and Wang: compression ends, then slip, then the impact. */
static const double W[9] = {11.5984,  -0.910367, 2.442355, -0.910367, 9.90134,
                            1.957465, 2.442355,  1.957465, 2.59042};
static const double v[3] = {-0.26197583, 0.38632923, -0.07685529};
static const double mu = 0.8;

#define SCENE(matrix, velocity, mu, e)                                                             \
    "{\"carom\":1,\"model\":\"rigid\",\"inverse_inertia\":" matrix                                 \
    ",\"contact_velocity\":" velocity ",\"contacts\":[{\"mu\":" mu ",\"e\":" e "}]}"
#define GOOD SCENE("[[3,0.5,0.2],[0.5,4,-0.3],[0.2,-0.3,2]]", "[0.7,-0.4,-1.5]", "0.3", "0.6")

/* Draw, expect success and silence, and answer the file's text; free() it. */
static char *plot(const char *scene, const char *output, const char *kind) {
    Run run = program_run(NULL, "plot", scene, "-o", output, "--kind", kind, (char *)NULL);
    assert_string_equal(run.err, "");
    assert_string_equal(run.out, "");
    assert_int_equal(run.status, 0);
    run_free(&run);
    size_t size;
    return file_read(output, &size);
}

/* The exit status, and a part of the one line on standard error. */
static void check_fails(Run run, int status, const char *part) {
    assert_int_equal(run.status, status);
    assert_string_equal(run.out, "");
    check_contains(run.err, part);
    assert_int_equal(strncmp(run.err, "carom: ", 7), 0);
    assert_ptr_equal(strchr(run.err, '\n'), run.err + strlen(run.err) - 1);
    run_free(&run);
}

/* Where on the page the point stands whose legend is title. */
static void find_mark(const char *svg, const char *title, double page[2]) {
    char tag[64];
    snprintf(tag, sizeof tag, "<title>%s", title);
    const char *at = strstr(svg, tag);
    at = at ? strstr(at, "<use ") : NULL;
    at = at ? strstr(at, "translate(") : NULL;
    assert_non_null(at);
    assert_int_equal(sscanf(at, "translate(%lf,%lf)", &page[0], &page[1]), 2);
}

/* The map from page to velocity: from the mark at the start and that of zero slip. */
typedef struct Map {
    double origin[2], scale; /* velocity per unit of the page, the same on both axes */
} Map;

static void to_velocity(const Map *map, const double page[2], double velocity[2]) {
    velocity[0] = map->scale * (page[0] - map->origin[0]);
    velocity[1] = -map->scale * (page[1] - map->origin[1]);
}

static Map find_map(const char *svg) {
    double start[2];
    Map map;
    find_mark(svg, "start", start);
    find_mark(svg, "s: slip ends", map.origin);
    map.scale = v[0] / (start[0] - map.origin[0]);
    /* equal scales; measured 1.3e-5 (the page has two decimals) */
    check_close(-map.scale * (start[1] - map.origin[1]), v[1], 4e-5);
    return map;
}

/* Points of the drawn curve must be on the hodograph; answers how many there are. */
static int check_curve(const char *svg, const Map *map) {
    const char *at = strstr(svg, "<title>sliding velocity");
    at = at ? strstr(at, "d='M") : NULL;
    const char *end = at ? strstr(at, "'/>") : NULL;
    /* M starts a line: first that of the legend, then the curve's */
    at = at ? strchr(at + strlen("d='M"), 'M') : NULL;
    assert_true(at && end && at < end);
    int count = 0;
    for (; at && at < end; at = strchr(at + 1, 'L'), count++) {
        double page[2], velocity[2], r;
        assert_int_equal(sscanf(at + 1, "%lf,%lf", &page[0], &page[1]), 2);
        to_velocity(map, page, velocity);
        double speed = hypot(velocity[0], velocity[1]);
        if (speed > 0.02) { /* nearer to zero a rounded page unit is too much of the angle */
            double theta = atan2(velocity[1], velocity[0]);
            assert_int_equal(carom_hodograph_speed(W, mu, v, theta, &r, NULL), CAROM_OK);
            check_close(r, speed, 2e-4); /* measured 3.2e-5 */
        }
    }
    return count;
}

static void test_hodograph_shows_the_process(void **state) {
    (void)state;
    char *svg = plot(scene_path("icosahedron_tetrahedron.json"), work_path("a.svg"), "hodograph");
    check_svg(svg);
    Map map = find_map(svg);
    assert_in_range(check_curve(svg, &map), 100, 2000);
    /* the mark of the end of compression is at the event's velocity */
    CaromContact contact = carom_contact_default();
    contact.mu = mu;
    contact.e = 0.95;
    CaromEvent events[CAROM_RIGID_EVENTS];
    CaromResult result = {.events = events, .event_capacity = CAROM_RIGID_EVENTS};
    assert_int_equal(carom_rigid_solve(W, v, &contact, CAROM_LAW_ENERGETIC, &result), CAROM_OK);
    assert_int_equal(events[0].kind, CAROM_EVENT_COMPRESSION_END);
    double page[2], velocity[2];
    find_mark(svg, "c: compression ends", page);
    to_velocity(&map, page, velocity);
    check_close(velocity[0], events[0].velocity[0], 3e-5); /* measured 5e-6 */
    check_close(velocity[1], events[0].velocity[1], 3e-5); /* measured 8e-6 */
    free(svg);
}

static void test_hodograph_is_labelled(void **state) {
    (void)state;
    static const char *const parts[] = {"Icosahedron on tetrahedron: hodograph",
                                        "μ = 0.8, e = 0.95, energetic restitution; sequence csr",
                                        "centripetal invariant direction",
                                        ">start<",
                                        "c: compression ends",
                                        "s: slip ends, contact sticks",
                                        "r: impact ends",
                                        "role=\"img\" aria-labelledby=\"carom_title carom_desc\"",
                                        "<title id=\"carom_title\">Icosahedron on tetrahedron",
                                        "centripetal invariant direction at 49."};
    char *svg = plot(scene_path("icosahedron_tetrahedron.json"), work_path("a.svg"), "hodograph");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        check_contains(svg, parts[i]);
    }
    assert_null(strstr(svg, "centrifugal")); /* there is none: mu > |B^-1 d| */
    free(svg);
}

static void test_energy_is_labelled(void **state) {
    (void)state;
    char *svg = plot(scene_path("icosahedron_tetrahedron.json"), work_path("a.svg"), "energy");
    check_svg(svg);
    check_contains(svg, "Icosahedron on tetrahedron: energy");
    check_contains(svg, "given up by the bodies");
    check_contains(svg, "lost to friction");
    /* the account of the same scene in text: 0.0117154 and 0.0001413588 */
    check_contains(svg, "have given up 0.01186: 0.0001414 lost at the contact, 0.01172 lost to");
    free(svg);
}

/* A compliant scene has the spring's curve and the end of stick, and no invariant directions; the
 * curve of the ball goes past zero and back. */
static void test_compliant_scenes(void **state) {
    (void)state;
    const char *output = work_path("compliant.svg");
    char *svg = plot(scene_path("pencil.json"), output, "hodograph");
    check_svg(svg);
    check_contains(svg, "<title>tangential velocity");
    check_contains(svg, "stick ends, contact slips");
    check_contains(svg, "s: slip ends, contact sticks");
    check_contains(svg, "stiffness ratio 1.2143; sequence scr");
    assert_null(strstr(svg, "invariant"));
    free(svg);
    svg = plot(scene_path("ball_spin.json"), output, "energy");
    check_svg(svg);
    check_contains(svg, "held along the surface");
    check_contains(svg, "In the end the bodies have given up 9.835: 9.375 lost at the contact, "
                        "0.4599 lost to friction. The spring along the surface held 0.3632");
    free(svg);
    /* without restitution the spring's part is lost at the end, and the curves still meet */
    svg = plot(scene_path("ball_plastic.json"), output, "energy");
    check_svg(svg);
    free(svg);
    svg = plot(work_text("planar.json", "{\"carom\":1,\"model\":\"compliant\",\"system\":{"
                                        "\"mass_matrix\":[[1,0,0],[0,1,0],[0,0,0.4]],"
                                        "\"velocity\":[-1,-5,2]},\"contacts\":[{\"mu\":0.4,"
                                        "\"e\":0.5,\"jacobian\":[[1,0,-1],[0,1,0]]}]}"),
               output, "hodograph");
    check_svg(svg);
    check_contains(svg, "<title>contact velocity");
    free(svg);
}

static void test_other_formats(void **state) {
    (void)state;
    size_t size;
    const char *scene = scene_path("pin_ball.json");
    free(plot(scene, work_path("b.png"), "hodograph"));
    char *png = file_read(work_path("b.png"), &size);
    assert_memory_equal(png, "\x89PNG\r\n\x1a\n", 8);
    assert_memory_equal(png + size - 8, "IEND\xae\x42\x60\x82", 8);
    free(png);
    free(plot(scene_path("cradle_5.json"), work_path("b.png"), "states"));
    free(plot(scene, work_path("b.png"), "impulse"));
    free(plot(scene_path("ball_ball_table.json"), work_path("b.pdf"), "impulse"));
    free(plot(scene, work_path("b.PDF"), "energy"));
    char *pdf = file_read(work_path("b.PDF"), &size);
    assert_memory_equal(pdf, "%PDF-", 5);
    assert_memory_equal(pdf + size - 6, "%%EOF\n", 6);
    free(pdf);
}

/* Scenes where there is little or nothing to draw still give a picture that says so. */
static void test_degenerate_scenes(void **state) {
    (void)state;
    static const struct {
        const char *scene, *part;
    } cases[] = {
        /* no slip ever; every direction invariant */
        {SCENE("[[3,0,0],[0,3,0],[0,0,1]]", "[0,0,-1]", "0.5", "0.5"),
         "every direction is invariant"},
        {SCENE("[[3,0,0],[0,3,0],[0,0,1]]", "[0,0,-1]", "0", "1"), "start, s, c, r"},
        /* a straight line to zero */
        {SCENE("[[3,0,0],[0,3,0],[0,0,1]]", "[1,2,-9]", "0.5", "0.5"), "s: slip ends"},
        /* no friction: a straight line past the origin */
        {SCENE("[[3,0,1],[0,3,0],[1,0,1]]", "[1,2,-1]", "0", "1"), "centrifugal"},
        /* slip from rest */
        {SCENE("[[3,0,1],[0,3,0],[1,0,1]]", "[0,0,-1]", "0.1", "1"), "s: slip zero, then resumes"},
        /* nothing moves sideways, and it is far from the origin */
        {SCENE("[[3,0,0],[0,2,0],[0,0,1]]", "[1e6,0,-1]", "0", "1"), "start, c, r"},
        {SCENE("[[3,0,0],[0,2,0],[0,0,1]]", "[1e6,1,-1]", "1", "1"), "to the origin"},
        /* no restitution */
        {SCENE("[[3,0,0],[0,2,0],[0,0,1]]", "[1,1,-1]", "1", "0"), "r: impact ends"},
        /* the extremes of numbers */
        {SCENE("[[3e9,0,0],[0,2e9,0],[0,0,1e9]]", "[1e-9,1e-9,-1e-9]", "1", "1"), "start"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *scene = work_text("degenerate.json", cases[i].scene);
        char *svg = plot(scene, work_path("degenerate.svg"), "hodograph");
        check_svg(svg);
        check_contains(svg, cases[i].part);
        check_contains(svg, "degenerate.json: hodograph"); /* no name: the file's */
        free(svg);
        static const char *const others[] = {"impulse", "velocity", "energy"};
        for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
            svg = plot(scene, work_path("degenerate.svg"), others[k]);
            check_svg(svg);
            free(svg);
        }
    }
}

/* A name cannot reach gnuplot or a shell as anything but text, and a path never does. */
static void test_names_are_only_text(void **state) {
    (void)state;
    static const char scene[] =
        "{\"carom\":1,\"name\":\"`touch pwned` '; system('touch pwned') # @x _{a}^b <&\\uFFFE\","
        "\"model\":\"rigid\",\"inverse_inertia\":[[3,0,0],[0,2,0],[0,0,1]],"
        "\"contact_velocity\":[1,1,-1],\"contacts\":[{\"mu\":1,\"e\":0}]}";
    char here[512];
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(work_path(".")), 0);
    char *svg =
        plot(work_text("n.json", scene), work_path("a'`touch pwned`;$(x) b.svg"), "hodograph");
    assert_int_equal(chdir(here), 0);
    check_svg(svg);
    /* in the picture's title, and in its text for those who do not see it */
    static const char shown[] =
        "`touch pwned` '; system('touch pwned') # @x _{a}^b &lt;&amp;?: hodograph";
    assert_int_equal(count_of(svg, shown), 2);
    assert_null(strstr(svg, "\xEF\xBF\xBE")); /* which XML forbids */
    assert_int_not_equal(access(work_path("pwned"), F_OK), 0);
    free(svg);
}

static void test_wrong_use(void **state) {
    (void)state;
    const char *scene = work_text("good.json", GOOD), *out = work_path("never.svg");
    char *end = NULL;
    check_fails(program_run(NULL, "plot", end), 2, "no scene given");
    check_fails(program_run(NULL, "plot", scene, end), 2, "-o: where to write");
    check_fails(program_run(NULL, "plot", scene, "-o", end), 2, "-o: a value is missing");
    check_fails(program_run(NULL, "plot", scene, scene, "-o", out, end), 2, "one scene, got 2");
    check_fails(program_run(NULL, "plot", scene, "-o", "x.gif", end), 2, "must end in .svg");
    check_fails(program_run(NULL, "plot", scene, "-o", "svg", end), 2, "must end in .svg");
    check_fails(
        program_run(NULL, "plot", scene, "-o", out, "--kind", "x", end), 2,
        "--kind: must be hodograph, impulse, states, velocity, energy, outcomes or map, got \"x\"");
    check_fails(program_run(NULL, "plot", scene, "-o", out, "--odd", end), 2, "--odd: unknown");
    assert_int_not_equal(access(out, F_OK), 0);
}

static void test_bad_scenes(void **state) {
    (void)state;
    const char *out = work_path("never.svg");
    char *end = NULL;
    check_fails(program_run(NULL, "plot", work_path("missing.json"), "-o", out, end), 2,
                "missing.json: ");
    check_fails(program_run(NULL, "plot", work_text("bad.json", "{\"carom\":1}"), "-o", out, end),
                2, "bad.json: ");
    check_fails(program_run(SCENE("[[3,0,0],[0,2,0],[0,0,1]]", "[1,1,2]", "1", "0"), "plot", "-",
                            "-o", out, end),
                1, "standard input: not_approaching: ");
    check_fails(program_run(SCENE("[[3,0,0],[0,2,0],[0,0,-1]]", "[1,1,-2]", "1", "0"), "plot", "-",
                            "-o", out, end),
                2, "standard input: ");
    assert_int_not_equal(access(out, F_OK), 0);
}

static void test_unwritable_output(void **state) {
    (void)state;
    const char *scene = work_text("good.json", GOOD);
    char *end = NULL;
    check_fails(program_run(NULL, "plot", scene, "-o", work_path("no/such/dir.svg"), end), 2,
                "dir.svg: cannot be written: No such file");
    const char *directory = work_path("taken.svg");
    assert_int_equal(mkdir(directory, 0777), 0);
    check_fails(program_run(NULL, "plot", scene, "-o", directory, end), 2,
                "taken.svg: cannot be written: Is a directory");
}

/* Where the path is a link, the file behind it gets the picture, and the link stays: so a device is
 * written to and not replaced. */
static void test_links_stay(void **state) {
    (void)state;
    const char *scene = work_text("good.json", GOOD), *target = work_text("target.svg", "old");
    const char *link = work_path("link.svg"), *full = work_path("full.svg");
    struct stat about;
    assert_int_equal(symlink(target, link), 0);
    free(plot(scene, link, "energy"));
    assert_int_equal(lstat(link, &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    size_t size;
    char *text = file_read(target, &size);
    check_contains(text, "<svg");
    free(text);
    if (access("/dev/full", W_OK) != 0) {
        return;
    }
    assert_int_equal(symlink("/dev/full", full), 0);
    check_fails(program_run(NULL, "plot", scene, "-o", full, (char *)NULL), 2,
                "full.svg: cannot be written: No space left");
    assert_int_equal(stat(full, &about), 0);
    assert_true(S_ISCHR(about.st_mode));
}

/* Runs with PATH set to the work directory alone. */
static Run run_in_path(const char *scene, const char *output) {
    char *path = strdup(getenv("PATH"));
    assert_int_equal(setenv("PATH", work_path("."), 1), 0);
    Run run = program_run(NULL, "plot", scene, "-o", output, (char *)NULL);
    assert_int_equal(setenv("PATH", path, 1), 0);
    free(path);
    return run;
}

/* Without gnuplot, or with one that fails, there is a clear message, and a picture that was there
 * before is as it was. */
static void test_gnuplot_missing_or_failing(void **state) {
    (void)state;
    const char *scene = work_text("good.json", GOOD), *out = work_text("old.svg", "old");
    check_fails(run_in_path(scene, out), 2, "gnuplot-nox");
    const char *fake =
        work_text("gnuplot", "#!/bin/sh\necho half\necho 'no more ink' >&2\nexit 3\n");
    assert_int_equal(chmod(fake, 0755), 0);
    check_fails(run_in_path(scene, out), 2, "gnuplot failed: no more ink");
    fake = work_text("gnuplot", "#!/bin/sh\necho not a picture\n");
    check_fails(run_in_path(scene, out), 2, "not the SVG that was expected");
    fake = work_text("gnuplot", "#!/bin/sh\n");
    check_fails(run_in_path(scene, work_path("empty.png")), 2, "gnuplot wrote nothing");
    assert_int_not_equal(access(work_path("empty.png"), F_OK), 0);
    assert_int_equal(remove(fake), 0);
    size_t size;
    char *text = file_read(out, &size);
    assert_string_equal(text, "old");
    free(text);
}

static void test_help(void **state) {
    (void)state;
    check_output(program_run(NULL, "plot", "--help", (char *)NULL),
                 "Usage: carom plot SCENE.json -o FILE.svg");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hodograph_shows_the_process),
        cmocka_unit_test(test_hodograph_is_labelled),
        cmocka_unit_test(test_energy_is_labelled),
        cmocka_unit_test(test_compliant_scenes),
        cmocka_unit_test(test_other_formats),
        cmocka_unit_test(test_degenerate_scenes),
        cmocka_unit_test(test_names_are_only_text),
        cmocka_unit_test(test_wrong_use),
        cmocka_unit_test(test_bad_scenes),
        cmocka_unit_test(test_unwritable_output),
        cmocka_unit_test(test_links_stay),
        cmocka_unit_test(test_gnuplot_missing_or_failing),
        cmocka_unit_test(test_help),
    };
    return cmocka_run_group_tests(tests, work_setup, work_teardown);
}
