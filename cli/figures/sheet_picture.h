/* The pictures of a figure. */
#ifndef CAROM_CLI_FIGURES_SHEET_PICTURE_H
#define CAROM_CLI_FIGURES_SHEET_PICTURE_H

#include "figures/sheet.h"
#include "scene/scene.h"

/* Begin a picture: write gnuplot commands to the stream until figure_picture_end(). NULL: no
 * temporary file, and the figure has failed. name distinguishes the pictures of a figure ("": the
 * only one). title is also in the gnuplot string picture_title, for multiplot. Size in pixels of
 * the SVG.
 *
 * Set already: terminal, encoding, title, the number point (size of a visible point), and linetypes
 * 1 to 8 that differ in colour and dash: 1 blue, 2 vermilion, 3 green, 4 purple, 5 orange, 6 sky
 * blue, 7 black, 8 thin and grey for the background. Text with _ or ^ needs "noenhanced". */
FILE *figure_picture_begin(FigureSheet *sheet, const char *name, const char *title, int width,
                           int height);

/* Draw it with gnuplot. description: the picture in words. */
bool figure_picture_end(FigureSheet *sheet, const char *description);

/* A picture of a scene by carom plot, under the scene's name; kind as --kind takes it. */
bool figure_picture_scene(FigureSheet *sheet, const char *name, const Scene *scene,
                          const char *kind, const char *description);

#endif
