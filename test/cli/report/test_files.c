/* carom solve --report: which files it writes, and messages when it cannot. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "support/check.h"
#include "support/cli/program.h"
#include "support/cli/report.h"
#include "support/cli/scene_text.h"

/* Each scene has a page of its own, whatever the names; the index lists all of them. */
static void test_several_scenes(void **state) {
    (void)state;
    const char *bad = work_text("bad.json", CONTACT("\"mu\":-1,\"e\":1"));
    const char *index = work_text("index.json", GOOD), *upper = work_text("PENCIL.JSON", GOOD);
    Run run = program_run(GOOD, "solve", "--report", work_path("report"), scene_path("pencil.json"),
                          bad, index, upper, "-", scene_path("pencil.json"), NULL);
    assert_int_equal(run.status, 2);
    check_contains(run.err, "bad.json: contacts[0].mu: must be a number >= 0");
    check_contains(run.out, "\nThe reports are listed in ");
    static const char *const names[] = {"pencil.html", "index-2.html", "PENCIL-2.html",
                                        "scene.html", "pencil-3.html"};
    char *list = report_page("index.html");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char link[64];
        snprintf(link, sizeof link, "href=\"./%s\">", names[i]);
        check_contains(list, link);
        check_contains(run.out, names[i]);
        free(report_page(names[i]));
    }
    assert_int_equal(report_file_count(), 6);
    check_contains(list, "bad.json</th>");
    check_contains(list, "contacts[0].mu: must be a number &gt;= 0, got -1");
    check_contains(list, "46.58 %"); /* lost by the pencil */
    free(list);
    run_free(&run);
}

/* A scene that has nothing to show has no page, and there is no directory for it. */
static void test_no_page_without_a_result(void **state) {
    (void)state;
    const char *away =
        work_text("away.json", SCENE(MECHANICS, "\"contact_velocity\":[1,0,0.5]", SURFACE));
    Run run = program_run(NULL, "solve", "--report", work_path("report"), away, NULL);
    assert_int_equal(run.status, 1);
    check_contains(run.err, "not_approaching");
    assert_false(report_exists());
    run_free(&run);
    run = program_run("{", "solve", "--report", work_path("report"), "-", NULL);
    assert_int_equal(run.status, 2);
    check_contains(run.err, "carom: standard input: not valid JSON");
    assert_false(report_exists());
    run_free(&run);
}

/* Without gnuplot the page is written all the same and names the missing pictures. */
static void test_without_gnuplot(void **state) {
    (void)state;
    const char *path = getenv("PATH");
    char *kept = strdup(path ? path : "");
    assert_int_equal(setenv("PATH", work_path("nowhere"), 1), 0);
    Run run = program_run(NULL, "solve", "--json", "--report", work_path("report"),
                          scene_path("thrown_ball.json"), NULL);
    assert_int_equal(setenv("PATH", kept, 1), 0);
    free(kept);
    assert_int_equal(run.status, 0);
    check_contains(run.err, "thrown_ball.html: pictures are missing: gnuplot is not installed");
    char *page = report_page("thrown_ball.html");
    check_contains(page, "<p class=\"warn\">Pictures are missing: gnuplot is not installed");
    check_contains(page, "<td class=\"number\">487.559</td>");
    assert_null(strstr(page, "<img"));
    free(page);
    run_free(&run);
}

/* The exit status and a part of the message; nothing is left behind. */
static void check_not_written(const char *report, const char *part) {
    Run run = program_run(NULL, "solve", "--json", "--report", report,
                          scene_path("thrown_ball.json"), NULL);
    assert_int_equal(run.status, 2);
    check_contains(run.err, part);
    check_contains(run.out, "\"status\":\"ok\""); /* the answer is printed all the same */
    run_free(&run);
}

static void test_what_cannot_be_written_is_told(void **state) {
    (void)state;
    const char *file = work_text("file", "something");
    char below[600];
    snprintf(below, sizeof below, "%s/below", file);
    check_not_written(file, "file: cannot be made: is not a directory");
    check_not_written(below, "cannot be made: ");
    check_not_written("/proc/report", "carom: --report: /proc/report: cannot be made: ");
    /* a directory stands where the page should be */
    assert_int_equal(mkdir(work_path("report"), 0700), 0);
    assert_int_equal(mkdir(report_path("thrown_ball.html"), 0700), 0);
    check_not_written(work_path("report"), "thrown_ball.html: cannot be written: Is a directory");
    assert_int_equal(report_file_count(), 1);
}

/* Directories are made as deep as asked for; a page replaces the one that was there, and keeps to
 * the user's mask. */
static void test_pages_are_replaced(void **state) {
    (void)state;
    const char *deep = work_path("report/deep/");
    mode_t mask = umask(027);
    Run run = program_run(GOOD, "solve", "--report", deep, "-", NULL);
    umask(mask);
    assert_int_equal(run.status, 0);
    char told[600];
    snprintf(told, sizeof told, "\nThe report is in %sscene.html\n", deep);
    check_contains(run.out, told);
    run_free(&run);
    struct stat about;
    const char *path = work_path("report/deep/scene.html");
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0640);
    run = program_run(CONTACT("\"mu\":0.25,\"e\":0.125"), "solve", "--report", deep, "-", NULL);
    assert_int_equal(run.status, 0);
    run_free(&run);
    char *page = report_page("deep/scene.html");
    check_contains(page, "<td class=\"number\">0.125</td>");
    free(page);
    assert_int_equal(remove(path), 0);
    assert_int_equal(remove(work_path("report/deep")), 0); /* nothing else was in it */
}

static void test_wrong_use(void **state) {
    (void)state;
    const char *scene = scene_path("pencil.json");
    check_error(program_run(NULL, "solve", "--report", work_path("report"), "--vary", "mu=0:1:3",
                            scene, NULL),
                2, "carom: solve: --report: shows one solution, not those of --vary");
    check_error(program_run(NULL, "solve", "--report", "", scene, NULL), 2,
                "carom: solve: --report: the directory's name is empty");
    assert_false(report_exists());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_several_scenes, report_remove),
        cmocka_unit_test_teardown(test_no_page_without_a_result, report_remove),
        cmocka_unit_test_teardown(test_without_gnuplot, report_remove),
        cmocka_unit_test_teardown(test_what_cannot_be_written_is_told, report_remove),
        cmocka_unit_test_teardown(test_pages_are_replaced, report_remove),
        cmocka_unit_test_teardown(test_wrong_use, report_remove),
    };
    return cmocka_run_group_tests(tests, work_setup, work_teardown);
}
