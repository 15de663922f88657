/* carom batch, from outside: columns, rows good and bad, threads, streams.
 *
 * Oracle: carom_batch_solve() on the same numbers, one at a time, to the last bit. Seed 20240607,
 * fixed. */
#include <carom/carom.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/check.h"
#include "support/cli/program.h"

#define HEADER "w11,w12,w13,w22,w23,w33,vx,vy,vz,mu,e\n"
#define OUT_HEADER "ix,iy,iz,vx,vy,vz,sequence,status\n"
#define ROW "3,0.5,0.2,4,-0.3,2,0.7,-0.4,-1.5,0.3,0.6\n"
#define INVALID "nan,nan,nan,nan,nan,nan,,invalid_input\n"

/* SplitMix64, mapped to [-1, 1). */
static double random_number(uint64_t *seed) {
    uint64_t x = *seed += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return (double)((x ^ (x >> 31)) >> 11) * 0x1p-52 - 1;
}

/* W = A A^T + 1/10, a velocity that approaches, friction and restitution. */
static void random_case(uint64_t *seed, double x[11]) {
    double A[9];
    for (int i = 0; i < 9; i++) {
        A[i] = random_number(seed);
    }
    int next = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = i; j < 3; j++) {
            x[next++] = (i == j ? 0.1 : 0) + A[3 * i] * A[3 * j] + A[3 * i + 1] * A[3 * j + 1] +
                        A[3 * i + 2] * A[3 * j + 2];
        }
    }
    x[6] = random_number(seed);
    x[7] = random_number(seed);
    x[8] = -0.05 - fabs(random_number(seed));
    x[9] = fabs(random_number(seed));
    x[10] = fabs(random_number(seed));
}

/* A table of random cases; free() it. */
static char *random_table(int rows) {
    char *text = malloc((size_t)rows * 11 * 25 + sizeof HEADER);
    assert_non_null(text);
    char *end = text + sprintf(text, HEADER);
    uint64_t seed = 20240607;
    for (int i = 0; i < rows; i++) {
        double x[11];
        random_case(&seed, x);
        for (int k = 0; k < 11; k++) {
            end += sprintf(end, "%.17g%c", x[k], k < 10 ? ',' : '\n');
        }
    }
    return text;
}

/* The number with the fewest digits that read back as it; returns the end. */
static char *put_number(double number, char *text) {
    for (int digits = 1; digits <= 17; digits++) {
        sprintf(text, "%.*g", digits, number);
        if (strtod(text, NULL) == number) {
            break;
        }
    }
    return text + strlen(text);
}

/* The line that the library's answer to a case makes. */
static void expected_line(const double x[11], char line[256]) {
    CaromCase one = {.W = {x[0], x[1], x[2], x[3], x[4], x[5]},
                     .v = {x[6], x[7], x[8]},
                     .contact = carom_contact_default()};
    CaromOutcome out;
    one.contact.mu = x[9];
    one.contact.e = x[10];
    carom_batch_solve(1, &one, &out);
    for (int i = 0; i < 6; i++) {
        line = put_number(i < 3 ? out.impulse[i] : out.velocity[i - 3], line);
        *line++ = ',';
    }
    sprintf(line, "%s,%s\n", out.sequence, carom_status_string(out.status));
}

/* The same bytes from one thread and from two, over several chunks, and the library's. */
static void test_threads(void **state) {
    (void)state;
    enum { ROWS = 10000 };
    char *table = random_table(ROWS);
    Run one = program_run(table, "batch", "--threads", "1", NULL);
    Run two = program_run(table, "batch", "--threads=2", "-", "-", NULL);
    assert_int_equal(one.status, 0);
    assert_int_equal(two.status, 0);
    assert_int_equal(one.out_size, two.out_size);
    assert_memory_equal(one.out, two.out, one.out_size);
    const char *line = one.out;
    assert_int_equal(strncmp(line, OUT_HEADER, strlen(OUT_HEADER)), 0);
    line += strlen(OUT_HEADER);
    uint64_t seed = 20240607;
    for (int i = 0; i < ROWS; i++) {
        double x[11];
        char expected[256];
        random_case(&seed, x);
        expected_line(x, expected);
        if (strncmp(line, expected, strlen(expected)) != 0) {
            fail_msg("row %d is not %s", i, expected);
        }
        line += strlen(expected);
    }
    assert_int_equal(*line, '\0');
    run_free(&one);
    run_free(&two);
    free(table);
}

