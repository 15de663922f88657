/* A file that takes its place only when it is complete. */
#include "output_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool fail(char *why, size_t size) {
    snprintf(why, size, "%s", strerror(errno));
    return false;
}

bool output_file_begin(const char *path, OutputFile *file, char *why, size_t size) {
    size_t room = strlen(path) + sizeof ".XXXXXX";
    *file = (OutputFile){.temporary = malloc(room)};
    if (!file->temporary) {
        return fail(why, size);
    }
    snprintf(file->temporary, room, "%s.XXXXXX", path);
    int descriptor = mkstemp(file->temporary);
    file->stream = descriptor < 0 ? NULL : fdopen(descriptor, "wb");
    if (!file->stream) {
        fail(why, size);
        if (descriptor >= 0) {
            close(descriptor);
            unlink(file->temporary);
        }
        free(file->temporary);
        return false;
    }
    mode_t mask = umask(0);
    umask(mask);
    fchmod(descriptor, 0666 & ~mask); /* mkstemp() lets only the owner read */
    errno = EIO;                      /* should the stream not say why it failed */
    return true;
}

bool output_file_finish(OutputFile *file, const char *path, char *why, size_t size) {
    if (ferror(file->stream) || fflush(file->stream) != 0 || fsync(fileno(file->stream)) != 0 ||
        rename(file->temporary, path) != 0) {
        fail(why, size);
        output_file_drop(file);
        return false;
    }
    fclose(file->stream); /* all that it had is on the disk */
    free(file->temporary);
    return true;
}

void output_file_drop(OutputFile *file) {
    unlink(file->temporary);
    fclose(file->stream);
    free(file->temporary);
}
