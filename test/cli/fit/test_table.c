/* Tables of measured impacts in a temporary file, and the spool below them.
 *
 * Oracle: the same table in memory; a shuffled sequence that is known. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fit/fit_run.h"
#include "support/check.h"
#include "support/cli/program.h"

enum { ROWS = 700, GROUPS = 3 };

/* Record i is (i, group of i, i^2). */
static double group_of(size_t i) {
    return (double)(i * i % 7 % GROUPS);
}

static void fill_spool(FitSpool *spool, size_t memory, size_t counts[GROUPS]) {
    Error error;
    *spool = fit_spool_begin(3, memory);
    memset(counts, 0, GROUPS * sizeof *counts);
    for (size_t i = 0; i < 10000; i++) {
        const double record[3] = {(double)i, group_of(i), (double)(i * i)};
        counts[(size_t)record[1]]++;
        assert_true(fit_spool_add(spool, record, &error));
    }
    assert_true(fit_spool_end(spool, &error));
    assert_int_equal(spool->rows, 10000);
}

/* Forwards, backwards, by strides; then sorted. */
static void test_spool(void **state) {
    (void)state;
    static const size_t memories[] = {0, 100, 100000, 24 * 5000};
    for (size_t k = 0; k < sizeof memories / sizeof *memories; k++) {
        FitSpool spool;
        Error error;
        size_t counts[GROUPS];
        fill_spool(&spool, memories[k], counts);
        assert_true((spool.file >= 0) == (k > 0));
        FitWindow *window = calloc(1, fit_spool_window(&spool));
        for (size_t i = 0; i < 30000; i++) {
            size_t row = i < 10000 ? i : i < 20000 ? 19999 - i : (i - 20000) * 7919 % 10000;
            const double *record = fit_spool_read(&spool, row, window);
            assert_true(record && record[0] == (double)row && record[2] == (double)(row * row));
        }
        memset(window, 0, fit_spool_window(&spool));
        assert_true(fit_spool_sort(&spool, 1, counts, GROUPS, &error));
        for (size_t i = 0; i < 10000; i++) {
            double before = i > 0 ? fit_spool_read(&spool, i - 1, window)[0] : -1;
            const double *record = fit_spool_read(&spool, i, window);
            assert_true(record[1] == group_of((size_t)record[0]));
            assert_true(i == counts[0] || i == counts[0] + counts[1] || record[0] > before);
            assert_true(record[1] == (double)((i >= counts[0]) + (i >= counts[0] + counts[1])));
        }
        free(window);
        fit_spool_free(&spool);
    }
}

/* No folder for the file: a message, not a crash. */
static void test_no_folder(void **state) {
    (void)state;
    FitSpool spool = fit_spool_begin(2, 16);
    Error error = {{0}};
    const double record[2] = {1, 2};
    bool good = true;
    setenv("TMPDIR", work_path("missing"), 1);
    for (int i = 0; i < 100 && good; i++) {
        good = fit_spool_add(&spool, record, &error);
    }
    assert_false(good);
    check_contains(error.text, "its folder is TMPDIR");
    fit_spool_free(&spool);
    unsetenv("TMPDIR");
}

/* Balls that slide, with some scatter; groups in turn. */
static void write_table(const char *path, bool scene) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(scene ? "contact_velocity[0],contact_velocity[2],after_vx,after_vz,sigma,"
                  "sigma.contact_velocity[2],group\n"
                : "w11,w12,w13,w22,w23,w33,vx,vy,vz,after_vx,after_vz,sigma,sigma.w11,group\n",
          file);
    for (int i = 0; i < ROWS; i++) {
        double vn = 1 + 0.25 * (i % 4), vt = 5 + 0.5 * (i % 3), noise = 0.01 * sin(12.9898 * i);
        fprintf(file,
                scene ? "%g,%g,%.9g,%.9g,0.01,0.02,g%g\n"
                      : "3.5,0,0,3.5,0,1,%g,0,%g,%.9g,%.9g,0.01,0.02,g%g\n",
                vt, -vn, vt - 3.5 * 0.1 * 1.5 * vn + noise, 0.5 * vn - noise, group_of((size_t)i));
    }
    fclose(file);
}