/* One row that is good, in every form that stands for it. */
static void test_forms(void **state) {
    (void)state;
    static const double x[11] = {3, 0.5, 0.2, 4, -0.3, 2, 0.7, -0.4, -1.5, 0.3, 0.6};
    static const char *const tables[] = {
        HEADER ROW,
        "w11,w12,w13,w22,w23,w33,vx,vy,vz,mu,e\r\n3,0.5,0.2,4,-0.3,2,0.7,-0.4,-1.5,0.3,0.6\r\n",
        "e,mu,vz,vy,vx,w33,w23,w22,w13,w12,w11\n0.6,0.3,-1.5,-0.4,0.7,2,-0.3,4,0.2,0.5,3\n",
        "\xEF\xBB\xBF" HEADER ROW,
        " w11 ,\"w12\", w13,w22,w23,w33,vx,vy,vz,mu,\" e\" \n"
        "\t3 , \"0.5\" ,\" 0.2 \",+4,-3e-1,2.0,7E-1,-.4,-1.5,0.3,0.6\n",
        "w11,w12,w13,w22,w23,w33,vx,vy,vz,mu,e,mu_static,stiffness_ratio,model,restitution\n"
        "3,0.5,0.2,4,-0.3,2,0.7,-0.4,-1.5,0.3,0.6,,,,\n",
        "model,w11,w12,w13,w22,w23,w33,vx,vy,vz,mu,e,mu_static,stiffness_ratio,restitution\n"
        "rigid,3,0.5,0.2,4,-0.3,2,0.7,-0.4,-1.5,0.3,0.6,0.3,2.5,energetic\n",
    };
    char expected[512] = OUT_HEADER;
    expected_line(x, expected + strlen(OUT_HEADER));
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        Run run = program_run(tables[i], "batch", NULL);
        assert_string_equal(run.err, "");
        assert_string_equal(run.out, expected);
        assert_int_equal(run.status, 0);
        run_free(&run);
    }
}

/* solve and batch print the same numbers, but for the last digits, for the same problem and law. */
static void test_same_as_solve(void **state) {
    (void)state;
    static const char *const laws[] = {"energetic", "poisson", "newton"};
    for (int i = 0; i < 3; i++) {
        char scene[512], table[512], numbers[7][32], part[256];
        snprintf(scene, sizeof scene,
                 "{\"carom\":1,\"model\":\"rigid\",\"restitution\":\"%s\",\"inverse_inertia\":"
                 "[[3,0.5,0.9],[0.5,4,-0.7],[0.9,-0.7,2]],\"contact_velocity\":[0.7,-0.4,-1.5],"
                 "\"contacts\":[{\"mu\":0.2,\"mu_static\":0.25,\"e\":0.6}]}",
                 laws[i]);
        snprintf(table, sizeof table,
                 "mu_static,restitution," HEADER
                 "0.25,%s,3,0.5,0.9,4,-0.7,2,0.7,-0.4,-1.5,0.2,0.6\n",
                 laws[i]);
        Run solve = program_run(scene, "solve", "--json", "-", NULL);
        Run batch = program_run(table, "batch", NULL);
        assert_int_equal(solve.status, 0);
        assert_int_equal(batch.status, 0);
        assert_int_equal(sscanf(strchr(batch.out, '\n') + 1,
                                "%31[^,],%31[^,],%31[^,],%31[^,],%31[^,],%31[^,],%31[^,]",
                                numbers[0], numbers[1], numbers[2], numbers[3], numbers[4],
                                numbers[5], numbers[6]),
                         7);
        double x[6];
        const char *start = strstr(solve.out, "\"impulse\":[");
        assert_non_null(start);
        assert_int_equal(sscanf(start,
                                "\"impulse\":[%lf,%lf,%lf],\"contact_velocity\":[%lf,%lf,%lf]",
                                &x[0], &x[1], &x[2], &x[3], &x[4], &x[5]),
                         6);
        /* lanes have other last digits; measured 4e-16 */
        for (int k = 0; k < 6; k++) {
            assert_true(fabs(strtod(numbers[k], NULL) - x[k]) <= 4e-15);
        }
        snprintf(part, sizeof part, "\"sequence\":\"%s\"", numbers[6]);
        check_contains(solve.out, part);
        run_free(&solve);
        run_free(&batch);
    }
}

