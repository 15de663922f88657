/* The files that a run reads or has written. */
#include "io/used_files.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/message.h"

typedef struct UsedFile {
    dev_t device;
    ino_t number;
    bool is_input;
} UsedFile;

static UsedFile *files; /* of the whole run, never freed */
static int file_count;

/* Devices and pipes do not count: nothing in them is replaced. */
static bool note(const struct stat *about, bool is_input) {
    if (!S_ISREG(about->st_mode)) {
        return true;
    }
    UsedFile *more = realloc(files, ((size_t)file_count + 1) * sizeof *files);
    if (more) {
        files = more;
        files[file_count++] = (UsedFile){about->st_dev, about->st_ino, is_input};
    }
    return more != NULL;
}

static bool is_same(const struct stat *a, const struct stat *b) {
    return S_ISREG(a->st_mode) && a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static int fail(const char *path, const char *why) {
    message_error("%s: %s", path, why);
    return 2;
}

int used_files_note_input(const char *path) {
    struct stat output, input;
    bool standard = strcmp(path, "-") == 0;
    const char *name = standard ? "standard input" : path;
    if ((standard ? fstat(STDIN_FILENO, &input) : stat(path, &input)) != 0) {
        return 0; /* the reader reports it */
    }
    if (fstat(STDOUT_FILENO, &output) == 0 && is_same(&input, &output)) {
        return fail(name, "is the input, and standard output writes to it");
    }
    return note(&input, true) ? 0 : fail(name, "out of memory");
}

int used_files_note_inputs(char *const *paths, int count) {
    int wrong = 0;
    for (int i = 0; i < count && !wrong; i++) {
        wrong = used_files_note_input(paths[i]);
    }
    return wrong;
}

void used_files_note_output(const struct stat *about) {
    note(about, false);
}

bool used_files_allow(const struct stat *about, Error *error) {
    for (int i = 0; i < file_count; i++) {
        if (about->st_dev == files[i].device && about->st_ino == files[i].number) {
            return error_set(error, "%s",
                             files[i].is_input ? "is an input of this command"
                                               : "is another output of this command");
        }
    }
    return true;
}
