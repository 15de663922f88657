/* A file that takes its place only when it is complete. */
#include "io/output_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool fail(char *why, size_t size) {
    snprintf(why, size, "%s", strerror(errno));
    return false;
}

/* A link, a device or a pipe: a file that took its place would destroy it. */
static bool is_special(const char *path) {
    struct stat about;
    return lstat(path, &about) == 0 && !S_ISREG(about.st_mode);
}

/* A new file beside the path, readable as any; NULL: errno says why. */
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

bool output_file_begin(const char *path, OutputFile *file, char *why, size_t size) {
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
        fail(why, size);
        free(file->temporary);
        return false;
    }
    errno = EIO; /* should the stream not say why it failed */
    return true;
}

/* All that was written is on the disk, and in its place. */
static bool settle(const OutputFile *file, const char *path) {
    return !ferror(file->stream) && fflush(file->stream) == 0 &&
           (!file->temporary ||
            (fsync(fileno(file->stream)) == 0 && rename(file->temporary, path) == 0));
}

bool output_file_finish(OutputFile *file, const char *path, char *why, size_t size) {
    if (!settle(file, path)) {
        fail(why, size);
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
