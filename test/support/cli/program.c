#define _DEFAULT_SOURCE /* wait4 */
#include "support/cli/program.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/check.h"

enum { ARGUMENTS_MAX = 16, PATH_SIZE = 512, PATHS = 64 };

static char work_directory[64];

int work_setup(void **state) {
    (void)state;
    strcpy(work_directory, "/tmp/carom-test-XXXXXX");
    return mkdtemp(work_directory) ? 0 : -1;
}

static const char *path_join(const char *directory, const char *name) {
    static char paths[PATHS][PATH_SIZE];
    static int next;
    char *path = paths[next++ % PATHS];
    assert_true(snprintf(path, PATH_SIZE, "%s/%s", directory, name) < PATH_SIZE);
    return path;
}

int directory_remove(const char *path) {
    DIR *directory = opendir(path);
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        if (entry->d_name[0] != '.') {
            remove(path_join(path, entry->d_name));
        }
    }
    if (directory) {
        closedir(directory);
    }
    return rmdir(path);
}

int work_teardown(void **state) {
    (void)state;
    return directory_remove(work_directory);
}

const char *work_path(const char *name) {
    return path_join(work_directory, name);
}

const char *scene_path(const char *name) {
    return path_join(CAROM_SOURCE_DIR "/scenes", name);
}

const char *work_file(const char *name, const char *text, size_t size) {
    const char *path = work_path(name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    return path;
}

const char *work_text(const char *name, const char *text) {
    return work_file(name, text, strlen(text));
}

char *file_read(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        fail_msg("%s: cannot be opened", path);
    }
    char *text = NULL;
    size_t length = 0, got;
    do {
        text = realloc(text, length + 65536 + 1);
        assert_non_null(text);
        got = fread(text + length, 1, 65536, file);
        length += got;
    } while (got > 0);
    fclose(file);
    text[length] = '\0';
    *size = length;
    return text;
}

/* In the child: put a file in the place of a standard stream. */
static void redirect(const char *path, int flags, int stream) {
    int descriptor = open(path, flags, 0600);
    if (descriptor < 0 || dup2(descriptor, stream) < 0) {
        _exit(126);
    }
    close(descriptor);
}

static Run run(const char *in_path, const char *out_path, char **arguments) {
    const char *err_path = work_path("stderr");
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        redirect(in_path, O_RDONLY, STDIN_FILENO);
        redirect(out_path, O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
        redirect(err_path, O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
        execv(CAROM_PROGRAM, arguments);
        _exit(127);
    }
    int status;
    struct rusage usage;
    assert_int_equal(wait4(child, &status, 0, &usage), child);
    Run result = {.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
                  .memory = usage.ru_maxrss};
    size_t size;
    result.err = file_read(err_path, &size);
    return result;
}

static void collect(va_list list, char *arguments[ARGUMENTS_MAX]) {
    int count = 0;
    arguments[count++] = (char *)CAROM_PROGRAM;
    do {
        assert_true(count < ARGUMENTS_MAX);
        arguments[count] = va_arg(list, char *);
    } while (arguments[count++]);
}

Run program_run(const char *input, ...) {
    char *arguments[ARGUMENTS_MAX];
    va_list list;
    va_start(list, input);
    collect(list, arguments);
    va_end(list);
    const char *out_path = work_path("stdout");
    Run result = run(input ? work_text("stdin", input) : "/dev/null", out_path, arguments);
    result.out = file_read(out_path, &result.out_size);
    return result;
}

Run program_run_to(const char *out_path, ...) {
    char *arguments[ARGUMENTS_MAX];
    va_list list;
    va_start(list, out_path);
    collect(list, arguments);
    va_end(list);
    return run("/dev/null", out_path, arguments);
}

void run_free(Run *result) {
    free(result->out);
    free(result->err);
    *result = (Run){0};
}

void check_contains(const char *text, const char *part) {
    if (!strstr(text, part)) {
        fail_msg("\"%s\" is not in:\n%s", part, text);
    }
}

static void check_run(Run *run, int status, const char *text, const char *part) {
    if (run->status != status) {
        fail_msg("exit status %d instead of %d, with: %s", run->status, status, run->err);
    }
    check_contains(text, part);
    run_free(run);
}

void check_output(Run run, const char *part) {
    check_run(&run, 0, run.out, part);
}

void check_error(Run run, int status, const char *part) {
    check_run(&run, status, run.err, part);
}

void check_refused(const char *command, const char *path, int status, const char *part) {
    Run result = program_run(NULL, command, path, NULL);
    char start[PATH_SIZE + 16];
    snprintf(start, sizeof start, "carom: %s: ", path);
    if (result.status != status || strncmp(result.err, start, strlen(start)) != 0) {
        fail_msg("exit status %d instead of %d, or no file's name, with: %s", result.status, status,
                 result.err);
    }
    check_contains(result.err, part);
    assert_ptr_equal(strchr(result.err, '\n'), result.err + strlen(result.err) - 1);
    run_free(&result);
}

void check_refusals(const Refusal *refusals, size_t count) {
    for (size_t i = 0; i < count; i++) {
        check_refused("solve", work_text("bad.json", refusals[i].scene), 2, refusals[i].message);
    }
}
