/* Output files. */
#define _GNU_SOURCE /* sync_file_range(), where there is one */
#include "io/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/cleanup.h"
#include "io/used_files.h"

enum { LINKS_MAX = 40, LINK_BYTES = 4096 };

/* Length of the part of a path before the last name, with its slash. */
static size_t directory_length(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* A name in the directory of a path; free() it. NULL: see errno. */
static char *beside(const char *path, const char *name) {
    size_t length = directory_length(path), room = length + strlen(name) + 1;
    char *joined = malloc(room);
    if (joined) {
        snprintf(joined, room, "%.*s%s", (int)length, path, name);
    }
    return joined;
}

/* The name of the file that a path leads to, symbolic links followed, whether it exists or not;
 * free() it. NULL: see errno. */
static char *follow_links(const char *path) {
    char text[LINK_BYTES];
    char *name = strdup(path);
    for (int i = 0; name; i++) {
        ssize_t length = readlink(name, text, sizeof text - 1);
        if (length < 0) {
            return name; /* not a link */
        }
        text[length] = '\0';
        char *next = i < LINKS_MAX ? text[0] == '/' ? strdup(text) : beside(name, text) : NULL;
        errno = i < LINKS_MAX ? errno : ELOOP;
        free(name);
        name = next;
    }
    return NULL;
}

/* Give a new file the permissions and the owner of the old one; old NULL: the usual permissions. */
static void set_permissions(int descriptor, const struct stat *old) {
    mode_t mask = umask(0);
    umask(mask);
    mode_t mode = old ? old->st_mode & 07777 : 0666 & ~mask;
    if (old && fchown(descriptor, old->st_uid, old->st_gid) != 0) {
        /* only root gives files away: then the group at least, or nobody gains rights by it */
        mode = fchown(descriptor, (uid_t)-1, old->st_gid) == 0 ? mode & 01777 : mode & 01707;
    }
    fchmod(descriptor, mode);
}

/* Begin a temporary file beside the target. old: the file to replace; NULL: there is none. */
static bool open_temporary(const char *path, const struct stat *old, OutputFile *file) {
    file->target = follow_links(path);
    file->temporary = file->target ? beside(file->target, ".carom-XXXXXX") : NULL;
    int descriptor = file->temporary ? cleanup_make_file(file->temporary) : -1;
    if (descriptor >= 0) {
        set_permissions(descriptor, old);
        file->stream = fdopen(descriptor, "wb");
        if (!file->stream) {
            close(descriptor);
            cleanup_remove_file(file->temporary);
        }
    }
    return file->stream != NULL;
}

static bool is_standard_output(const struct stat *about) {
    struct stat output;
    return fstat(STDOUT_FILENO, &output) == 0 && output.st_dev == about->st_dev &&
           output.st_ino == about->st_ino;
}

/* A device, a pipe, or the file that standard output writes to. */
static bool open_directly(const char *path, const struct stat *about, OutputFile *file) {
    if (!is_standard_output(about)) {
        file->stream = fopen(path, "wb");
        return file->stream != NULL;
    }
    fflush(stdout);
    int descriptor = dup(STDOUT_FILENO);
    file->stream = descriptor >= 0 ? fdopen(descriptor, "wb") : NULL;
    return file->stream != NULL;
}

/* Open the stream; *error is set or errno. */
static bool open_stream(const char *path, OutputFile *file, Error *error) {
    struct stat about;
    if (stat(path, &about) != 0) {
        return open_temporary(path, NULL, file);
    }
    if (S_ISDIR(about.st_mode)) {
        errno = EISDIR;
        return false;
    }
    if (!S_ISREG(about.st_mode) || is_standard_output(&about)) {
        return open_directly(path, &about, file);
    }
    /* a file that must not be written must not be replaced either */
    return used_files_allow(&about, error) && faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0 &&
           (open_temporary(path, &about, file) ||
            error_set(error, "no file can be made beside it: %s", strerror(errno)));
}

static void release(OutputFile *file) {
    free(file->target);
    free(file->temporary);
    *file = (OutputFile){0};
}

bool output_file_begin(const char *path, OutputFile *file, Error *error) {
    *file = (OutputFile){0};
    *error = (Error){""};
    if (!open_stream(path, file, error)) {
        if (!error->text[0]) {
            error_set(error, "%s", strerror(errno));
        }
        release(file);
        return false;
    }
    return true;
}

/* Bytes after which the disk is asked to begin: some milliseconds of its time. */
enum { WAITING_MOST = 8 << 20 };

bool output_file_append(OutputFile *file, const char *bytes, size_t length) {
    if (fwrite(bytes, 1, length, file->stream) != length) {
        return false;
    }
    file->waiting += length;
#ifdef SYNC_FILE_RANGE_WRITE
    if (file->temporary && file->waiting >= WAITING_MOST) {
        sync_file_range(fileno(file->stream), 0, 0, SYNC_FILE_RANGE_WRITE);
        file->waiting = 0;
    }
#endif
    return true;
}

bool output_stream_flush(FILE *stream) {
    if (!ferror(stream)) {
        return fflush(stream) == 0;
    }
    /* ask for the reason again: errno may be that of a later call */
    if (write(fileno(stream), "\n", 1) == 1) {
        errno = EIO;
    }
    return false;
}

/* Flush everything to disk and rename the file. */
static bool commit(const OutputFile *file) {
    return output_stream_flush(file->stream) &&
           (!file->temporary ||
            (fsync(fileno(file->stream)) == 0 && rename(file->temporary, file->target) == 0));
}

bool output_file_finish(OutputFile *file, Error *error) {
    struct stat about;
    if (!commit(file)) {
        error_set(error, "%s", strerror(errno));
        output_file_drop(file);
        return false;
    }
    if (file->temporary) {
        cleanup_forget_file(file->temporary);
        if (fstat(fileno(file->stream), &about) == 0) {
            used_files_note_output(&about);
        }
    }
    fclose(file->stream);
    release(file);
    return true;
}

void output_file_drop(OutputFile *file) {
    if (file->temporary) {
        cleanup_remove_file(file->temporary);
    }
    fclose(file->stream);
    release(file);
}

bool output_file_write(const char *path, OutputWriter *write, const void *data, Error *error) {
    OutputFile file;
    if (!output_file_begin(path, &file, error)) {
        return false;
    }
    write(file.stream, data);
    return output_file_finish(&file, error);
}

static bool make_one(const char *path, Error *error) {
    struct stat about;
    int reason = mkdir(path, 0777) == 0 ? 0 : errno;
    if (reason == 0 || (stat(path, &about) == 0 && S_ISDIR(about.st_mode))) {
        return true;
    }
    return error_set(error, "%s", reason == EEXIST ? "is not a directory" : strerror(reason));
}

bool output_directory_make(const char *path, Error *error) {
    char *part = strdup(path);
    if (!part) {
        return error_set(error, "out of memory");
    }
    bool good = true;
    for (char *slash = strchr(part + (part[0] == '/'), '/'); good && slash;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        good = make_one(part, error);
        *slash = '/';
    }
    good = good && make_one(path, error);
    free(part);
    return good;
}
