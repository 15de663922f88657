/* Pictures of a scene's impact, for pages that show them. */
#ifndef CAROM_CLI_PLOT_H
#define CAROM_CLI_PLOT_H

#include <stdbool.h>
#include <stddef.h>

#include "scene/scene.h"

/* A kind of picture. All constant texts. */
typedef struct PlotKind {
    const char *name;        /* as --kind takes it */
    const char *title;       /* what it shows, in a few words */
    const char *explanation; /* how to read it, in a sentence or two */
} PlotKind;

/* As many kinds as a scene can have. */
enum { PLOT_KINDS_MAX = 5 };

/* The kinds that a scene can be drawn in, the default one first; answers how many. */
size_t plot_kinds_of(const Scene *scene, PlotKind kinds[PLOT_KINDS_MAX]);

/* Solve the scene and draw it into a file, whose ending (.svg, .png or .pdf) says the format.
 * source_name: the scene's file ("-": standard input), which stands over the picture where the
 * scene has no name. kind: one of plot_kinds_of(); NULL: the default. False: why (size > 0) says
 * it, and a file that was there before is untouched. */
bool plot_draw(const Scene *scene, const char *source_name, const char *kind, const char *path,
               char *why, size_t size);

/* A picture in memory. Owns both texts. */
typedef struct PlotPicture {
    char *svg;
    size_t size;
    char *description; /* what is to be seen, for those who cannot see it */
} PlotPicture;

/* As plot_draw(), as SVG into memory, of a scene that is solved and sampled. On failure *picture is
 * all zero. End with plot_picture_free(). */
struct PlotRun;
bool plot_draw_svg(const struct PlotRun *run, const char *source_name, const char *kind,
                   PlotPicture *picture, char *why, size_t size);
void plot_picture_free(PlotPicture *picture);

#endif
