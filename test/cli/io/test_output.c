/* Files that the program writes: no input is replaced, a file is complete or as it was, and links,
 * pipes and permissions stay. */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/check.h"
#include "support/cli/program.h"
#include "support/cli/scene_text.h"

#define THROW                                                                                      \
    "{\"carom\":1,\"model\":\"rigid\",\"bodies\":[{\"mass\":2,\"inertia\":[1,1,1],"                \
    "\"position\":[0,0,3],\"shape\":{\"ball\":1}}],\"gravity\":[0,0,-10]," SURFACE "}"
#define SHOT                                                                                       \
    "{\"carom\":1,\"model\":\"rigid\",\"bodies\":[{\"name\":\"ball\",\"mass\":2,\"inertia\":[0.8," \
    "0.8,"                                                                                         \
    "0.8],"                                                                                        \
    "\"position\":[0,0,1],\"velocity\":[1,0,-1]},{\"name\":\"table\",\"mass\":\"infinite\"}],"     \
    "\"contacts\":[{\"bodies\":[\"ball\",\"table\"],\"point\":[0,0,0],\"normal\":[0,0,1],\"mu\":"  \
    "0.2,"                                                                                         \
    "\"e\":0}],\"roll\":{\"body\":\"ball\",\"radius\":1,\"mu_slide\":0.2,\"mu_roll\":0.01,"        \
    "\"gravity\":9.81}}"
#define HEADER "w11,w12,w13,w22,w23,w33,vx,vy,vz,mu,e\n"
#define ROW "3,0.5,0.2,4,-0.3,2,0.7,-0.4,-1.5,0.3,0.6\n"
#define ROWS8 ROW ROW ROW ROW ROW ROW ROW ROW
#define TABLE HEADER ROWS8 ROWS8 ROWS8 ROWS8 ROWS8 ROWS8 ROWS8 ROWS8
#define OLD "what was there before\n"

/* A way to write a file: COMMAND OPTION OUTPUT INPUT, or COMMAND INPUT OUTPUT. */
typedef struct Writer {
    const char *command, *option, *input;
} Writer;

static const Writer writers[] = {{"solve", "--trace", GOOD},    {"simulate", "-o", THROW},
                                 {"simulate", "--plot", THROW}, {"plot", "-o", GOOD},
                                 {"plot", "--output", GOOD},    {"batch", NULL, TABLE},
                                 {"roll", "-o", SHOT},          {"roll", "--plot", SHOT}};
enum { WRITERS = sizeof writers / sizeof *writers };

static Run run_writer(const Writer *writer, const char *standard_input, const char *input,
                      const char *output) {
    return writer->option
               ? program_run(standard_input, writer->command, writer->option, output, input, NULL)
               : program_run(standard_input, writer->command, input, output, NULL);
}

static void check_content(const char *path, const char *text) {
    size_t size;
    char *content = file_read(path, &size);
    assert_string_equal(content, text);
    free(content);
}

/* Temporary files in the work directory. */
static int count_temporary(void) {
    DIR *directory = opendir(work_path(""));
    int count = 0;
    assert_non_null(directory);
    for (struct dirent *entry; (entry = readdir(directory));) {
        count += strncmp(entry->d_name, ".carom", 6) == 0;
    }
    closedir(directory);
    return count;
}

static void make_link(const char *target, const char *path, bool hard) {
    unlink(path);
    assert_int_equal(hard ? link(target, path) : symlink(target, path), 0);
}

/* By its own name, by links, and where it is standard input. */
static void test_no_input_is_replaced(void **state) {
    (void)state;
    for (int i = 0; i < WRITERS; i++) {
        const char *other = work_path("other.svg"), *piped = work_path("stdin");
        const char *input = work_text("input.svg", writers[i].input);
        for (int way = 0; way < 3; way++) {
            if (way > 0) {
                make_link(input, other, way == 2);
            }
            check_error(run_writer(&writers[i], NULL, input, way == 0 ? input : other), 2,
                        "cannot be written: is an input of this command");
            check_content(input, writers[i].input);
        }
        make_link(piped, other, false);
        check_error(run_writer(&writers[i], writers[i].input, "-", other), 2,
                    "cannot be written: is an input of this command");
        check_content(piped, writers[i].input);
    }
}

/* A page with the name of another scene, and an index with the name of a scene. */
static void test_no_report_replaces_a_scene(void **state) {
    (void)state;
    const char *scene = work_text("page.json", GOOD), *page = work_text("page.html", GOOD);
    check_error(program_run(NULL, "solve", "--report", work_path("."), scene, page, NULL), 2,
                "page.html: cannot be written: is an input of this command");
    check_content(page, GOOD);
    const char *index = work_text("index.html", GOOD);
    check_error(program_run(NULL, "solve", "--report", work_path("."), page, index, NULL), 2,
                "/index.html: cannot be written: is an input of this command");
    check_content(index, GOOD);
}

