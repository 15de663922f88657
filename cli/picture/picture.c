/* Pictures drawn by gnuplot. */
#include "picture/picture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/text.h"
#include "io/html.h"
#include "io/output_file.h"
#include "picture/gnuplot.h"

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

void picture_begin(const PictureFormat *format, int width, int height, FILE *script) {
    fprintf(script, "set encoding utf8\nset terminal %s size %.6g%s,%.6g%s %s\n", format->device,
            format->unit * width, format->unit_name, format->unit * height, format->unit_name,
            format->settings);
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

/* The output of gnuplot and a final zero; NULL: see *error. */
static char *read_drawn(FILE *file, size_t *length, Error *error) {
    off_t end = lseek(fileno(file), 0, SEEK_END);
    *length = end > 0 ? (size_t)end : 0;
    if (*length == 0) {
        error_set(error, "gnuplot wrote nothing");
        return NULL;
    }
    char *bytes = malloc(*length + 1);
    rewind(file);
    if (!bytes || fread(bytes, 1, *length, file) != *length) {
        error_set(error, "temporary file: %s", strerror(errno));
        free(bytes);
        return NULL;
    }
    bytes[*length] = '\0';
    return bytes;
}

/* The SVG with another title and description in place of those of gnuplot, marked as an image that
 * has them as its name. free() it; NULL: they are not there, or out of memory. */
static char *describe(const char *svg, const char *title, const char *description, size_t *size) {
    const char *tag = strstr(svg, "<svg"), *old = tag ? strstr(tag, "<title>") : NULL;
    const char *rest = old ? strstr(old, "</desc>") : NULL;
    char *text = NULL;
    FILE *file = rest ? open_memstream(&text, size) : NULL;
    if (!file) {
        return NULL;
    }
    const char *attributes = tag + strlen("<svg");
    fwrite(svg, 1, (size_t)(attributes - svg), file);
    fputs(" role=\"img\" aria-labelledby=\"carom_title carom_desc\"", file);
    fwrite(attributes, 1, (size_t)(old - attributes), file);
    fputs("<title id=\"carom_title\">", file);
    html_text(file, title);
    fputs("</title>\n<desc id=\"carom_desc\">", file);
    html_text(file, description);
    fputs(rest, file);
    if (fclose(file) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

char *picture_draw(const PictureFormat *format, FILE *script, const char *title,
                   const char *description, size_t *length, Error *error) {
    FILE *file = tmpfile();
    if (!file) {
        error_set(error, "temporary file: %s", strerror(errno));
        return NULL;
    }
    char *bytes = gnuplot_run(script, fileno(file), error) ? read_drawn(file, length, error) : NULL;
    fclose(file);
    if (bytes && strcmp(format->extension, ".svg") == 0) {
        char *described = describe(bytes, title, description, length);
        free(bytes);
        bytes = described;
        if (!bytes) {
            error_set(error, "not the SVG that was expected from gnuplot");
        }
    }
    return bytes;
}

bool picture_write(const char *path, FILE *script, const char *title, const char *description,
                   Error *error) {
    OutputFile file;
    Error why;
    size_t length;
    /* before drawing, check that the file can be written */
    if (!output_file_begin(path, &file, &why)) {
        return error_set(error, "%s: cannot be written: %s", path, why.text);
    }
    char *bytes = picture_draw(picture_format(path), script, title, description, &length, error);
    if (!bytes) {
        output_file_drop(&file);
        return false;
    }
    fwrite(bytes, 1, length, file.stream);
    free(bytes);
    return output_file_finish(&file, &why) ||
           error_set(error, "%s: cannot be written: %s", path, why.text);
}
