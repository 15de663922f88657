/* From gnuplot's commands to a picture in its place. */
#include "picture/picture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/text.h"
#include "io/output_file.h"
#include "picture/gnuplot.h"
#include "picture/svg.h"

static const PictureFormat formats[] = {
    {".svg", 0.68, "svg", "background '#ffffff' font 'sans-serif,13.5' fixed", 1, "", 13.5},
    {".png", 1, "pngcairo",
     "fontscale 1.5 linewidth 1.5 pointscale 1.5 font 'sans,10' background '#ffffff'", 1.5, "", 10},
    {".pdf", 1, "pdfcairo", "font 'sans,11' background '#ffffff'", 1.0 / 120, "in", 11}};

const PictureFormat *picture_format(const char *path) {
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof formats / sizeof *formats; i++) {
        if (strcasecmp(dot, formats[i].extension) == 0) {
            return &formats[i];
        }
    }
    return NULL;
}

void picture_terminal(const PictureFormat *format, int width, int height, char *text, size_t size) {
    snprintf(text, size, "%s size %.6g%s,%.6g%s %s", format->device, format->unit * width,
             format->unit_name, format->unit * height, format->unit_name, format->settings);
}

void picture_heading(const char *name, const char *path, char *heading, size_t size) {
    enum { COLUMNS = 56 };
    const char *slash = strrchr(path, '/');
    const char *file = strcmp(path, "-") == 0 ? "Scene" : slash ? slash + 1 : path;
    snprintf(heading, size - sizeof "...", "%s", name && name[0] ? name : file);
    text_make_plain(heading);
    if (text_width(heading) > COLUMNS) {
        text_fit(heading, COLUMNS);
        strcat(heading, "...");
    }
}

/* All that gnuplot has written, and a final zero; NULL: why says it. */
static char *read_drawn(FILE *file, size_t *length, char *why, size_t size) {
    off_t end = lseek(fileno(file), 0, SEEK_END);
    *length = end > 0 ? (size_t)end : 0;
    if (*length == 0) {
        snprintf(why, size, "gnuplot wrote nothing");
        return NULL;
    }
    char *bytes = malloc(*length + 1);
    rewind(file);
    if (!bytes || fread(bytes, 1, *length, file) != *length) {
        snprintf(why, size, "temporary file: %s", strerror(errno));
        free(bytes);
        return NULL;
    }
    bytes[*length] = '\0';
    return bytes;
}

char *picture_draw(const PictureFormat *format, FILE *script, const char *title,
                   const char *description, size_t *length, char *why, size_t size) {
    FILE *file = tmpfile();
    if (!file) {
        snprintf(why, size, "temporary file: %s", strerror(errno));
        return NULL;
    }
    char *bytes =
        gnuplot_run(script, fileno(file), why, size) ? read_drawn(file, length, why, size) : NULL;
    fclose(file);
    if (bytes && strcmp(format->extension, ".svg") == 0) {
        char *described = svg_describe(bytes, title, description, length);
        free(bytes);
        if (!described) {
            snprintf(why, size, "not the SVG that was expected from gnuplot");
        }
        return described;
    }
    return bytes;
}

PictureStatus picture_write(const char *path, FILE *script, const char *title,
                            const char *description, char *why, size_t size) {
    OutputFile file;
    size_t length;
    /* before the work of drawing, see that there can be such a file */
    if (!output_file_begin(path, &file, why, size)) {
        return PICTURE_NOT_WRITTEN;
    }
    char *bytes =
        picture_draw(picture_format(path), script, title, description, &length, why, size);
    if (!bytes) {
        output_file_drop(&file);
        return PICTURE_NOT_DRAWN;
    }
    fwrite(bytes, 1, length, file.stream);
    free(bytes);
    return output_file_finish(&file, path, why, size) ? PICTURE_WRITTEN : PICTURE_NOT_WRITTEN;
}
