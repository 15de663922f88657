/* The pictures of a figure: a common preamble and the figure's commands, for each file format. */
#include "figures/sheet_picture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "picture/gnuplot.h"
#include "picture/picture.h"
#include "plot/plot.h"

/* Colours of Okabe and Ito. */
static const char linetypes[] = "set linetype 1 lc rgb '#0072B2' lw 2 dt solid\n"
                                "set linetype 2 lc rgb '#D55E00' lw 2 dt (9,4)\n"
                                "set linetype 3 lc rgb '#009E73' lw 2 dt (12,4,2,4)\n"
                                "set linetype 4 lc rgb '#CC79A7' lw 2.6 dt (3,3)\n"
                                "set linetype 5 lc rgb '#E69F00' lw 2 dt (16,5)\n"
                                "set linetype 6 lc rgb '#56B4E9' lw 2 dt (9,3,2,3,2,3)\n"
                                "set linetype 7 lc rgb '#000000' lw 1.2 dt solid\n"
                                "set linetype 8 lc rgb '#888888' lw 0.8 dt solid\n";

/* "jw-4a.svg", "jw-4a-energy.svg"; NULL: out of memory. */
static char *file_name(const FigureSheet *sheet, const char *name, const char *extension) {
    size_t size = strlen(sheet->figure->id) + strlen(name) + strlen(extension) + 2;
    char *file = malloc(size);
    if (file) {
        snprintf(file, size, "%s%s%s%s", sheet->figure->id, name[0] ? "-" : "", name, extension);
    }
    return file;
}

/* A new picture; NULL: out of memory. */
static FigurePicture *add_picture(FigureSheet *sheet, const char *name, const char *title) {
    if (sheet->picture_count == sheet->picture_room) {
        int room = 2 * sheet->picture_room + 4;
        FigurePicture *grown = realloc(sheet->pictures, (size_t)room * sizeof *grown);
        if (!grown) {
            return NULL;
        }
        sheet->pictures = grown;
        sheet->picture_room = room;
    }
    FigurePicture *picture = &sheet->pictures[sheet->picture_count++];
    *picture = (FigurePicture){.file = file_name(sheet, name, ".svg"), .title = strdup(title)};
    return picture->file && picture->title ? picture : NULL;
}

FILE *figure_picture_begin(FigureSheet *sheet, const char *name, const char *title, int width,
                           int height) {
    FigurePicture *picture = sheet->script ? NULL : add_picture(sheet, name, title);
    if (!picture) {
        figure_fail(sheet, "%s", sheet->script ? "two pictures at once" : "out of memory");
        return NULL;
    }
    picture->width = width;
    picture->height = height;
    sheet->script = tmpfile();
    if (!sheet->script) {
        figure_fail(sheet, "temporary file: %s", strerror(errno));
    }
    return sheet->script;
}

static bool copy_file(FILE *from, FILE *to) {
    char block[4096];
    size_t size;
    rewind(from);
    while ((size = fread(block, 1, sizeof block, from)) > 0) {
        fwrite(block, 1, size, to);
    }
    return !ferror(from) && !ferror(to);
}

static void write_preamble(const FigurePicture *picture, const PictureFormat *format,
                           FILE *script) {
    picture_begin(format, picture->width, picture->height, script);
    fprintf(script, "point = %g\nset border 31 lw 0.8\nset tics nomirror\n%spicture_title = ",
            format->point, linetypes);
    gnuplot_text(script, picture->title);
    fputs("\nset title picture_title noenhanced\n", script);
}

/* Draw the figure's commands into a file of the gallery. */
static bool draw(FigureSheet *sheet, const FigurePicture *picture, const char *path) {
    FILE *script = tmpfile();
    if (!script) {
        return figure_fail(sheet, "temporary file: %s", strerror(errno));
    }
    Error error;
    write_preamble(picture, picture_format(path), script);
    if (!copy_file(sheet->script, script)) {
        figure_fail(sheet, "temporary file: %s", strerror(errno));
    } else if (!picture_write(path, script, picture->title, picture->description, &error)) {
        figure_fail(sheet, "%s: %.600s", picture->file, error.text);
    }
    fclose(script);
    return !sheet->failed;
}

static bool draw_scene(FigureSheet *sheet, const Scene *scene, const char *kind, const char *path) {
    Error error;
    return plot_draw(scene, "-", kind, path, &error) == 0 || figure_fail(sheet, "%s", error.text);
}

/* Draw the scene, or if it is NULL the commands, in the format of an extension. */
static bool draw_as(FigureSheet *sheet, const FigurePicture *picture, const Scene *scene,
                    const char *kind, const char *extension) {
    size_t stem = strlen(picture->file) - strlen(".svg");
    size_t size = strlen(sheet->directory) + stem + strlen(extension) + 2;
    char *path = malloc(size);
    if (!path) {
        return figure_fail(sheet, "out of memory");
    }
    snprintf(path, size, "%s/%.*s%s", sheet->directory, (int)stem, picture->file, extension);
    bool good = scene ? draw_scene(sheet, scene, kind, path) : draw(sheet, picture, path);
    free(path);
    return good;
}

static bool draw_all(FigureSheet *sheet, FigurePicture *picture, const Scene *scene,
                     const char *kind, const char *description) {
    picture->description = strdup(description);
    if (!picture->description) {
        return figure_fail(sheet, "out of memory");
    }
    return !sheet->failed && draw_as(sheet, picture, scene, kind, ".svg") &&
           (!sheet->png || draw_as(sheet, picture, scene, kind, ".png"));
}

bool figure_picture_end(FigureSheet *sheet, const char *description) {
    if (!sheet->script) {
        return figure_fail(sheet, "a picture was ended and not begun");
    }
    FigurePicture *picture = &sheet->pictures[sheet->picture_count - 1];
    bool good = draw_all(sheet, picture, NULL, NULL, description);
    fclose(sheet->script);
    sheet->script = NULL;
    return good;
}

bool figure_picture_scene(FigureSheet *sheet, const char *name, const Scene *scene,
                          const char *kind, const char *description) {
    FigurePicture *picture = add_picture(sheet, name, scene->name);
    if (!picture) {
        return figure_fail(sheet, "out of memory");
    }
    picture->width = 720; /* as carom plot draws */
    picture->height = 860;
    return draw_all(sheet, picture, scene, kind, description);
}
