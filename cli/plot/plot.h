/* Pictures of a scene's impact. */
#ifndef CAROM_CLI_PLOT_PLOT_H
#define CAROM_CLI_PLOT_PLOT_H

#include "plot/plot_run.h"

/* A kind of picture. */
typedef struct PlotKind {
    const char *name;        /* as --kind takes it */
    const char *title;       /* in a few words */
    const char *explanation; /* how to read it, in a sentence or two */
} PlotKind;

/* Names of all kinds, ended by NULL; "outcomes" is drawn by outcomes/outcomes_plot.h and
 * "map" by vary/vary_map_plot.h. */
extern const char *const plot_kind_names[];

/* Most kinds of one scene. */
enum { PLOT_KINDS_MAX = 5 };

/* The kinds of a scene, the default first; returns their number. */
size_t plot_kinds_of(const Scene *scene, PlotKind kinds[PLOT_KINDS_MAX]);

/* Solve the scene and draw it into a file, whose extension (.svg, .png or .pdf) gives the format.
 * source_name: the scene's file ("-": standard input), the heading of a scene without a name. kind:
 * a name; NULL: the default. Returns the exit status; if it is not 0, see *error. A failure leaves
 * the old file. */
int plot_draw(const Scene *scene, const char *source_name, const char *kind, const char *path,
              Error *error);

/* A picture in memory. Owns both texts. */
typedef struct PlotPicture {
    char *svg;
    size_t size;
    char *description; /* of the picture, in words */
} PlotPicture;

/* As plot_draw(), as SVG into memory, for a scene that is already sampled. False: *picture is all
 * zero. End with plot_picture_free(). */
bool plot_draw_svg(const PlotRun *run, const char *source_name, const char *kind,
                   PlotPicture *picture, Error *error);
void plot_picture_free(PlotPicture *picture);

#endif