static void fit_table(const char *path, FitReading *reading, const FitParameters *parameters,
                      size_t memory, CaromFitResult results[GROUPS], size_t lines[GROUPS]) {
    FitTable table;
    FitRun run = {.table = &table, .parameters = parameters, .model = -1, .law = -1};
    const FitRunOptions options = {.threads = 2};
    Error error;
    reading->memory = memory;
    bool good = fit_table_read(path, reading, &table, &error);
    if (!good) {
        fail_msg("%s", error.text);
    }
    assert_true((table.spool.file >= 0) == (memory > 0));
    assert_true(fit_notes_make(&table, &run.notes, &error));
    assert_true(fit_run(&options, &run, &error));
    assert_int_equal(run.group_count, GROUPS);
    for (int g = 0; g < GROUPS; g++) {
        results[g] = run.groups[g].fit;
        lines[g] = fit_run_line(&run, &run.groups[g], run.groups[g].rows - 1);
    }
    fit_run_free(&run);
    fit_table_free(&table);
}

/* Results of rows in a file have the bits of those in memory, and lines are those of the file. */
static void test_same(void **state) {
    (void)state;
    const FitParameters parameters = {.count = 2,
                                      .list = {carom_fit_parameter(CAROM_COEFFICIENT_MU, 0),
                                               carom_fit_parameter(CAROM_COEFFICIENT_E, 0)},
                                      .names = {"mu", "e"}};
    json_t *document = json_loads("{\"carom\": 1, \"name\": \"ball\", \"model\": \"rigid\", "
                                  "\"inverse_inertia\": [[3.5, 0, 0], [0, 3.5, 0], "
                                  "[0, 0, 1]], \"contact_velocity\": [1, 0, -1], \"contacts\": "
                                  "[{\"mu\": 0.2, \"e\": 0.3}]}",
                                  0, NULL);
    assert_non_null(document);
    for (int scene = 0; scene < 2; scene++) {
        char path[512];
        CaromFitResult memory[GROUPS], file[GROUPS];
        size_t lines[2][GROUPS];
        FitReading reading = {.group = "group",
                              .model = -1,
                              .law = -1,
                              .document = scene ? document : NULL,
                              .fitted = {true, false, true}};
        snprintf(path, sizeof path, "%s", work_path(scene ? "scene.csv" : "plain.csv"));
        write_table(path, scene);
        fit_table(path, &reading, &parameters, 0, memory, lines[0]);
        fit_table(path, &reading, &parameters, 1000, file, lines[1]);
        for (int g = 0; g < GROUPS; g++) {
            assert_int_equal(memory[g].status, CAROM_OK);
            assert_true(memory[g].rows >= 100 && memory[g].rows == file[g].rows);
            assert_memory_equal(memory[g].covariance, file[g].covariance,
                                sizeof memory[g].covariance);
            for (int k = 0; k < 2; k++) {
                assert_true(memory[g].parameters[k].value == file[g].parameters[k].value);
                assert_true(memory[g].parameters[k].low == file[g].parameters[k].low);
            }
            check_close(memory[g].parameters[0].value, 0.1, 0.01);
            check_close(memory[g].parameters[1].value, 0.5, 0.01);
            size_t last = ROWS - 1; /* the last row of the group: names are given in order */
            while (group_of(last) != group_of(lines[0][g] - 2)) {
                last--;
            }
            assert_int_equal(lines[0][g], last + 2);
            assert_int_equal(lines[1][g], last + 2);
        }
    }
    json_decref(document);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_spool),
                                       cmocka_unit_test(test_no_folder),
                                       cmocka_unit_test(test_same)};
    return cmocka_run_group_tests(tests, work_setup, work_teardown);
}
