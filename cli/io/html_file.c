/* Pages as files. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "io/html.h"
#include "io/output_file.h"

bool html_write(const char *path, HtmlPage *page, const void *data, char *why, size_t size) {
    OutputFile file;
    if (!output_file_begin(path, &file, why, size)) {
        return false;
    }
    page(file.stream, data);
    return output_file_finish(&file, path, why, size);
}

static bool make_one(const char *path, char *why, size_t size) {
    struct stat about;
    if (mkdir(path, 0777) == 0) {
        return true;
    }
    int reason = errno;
    if (stat(path, &about) == 0 && S_ISDIR(about.st_mode)) {
        return true;
    }
    snprintf(why, size, "%s", reason == EEXIST ? "is not a directory" : strerror(reason));
    return false;
}

bool html_make_directory(const char *path, char *why, size_t size) {
    char *part = strdup(path);
    if (!part) {
        snprintf(why, size, "out of memory");
        return false;
    }
    bool good = true;
    for (char *slash = strchr(part + (part[0] == '/'), '/'); good && slash;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        good = make_one(part, why, size);
        *slash = '/';
    }
    good = good && make_one(path, why, size);
    free(part);
    return good;
}
