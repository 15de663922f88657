/* Output files. */
#include "io/output_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A link, a device or a pipe, which must not be replaced by a file. */
static bool is_special(const char *path) {
    struct stat about;
    return lstat(path, &about) == 0 && !S_ISREG(about.st_mode);
}

/* A new file with the usual permissions; NULL: see errno. */
static FILE *open_temporary(char *name) {
    int descriptor = mkstemp(name);
    if (descriptor < 0) {
        return NULL;
    }
    mode_t mask = umask(0);
    umask(mask);
    fchmod(descriptor, 0666 & ~mask); /* mkstemp() lets only the owner read */
    FILE *stream = fdopen(descriptor, "wb");
    if (!stream) {
        close(descriptor);
        unlink(name);
    }
    return stream;
}

bool output_file_begin(const char *path, OutputFile *file, Error *error) {
    *file = (OutputFile){0};
    if (is_special(path)) {
        file->stream = fopen(path, "wb");
    } else {
        size_t room = strlen(path) + sizeof ".XXXXXX";
        file->temporary = malloc(room);
        if (file->temporary) {
            snprintf(file->temporary, room, "%s.XXXXXX", path);
            file->stream = open_temporary(file->temporary);
        }
    }
    if (!file->stream) {
        free(file->temporary);
        return error_set(error, "%s", strerror(errno));
    }
    errno = EIO; /* for streams that fail without setting it */
    return true;
}

/* Flush everything to disk and rename the file. */
static bool commit(const OutputFile *file, const char *path) {
    return !ferror(file->stream) && fflush(file->stream) == 0 &&
           (!file->temporary ||
            (fsync(fileno(file->stream)) == 0 && rename(file->temporary, path) == 0));
}

bool output_file_finish(OutputFile *file, const char *path, Error *error) {
    if (!commit(file, path)) {
        error_set(error, "%s", strerror(errno));
        output_file_drop(file);
        return false;
    }
    fclose(file->stream);
    free(file->temporary);
    return true;
}

void output_file_drop(OutputFile *file) {
    if (file->temporary) {
        unlink(file->temporary);
    }
    fclose(file->stream);
    free(file->temporary);
}

bool output_file_write(const char *path, OutputWriter *write, const void *data, Error *error) {
    OutputFile file;
    if (!output_file_begin(path, &file, error)) {
        return false;
    }
    write(file.stream, data);
    return output_file_finish(&file, path, error);
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
