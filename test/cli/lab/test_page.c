/* carom lab, from outside: the page is written whole, or the program says why not. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/check.h"
#include "support/cli/program.h"

static void check_failure(Run run, const char *part) {
    assert_int_equal(run.status, 2);
    assert_string_equal(run.out, "");
    assert_true(strncmp(run.err, "carom: lab: ", 12) == 0);
    check_contains(run.err, part);
    run_free(&run);
}

static void test_usage(void **state) {
    (void)state;
    check_failure(program_run(NULL, "lab", NULL), "-o: ");
    check_failure(program_run(NULL, "lab", "-o", NULL), "-o: a value is missing");
    check_failure(program_run(NULL, "lab", "--color", NULL), "--color: unknown option");
    check_failure(program_run(NULL, "lab", "-o", "x.html", "scene.json", NULL), "scene.json");
    check_output(program_run(NULL, "lab", "--help", NULL), "Usage: carom lab");
}

#ifdef CAROM_LAB
static void test_page(void **state) {
    (void)state;
    const char *path = work_path("lab.html");
    check_output(program_run(NULL, "lab", "-o", path, NULL), path);
    size_t size, built_size;
    char *page = file_read(path, &size), *built = file_read(CAROM_LAB, &built_size);
    assert_int_equal(size, built_size);
    assert_memory_equal(page, built, size);
    Run run = program_run(NULL, "lab", "--output=-", NULL);
    assert_int_equal(run.status, 0);
    assert_int_equal(run.out_size, size);
    assert_memory_equal(run.out, page, size);
    run_free(&run);
    free(page);
    free(built);
}

static void test_unwritable(void **state) {
    (void)state;
    check_failure(program_run(NULL, "lab", "-o", work_path("no/lab.html"), NULL),
                  "No such file or directory");
    check_failure(program_run(NULL, "lab", "-o", work_path("."), NULL), "cannot be written");
}
#else
static void test_page(void **state) {
    (void)state;
    const char *path = work_path("lab.html");
    check_failure(program_run(NULL, "lab", "-o", path, NULL), "built without the laboratory");
    assert_int_not_equal(access(path, F_OK), 0);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_usage),
        cmocka_unit_test(test_page),
#ifdef CAROM_LAB
        cmocka_unit_test(test_unwritable),
#endif
    };
    return cmocka_run_group_tests(tests, work_setup, work_teardown);
}