static void test_standard_output_is_not_the_input(void **state) {
    (void)state;
    for (int i = 0; i < WRITERS; i++) {
        const char *input = work_text("input.svg", writers[i].input);
        bool plot = strcmp(writers[i].command, "plot") == 0;
        check_error(program_run_to(input, writers[i].command, input, plot ? "-o" : NULL,
                                   work_path("plot.svg"), NULL),
                    2, "input.svg: is the input, and standard output writes to it");
    }
}

static void test_two_outputs_are_two_files(void **state) {
    (void)state;
    const char *scene = work_text("throw.json", THROW), *both = work_path("both.svg");
    check_error(program_run(NULL, "simulate", "-o", both, "--plot", both, scene, NULL), 2,
                "--plot: ");
    size_t size;
    char *text = file_read(both, &size);
    check_contains(text, "t,x,y,z,"); /* the first stays */
    free(text);
}

/* A disk that is full after 4 KB, as far as the program can see. */
static void test_full_disk(void **state) {
    (void)state;
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 4096;
    for (int i = 0; i < WRITERS; i++) {
        const char *input = work_text("input.json", writers[i].input);
        const char *output = work_text("old.svg", OLD);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
        Run run = run_writer(&writers[i], NULL, input, output);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        bool drawn = strcmp(writers[i].command, "plot") == 0 ||
                     (writers[i].option && strcmp(writers[i].option, "--plot") == 0);
        /* pictures fail before that, in a temporary file */
        check_error(run, 2, drawn ? "" : "old.svg: cannot be written: File too large");
        check_content(output, OLD);
        assert_int_equal(count_temporary(), 0);
        if (!drawn) {
            check_error(run_writer(&writers[i], NULL, input, "/dev/full"), 2,
                        "/dev/full: cannot be written: No space left on device");
        }
    }
}

/* Start carom batch on a pipe; returns the process and the end of the pipe to write to. */
static pid_t start_batch(const char *pipe_path, const char *output, int *feed) {
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        execl(CAROM_PROGRAM, CAROM_PROGRAM, "batch", "--threads", "2", pipe_path, output, NULL);
        _exit(127);
    }
    *feed = open(pipe_path, O_WRONLY);
    assert_true(*feed >= 0);
    return child;
}

/* More than the program reads at once, so that it has begun to write; then it waits. */
static void feed_rows(int feed) {
    static const char rows[] = ROWS8 ROWS8 ROWS8 ROWS8 ROWS8 ROWS8 ROWS8 ROWS8;
    assert_int_equal(write(feed, HEADER, strlen(HEADER)), strlen(HEADER));
    for (size_t sent = 0; sent < (size_t)5 << 20; sent += strlen(rows)) {
        assert_int_equal(write(feed, rows, strlen(rows)), strlen(rows));
    }
    for (int i = 0; i < 3000 && count_temporary() == 0; i++) {
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    assert_int_equal(count_temporary(), 1);
}

/* A signal ends the program as it would end any other; the old file is there, and no other. */
static void test_signals(void **state) {
    (void)state;
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    const char *pipe_path = work_path("pipe");
    assert_int_equal(mkfifo(pipe_path, 0600), 0);
    struct rlimit no_core = {0, 0};
    assert_int_equal(setrlimit(RLIMIT_CORE, &no_core), 0);
    for (int i = 0; i < 4; i++) {
        const char *output = work_text("old.csv", OLD);
        int feed, status;
        pid_t child = start_batch(pipe_path, output, &feed);
        feed_rows(feed);
        assert_int_equal(kill(child, signals[i]), 0);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == signals[i]);
        close(feed);
        check_content(output, OLD);
        assert_int_equal(count_temporary(), 0);
    }
}