static const struct {
    const char *row, *message;
} bad_rows[] = {
    {"3,0.5,0.2,4,-0.3,2,0.7,-0.4,-1.5,x,0.6", "mu: not a finite number"},
    {"3,0.5,0.2,4,-0.3,2,0.7,-0.4,-1.5,,0.6", "mu: not a finite number"},
    {"3,0.5,0.2,4,-0.3,2,0.7,nan,-1.5,0.3,0.6", "vy: not a finite number"},
    {"3,0.5,0.2,4,-0.3,inf,0.7,0,-1.5,0.3,0.6", "w33: not a finite number"},
    {"1e999,0.5,0.2,4,-0.3,2,0.7,0,-1.5,0.3,0.6", "w11: not a finite number"},
    {"0x3,0.5,0.2,4,-0.3,2,0.7,0,-1.5,0.3,0.6", "w11: not a finite number"},
    {"3 4,0.5,0.2,4,-0.3,2,0.7,0,-1.5,0.3,0.6", "w11: not a finite number"},
    {"3,0.5,0.2,4,-0.3,2,0.7,-0.4,-1.5,0.3", "not as many fields as the header has"},
    {"3,0.5,0.2,4,-0.3,2,0.7,-0.4,-1.5,0.3,0.6,1", "not as many fields as the header has"},
    {"", "the line is empty"},
    {"   ", "not as many fields as the header has"},
    {"\"3,0.5,0.2,4,-0.3,2,0.7,-0.4,-1.5,0.3,0.6", "a quote does not end"},
    {"\"3\"x,0.5,0.2,4,-0.3,2,0.7,-0.4,-1.5,0.3,0.6", "a quote does not end"},
    {"3,0.5,0.2,4,-0.3,2,0.7,-0.4,-1.5,-0.3,0.6", "mu: must be >= 0"},
    {"3,0.5,0.2,4,-0.3,2,0.7,-0.4,-1.5,0.3,1.6", "e: must be in [0, 1]"},
    {"3,9,0.2,4,-0.3,2,0.7,-0.4,-1.5,0.3,0.6", "inverse_inertia is not positive definite"},
};

