/* Figures and tables of the papers, computed again.
 *
 * A figure computes what the paper shows with the library, draws it with gnuplot (one picture or
 * several), and lists the numbers that the paper prints beside the computed ones. Each paper has
 * its own files; the gallery (gallery.c) shows what they give.
 *
 * A printed number agrees with the computed one if they differ by at most one unit of its last
 * digit: half a unit for what was rounded, one for what was cut off. */
#ifndef CAROM_CLI_FIGURES_FIGURE_H
#define CAROM_CLI_FIGURES_FIGURE_H

#include <stdbool.h>
#include <stdio.h>

/* What a figure is being drawn into; opaque to the figures. */
typedef struct FigureSheet FigureSheet;

/* One figure or table. */
typedef struct Figure {
    const char *id;      /* of files and anchors: "jw-4a", "jme-table1" */
    const char *paper;   /* "JW", "JME", "J" or "M" */
    const char *label;   /* as the paper calls it: "Fig. 4(a)" */
    const char *title;   /* in a few words, our own */
    const char *caption; /* what is to be seen, in a few sentences, our own */
    /* Compute and draw. False: something could not be computed or drawn, and figure_fail() has
     * said what. */
    bool (*make)(FigureSheet *sheet);
} Figure;

/* The figures of a paper, in its order, ended by one without an id. */
extern const Figure figures_jw[], figures_j[], figures_jme[], figures_m[];

/* The figure's id, for a function that makes several. */
const char *figure_id(const FigureSheet *sheet);

/* A number that the paper prints, as it is printed ("0.0436", "1.2e-4": its digits say how well it
 * must agree; NULL: the paper does not print it), beside the computed one. erratum: NULL, or why
 * the printed one is wrong, in one sentence; then it must not agree. note: NULL, or what is to be
 * known about it, e.g. "read off the drawing" (then printed carries as many digits as could be
 * read). Texts are plain UTF-8 and are copied. A name occurs once in a group. */
void figure_value(FigureSheet *sheet, const char *name, const char *printed, double computed,
                  const char *erratum, const char *note);

/* As figure_value() for a count, which agrees only if it is the same. */
void figure_count(FigureSheet *sheet, const char *name, const char *printed, long computed,
                  const char *erratum, const char *note);

/* As figure_value() for words, e.g. a sequence of events; they agree if they are the same. */
void figure_words(FigureSheet *sheet, const char *name, const char *printed, const char *computed,
                  const char *erratum, const char *note);

/* As figure_value() for what depends on the machine, such as a time: shown, but not judged. */
void figure_measured(FigureSheet *sheet, const char *name, const char *printed, double computed,
                     const char *note);

/* The values from here on belong together, e.g. to a row of a table, under this heading. */
void figure_group(FigureSheet *sheet, const char *heading);

/* Begin a picture of the figure: gnuplot commands go to the answer until figure_picture_end().
 * NULL: there is no temporary file; the figure has failed. name tells the pictures of one figure
 * apart ("": the only one). title stands over the picture (it is in the string picture_title as
 * well, for multiplot). Size in pixels of the SVG.
 *
 * Set already: terminal, encoding, title, the number point (size of a point that is seen), and
 * linetypes 1 to 8, each with its own colour and dash, to be told apart without colours: 1 blue, 2
 * vermilion, 3 green, 4 purple, 5 orange, 6 sky blue, 7 black, 8 thin and grey for what is in the
 * background. Say "noenhanced" for text with _ or ^ in it. */
FILE *figure_picture_begin(FigureSheet *sheet, const char *name, const char *title, int width,
                           int height);

/* Let gnuplot draw it; description says what is to be seen, for those who cannot see it. */
bool figure_picture_end(FigureSheet *sheet, const char *description);

/* A picture of a scene as carom plot draws it; kind as --kind takes it (NULL: the default). The
 * scene's name stands over it. */
struct Scene;
bool figure_picture_scene(FigureSheet *sheet, const char *name, const struct Scene *scene,
                          const char *kind, const char *description);

/* Say why the figure cannot be made. Answers false. */
__attribute__((format(printf, 2, 3))) bool figure_fail(FigureSheet *sheet, const char *format, ...);

#endif