/* Permissions, owner and symbolic links stay; a new file follows the user's mask. */
static void test_permissions_and_links(void **state) {
    (void)state;
    const char *scene = work_text("scene.json", GOOD), *target = work_text("target.csv", OLD);
    const char *via = work_path("via.csv"), *other = work_path("hard.csv");
    struct stat about, expected;
    assert_int_equal(chmod(target, 0604), 0);
    if (geteuid() == 0) {
        assert_int_equal(chown(target, 12345, 23456), 0);
    }
    assert_int_equal(stat(target, &expected), 0);
    make_link("target.csv", via, false);
    make_link(target, other, true);
    check_output(program_run(NULL, "solve", "--trace", via, scene, NULL), "");
    assert_int_equal(lstat(via, &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    assert_int_equal(stat(target, &about), 0);
    assert_int_equal(about.st_mode, expected.st_mode);
    assert_int_equal(about.st_uid, expected.st_uid);
    assert_int_equal(about.st_gid, expected.st_gid);
    assert_true(about.st_size > 1000);
    check_content(other, OLD); /* another name of the old file keeps it */
    make_link("new.csv", via, false);
    mode_t mask = umask(027);
    check_output(program_run(NULL, "solve", "--trace", via, scene, NULL), "");
    umask(mask);
    assert_int_equal(stat(work_path("new.csv"), &about), 0);
    assert_int_equal(about.st_mode & 0777, 0640);
    make_link("loop.csv", work_path("loop.csv"), false);
    check_error(program_run(NULL, "solve", "--trace", work_path("loop.csv"), scene, NULL), 2,
                "loop.csv: cannot be written: Too many levels of symbolic links");
    unlink(work_path("loop.csv"));
    check_error(program_run(NULL, "solve", "--trace", work_path("none/t.csv"), scene, NULL), 2,
                "none/t.csv: cannot be written: No such file or directory");
    check_error(program_run(NULL, "solve", "--trace", work_path(""), scene, NULL), 2,
                "cannot be written: Is a directory");
}

/* A pipe stays a pipe and gets the whole file; so does standard output by its name. */
static void test_pipes(void **state) {
    (void)state;
    const char *scene = work_text("scene.json", GOOD), *path = work_path("fifo");
    assert_int_equal(mkfifo(path, 0600), 0);
    int reader = open(path, O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    check_output(program_run(NULL, "solve", "--samples", "9", "--trace", path, scene, NULL), "");
    char text[8192] = "";
    assert_true(read(reader, text, sizeof text - 1) > 500);
    close(reader);
    check_contains(text, "p,ix,iy,iz,");
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    assert_true(S_ISFIFO(about.st_mode));
    Run run = program_run(NULL, "solve", "--samples", "9", "--trace", "/dev/stdout", scene, NULL);
    check_contains(run.out, "the bodies separate");
    check_contains(run.out, "\np,ix,iy,iz,");
    run_free(&run);
}

/* Run as a user who owns nothing; returns the exit status, 127 if the program is out of reach. */
static int run_as_nobody(const char *output, const char *scene) {
    enum { NOBODY = 65534 };
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        int silent = open("/dev/null", O_RDWR);
        dup2(silent, STDOUT_FILENO);
        dup2(silent, STDERR_FILENO);
        if (geteuid() == 0 && (setgid(NOBODY) != 0 || setuid(NOBODY) != 0)) {
            _exit(127);
        }
        execl(CAROM_PROGRAM, CAROM_PROGRAM, "solve", "--trace", output, scene, NULL);
        _exit(127);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* A file that must not be written is not replaced, though its directory would allow it. */
static void test_read_only_files(void **state) {
    (void)state;
    const char *scene = work_text("scene.json", GOOD), *output = work_text("fixed.csv", OLD);
    assert_int_equal(chmod(work_path(""), 0777), 0);
    assert_int_equal(chmod(scene, 0644), 0);
    assert_int_equal(chmod(output, 0444), 0);
    int status = run_as_nobody(output, scene);
    assert_int_equal(chmod(work_path(""), 0700), 0);
    if (status == 127) {
        skip();
    }
    assert_int_equal(status, 2);
    check_content(output, OLD);
}

/* Without standard streams: no message and no report ends up in a file. */
static void test_closed_streams(void **state) {
    (void)state;
    const char *table = work_text("table.csv", HEADER ROW "1,2\n"), *out = work_path("rows.csv");
    const char *scene = work_text("scene.json", GOOD), *trace = work_path("trace.csv");
    for (int command = 0; command < 2; command++) {
        pid_t child = fork();
        if (child == 0) {
            close(STDIN_FILENO);
            close(STDOUT_FILENO);
            close(STDERR_FILENO);
            execl(CAROM_PROGRAM, CAROM_PROGRAM, command ? "solve" : "batch",
                  command ? "--trace" : table, command ? trace : out, command ? scene : NULL, NULL);
            _exit(127);
        }
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), command ? 2 : 1);
    }
    static const char *const starts[] = {"ix,iy,iz,", "p,ix,iy,iz,"};
    for (int i = 0; i < 2; i++) {
        size_t size;
        char *text = file_read(i ? trace : out, &size);
        assert_int_equal(strncmp(text, starts[i], strlen(starts[i])), 0);
        assert_null(strstr(text, "carom"));
        free(text);
    }
    check_content(scene, GOOD);
}

/* Standard output has the report: "-" would mix both, or be a file of that name. */
static void test_standard_output_is_for_the_report(void **state) {
    (void)state;
    const char *scene = work_text("scene.json", GOOD), *thrown = work_text("throw.json", THROW);
    check_error(program_run(NULL, "solve", "--trace", "-", scene, NULL), 2,
                "carom: solve: --trace: must be a file");
    check_error(program_run(NULL, "simulate", "-o", "-", thrown, NULL), 2,
                "carom: simulate: --trajectory: must be a file");
    check_error(program_run(NULL, "simulate", "-o", "", thrown, NULL), 2,
                "carom: simulate: --trajectory: must be a file");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_input_is_replaced),
        cmocka_unit_test(test_no_report_replaces_a_scene),
        cmocka_unit_test(test_standard_output_is_not_the_input),
        cmocka_unit_test(test_two_outputs_are_two_files),
        cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_signals),
        cmocka_unit_test(test_permissions_and_links),
        cmocka_unit_test(test_pipes),
        cmocka_unit_test(test_read_only_files),
        cmocka_unit_test(test_closed_streams),
        cmocka_unit_test(test_standard_output_is_for_the_report),
    };
    return cmocka_run_group_tests(tests, work_setup, work_teardown);
}