/* A bad row gets its status; the rows around it are solved, in their places. */
static void test_bad_rows(void **state) {
    (void)state;
    static const double x[11] = {3, 0.5, 0.2, 4, -0.3, 2, 0.7, -0.4, -1.5, 0.3, 0.6};
    char good[256], expected[1024], table[1024], message[256];
    expected_line(x, good);
    for (size_t i = 0; i < sizeof bad_rows / sizeof *bad_rows; i++) {
        snprintf(table, sizeof table, HEADER ROW "%s\n" ROW, bad_rows[i].row);
        snprintf(expected, sizeof expected, OUT_HEADER "%s" INVALID "%s", good, good);
        Run run = program_run(table, "batch", NULL);
        assert_int_equal(run.status, 1);
        assert_string_equal(run.out, expected);
        snprintf(message, sizeof message,
                 "carom: standard input: 1 of 3 rows were not solved; the first in line 3: %s\n",
                 bad_rows[i].message);
        assert_string_equal(run.err, message);
        run_free(&run);
    }
    Run run = program_run(HEADER "3,0,0,3,0,1,0,0,1,0,1\n" ROW, "batch", NULL);
    assert_int_equal(run.status, 1);
    snprintf(expected, sizeof expected, OUT_HEADER "nan,nan,nan,nan,nan,nan,,not_approaching\n%s",
             good);
    assert_string_equal(run.out, expected);
    check_contains(run.err, "1 of 2 rows were not solved; the first in line 2: not_approaching");
    run_free(&run);
    static const char *const words[][2] = {{"model", "rigd"},        {"model", "Compliant"},
                                           {"restitution", "hertz"}, {"mu_static", "0.1"},
                                           {"mu_static", "-1"},      {"stiffness_ratio", "0"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        snprintf(table, sizeof table, "%s," HEADER "%s," ROW "," ROW, words[i][0], words[i][1]);
        snprintf(expected, sizeof expected, OUT_HEADER INVALID "%s", good);
        run = program_run(table, "batch", NULL);
        assert_int_equal(run.status, 1);
        assert_string_equal(run.out, expected);
        run_free(&run);
    }
}

/* A file that was cut in its last line: "0.6" would be "0", which is a number, too. */
static void test_cut_files(void **state) {
    (void)state;
    char table[256], good[256], expected[512];
    static const double x[11] = {3, 0.5, 0.2, 4, -0.3, 2, 0.7, -0.4, -1.5, 0.3, 0.6};
    expected_line(x, good);
    snprintf(expected, sizeof expected, OUT_HEADER "%s" INVALID, good);
    for (size_t cut = 1; cut <= 4; cut++) {
        snprintf(table, sizeof table, HEADER ROW ROW);
        table[strlen(table) - cut] = '\0';
        Run run = program_run(table, "batch", NULL);
        assert_int_equal(run.status, 1);
        assert_string_equal(run.out, expected);
        check_contains(run.err, "in line 3: the last line has no line end: the file may be cut");
        run_free(&run);
    }
}

/* Longer than a line may be, and longer than any buffer. */
static void test_long_lines(void **state) {
    (void)state;
    static const double x[11] = {3, 0.5, 0.2, 4, -0.3, 2, 0.7, -0.4, -1.5, 0.3, 0.6};
    static const size_t lengths[] = {65537, 100000, (4 << 20) - 60, 4 << 20, 9 << 20};
    char good[256], expected[1024];
    expected_line(x, good);
    snprintf(expected, sizeof expected, OUT_HEADER "%s" INVALID "%s", good, good);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        char *table = malloc(lengths[i] + sizeof HEADER + 2 * sizeof ROW);
        assert_non_null(table);
        char *end = table + sprintf(table, HEADER ROW);
        memset(end, '1', lengths[i]);
        sprintf(end + lengths[i], "\n" ROW);
        Run run = program_run(table, "batch", NULL);
        assert_int_equal(run.status, 1);
        assert_string_equal(run.out, expected);
        check_contains(run.err, "1 of 3 rows");
        check_contains(run.err, "in line 3: the line is longer than 65536 bytes");
        run_free(&run);
        /* the same as the last line, without its end */
        end[lengths[i]] = '\0';
        check_error(program_run(table, "batch", NULL), 1, "1 of 2 rows");
        free(table);
    }
}

static void test_bad_headers(void **state) {
    (void)state;
    static const char *const headers[][2] = {
        {"", "empty: the header row is missing"},
        {"\n" ROW, "column 1: has no name"},
        {"w11,w12,w13,w22,w23,w33,vx,vy,vz,mu\n", "column \"e\": missing"},
        {"w12,w13,w22,w23,w33,vx,vy,vz,mu,e\n", "column \"w11\": missing"},
        {"mu_statc," HEADER, "column \"mu_statc\": unknown; \"mu_static\" is meant?"},
        {"mu," HEADER, "column \"mu\": given twice"},
        {"MU," HEADER, "column \"MU\": unknown"},
        {"\"w11," HEADER, "the header row has a quote that does not end"},
        {ROW, "column \"w11\": missing"},
        {"status," HEADER, "column \"status\": is also one of the output"},
    };
    check_refused("batch", "/dev/zero", 2, "the header row is too long"); /* it has no end */
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        check_refused("batch", work_text("bad.csv", headers[i][0]), 2, headers[i][1]);
    }
    Run run = program_run(HEADER, "batch", NULL);
    assert_int_equal(run.status, 0);
    assert_string_equal(run.out, OUT_HEADER);
    run_free(&run);
}

