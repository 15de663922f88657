/* From gnuplot's commands to a picture in its place. */
#include "picture.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gnuplot.h"
#include "svg.h"

static const PictureFormat formats[] = {
    {".svg", "svg size 720,860 background '#ffffff' font 'sans-serif,13.5' fixed", 0.68},
    {".png",
     "pngcairo size 1080,1290 fontscale 1.5 linewidth 1.5 pointscale 1.5 font 'sans,10' "
     "background '#ffffff'",
     1},
    {".pdf", "pdfcairo size 6in,7.167in font 'sans,11' background '#ffffff'", 1}};

const PictureFormat *picture_format(const char *path) {
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof formats / sizeof *formats; i++) {
        if (strcasecmp(dot, formats[i].extension) == 0) {
            return &formats[i];
        }
    }
    return NULL;
}

/* What is being drawn: the commands, and the words for an SVG. */
typedef struct Drawing {
    const char *path;
    FILE *script;
    const char *title, *description;
} Drawing;

/* Run gnuplot into the open temporary file, and give an SVG its own title and description. */
static bool draw(const Drawing *drawing, const char *temporary, int file, char *why, size_t size) {
    struct stat written;
    if (!gnuplot_run(drawing->script, file, why, size)) {
        return false;
    }
    if (fstat(file, &written) != 0 || written.st_size == 0) {
        snprintf(why, size, "gnuplot wrote nothing");
        return false;
    }
    bool svg = strcmp(picture_format(drawing->path)->extension, ".svg") == 0;
    if (svg && !svg_describe(temporary, drawing->title, drawing->description)) {
        snprintf(why, size, "%s: not the SVG that was expected from gnuplot", temporary);
        return false;
    }
    return true;
}

static PictureStatus write_beside(const Drawing *drawing, char *temporary, char *why, size_t size) {
    int file = mkstemp(temporary);
    if (file < 0) {
        snprintf(why, size, "%s", strerror(errno));
        return PICTURE_NOT_OPENED;
    }
    mode_t mask = umask(0);
    umask(mask);
    fchmod(file, 0666 & ~mask); /* mkstemp() lets only the owner read */
    PictureStatus status = PICTURE_WRITTEN;
    if (!draw(drawing, temporary, file, why, size)) {
        status = PICTURE_NOT_DRAWN;
    } else if (fsync(file) != 0 || rename(temporary, drawing->path) != 0) {
        snprintf(why, size, "%s", strerror(errno));
        status = PICTURE_NOT_KEPT;
    }
    close(file);
    if (status != PICTURE_WRITTEN) {
        unlink(temporary);
    }
    return status;
}

PictureStatus picture_write(const char *path, FILE *script, const char *title,
                            const char *description, char *why, size_t size) {
    Drawing drawing = {path, script, title, description};
    size_t room = strlen(path) + sizeof ".XXXXXX";
    char *temporary = malloc(room);
    if (!temporary) {
        snprintf(why, size, "out of memory");
        return PICTURE_NOT_OPENED;
    }
    snprintf(temporary, room, "%s.XXXXXX", path);
    PictureStatus status = write_beside(&drawing, temporary, why, size);
    free(temporary);
    return status;
}