static void test_files(void **state) {
    (void)state;
    check_refused("batch", work_path("none.csv"), 2, "No such file");
    check_refused("batch", work_path(""), 2, "Is a directory");
    const char *in = work_text("in.csv", HEADER ROW), *out = work_path("out.csv");
    Run run = program_run(NULL, "batch", in, out, NULL);
    assert_int_equal(run.status, 0);
    assert_string_equal(run.out, "");
    size_t size;
    char *text = file_read(out, &size);
    check_contains(text, ",ok\n");
    free(text);
    run_free(&run);
    /* the input must survive */
    run = program_run(NULL, "batch", in, in, NULL);
    assert_int_equal(run.status, 2);
    check_contains(run.err, "in.csv: cannot be written: is an input of this command");
    text = file_read(in, &size);
    assert_string_equal(text, HEADER ROW);
    free(text);
    run_free(&run);
    check_error(program_run(NULL, "batch", in, work_path("no/such/out.csv"), NULL), 2,
                "cannot be written: No such file");
    static const char *const misuses[][3] = {{"--threads", "0", "--threads: must be 1 to 1024"},
                                             {"--threads", "two", "--threads: must be 1 to 1024"},
                                             {"--frob", "x", "--frob: unknown option"},
                                             {"x", "--threads", "a value is missing"}};
    for (size_t i = 0; i < sizeof misuses / sizeof *misuses; i++) {
        check_error(program_run(NULL, "batch", misuses[i][0], misuses[i][1], NULL), 2,
                    misuses[i][2]);
    }
    check_error(program_run(NULL, "batch", "a", "b", "c", NULL), 2, "c: at most two files");
}

static void test_lost_output(void **state) {
    (void)state;
    if (access("/dev/full", W_OK) != 0) {
        skip();
    }
    const char *in = work_text("in.csv", HEADER ROW);
    check_error(program_run_to("/dev/full", "batch", in, NULL), 2,
                "carom: standard output: cannot be written: No space left");
    check_error(program_run(NULL, "batch", in, "/dev/full", NULL), 2,
                "carom: /dev/full: cannot be written: No space left");
    /* a pipe whose reader has gone */
    char command[1200];
    snprintf(command, sizeof command,
             "exec 2>'%s'; { sleep 0.2; '%s' batch '%s'; echo \"exit $?\" >&2; } | true",
             work_path("pipe"), CAROM_PROGRAM, in);
    assert_int_equal(system(command), 0);
    size_t size;
    char *text = file_read(work_path("pipe"), &size);
    check_contains(text, "carom: standard output: cannot be written: Broken pipe");
    check_contains(text, "exit 2");
    free(text);
}

/* The address sanitizer keeps freed memory, so resident size says nothing under it. */
#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

/* Memory does not grow with rows: 4 and 24 megabytes of input. */
static void test_memory(void **state) {
    (void)state;
#ifdef SANITIZED
    skip();
#endif
    long memory[2];
    static const int rows[2] = {20000, 120000};
    for (int i = 0; i < 2; i++) {
        char *table = random_table(rows[i]);
        const char *in = work_text("large.csv", table);
        free(table);
        Run run = program_run(NULL, "batch", in, work_path("out.csv"), NULL);
        assert_true(run.status == 0 || run.status == 1); /* all rows read and written */
        memory[i] = run.memory;
        run_free(&run);
    }
    /* kilobytes; seen: less than 200 apart */
    if (labs(memory[1] - memory[0]) > 4096) {
        fail_msg("%ld kB for %d rows, %ld kB for %d", memory[0], rows[0], memory[1], rows[1]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads),       cmocka_unit_test(test_forms),
        cmocka_unit_test(test_same_as_solve), cmocka_unit_test(test_bad_rows),
        cmocka_unit_test(test_cut_files),     cmocka_unit_test(test_long_lines),
        cmocka_unit_test(test_bad_headers),   cmocka_unit_test(test_files),
        cmocka_unit_test(test_lost_output),   cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, work_setup, work_teardown);
}
