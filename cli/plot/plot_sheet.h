/* A plane with curves, marks at events and their labels, which are put where nothing else is. The
 * legend stands below the plane and covers nothing. */
#ifndef CAROM_CLI_PLOT_SHEET_H
#define CAROM_CLI_PLOT_SHEET_H

#include <stdbool.h>
#include <stdio.h>

#include "plot/plot_run.h"

/* Okabe and Ito's colours: told apart by colour-blind readers, and, with the dashes that go with
 * them, in grey. */
#define PLOT_BLUE "#0072B2"
#define PLOT_VERMILION "#D55E00"
#define PLOT_GREEN "#009E73"
#define PLOT_PURPLE "#CC79A7"
#define PLOT_ORANGE "#E69F00"
#define PLOT_SKY "#56B4E9"
#define PLOT_GREY "#777777"

/* How the solid head of an arrow is drawn, and its length in half sides of the sheet; a shorter
 * arrow would lose its direction in rounding. */
#define PLOT_HEAD "head filled size screen 0.024,17 fixed front lw 1.5"
static const double plot_head = 0.055;

/* More marks, and more lines to keep clear of, than can be told apart; what comes later is left
 * out.
 */
enum { PLOT_MARKS_MAX = 60, PLOT_LINES_MAX = 24 };

typedef struct PlotMark {
    double x, y;
    char name[16];       /* for the label */
    const char *meaning; /* for the legend; constant */
    const char *style;   /* of the point; constant */
    const char *colour;  /* constant */
} PlotMark;

typedef struct PlotLabel {
    double x, y;   /* the point that it names */
    double tx, ty; /* where it stands */
    char text[64];
} PlotLabel;

/* A line that is drawn, as points (x, y) with a stride of numbers from one to the next. The points
 * are the caller's. */
typedef struct PlotLine {
    const double *x, *y;
    int count;
    int stride;
} PlotLine;

typedef struct PlotSheet {
    double centre[2], half[2]; /* what is shown: centre, and half the sides */
    bool axes;                 /* the axes are drawn as thin lines */
    PlotLine lines[PLOT_LINES_MAX];
    int line_count;
    PlotMark marks[PLOT_MARKS_MAX];
    int mark_count;
    PlotLabel labels[PLOT_MARKS_MAX];
    int label_count;
} PlotSheet;

void plot_sheet_line(PlotSheet *sheet, const double *x, const double *y, int count, int stride);

void plot_sheet_mark(PlotSheet *sheet, double x, double y, const char *name, const char *meaning,
                     const char *style, const char *colour);

/* What an event of a run is called and how it is marked. One contact: c, s, r; of several, the
 * contact's index follows. False: it has no mark. */
bool plot_event_mark(const PlotRun *run, const CaromEvent *event, PlotMark *mark);

/* The part of the line from (x, y) along (dx, dy), from t = low to high, that is well inside; false
 * if there is none. */
bool plot_sheet_span(const PlotSheet *sheet, const double at[2], const double along[2], double *low,
                     double *high);

/* Put a label to every place with marks; those that fall together share theirs. */
void plot_sheet_place_labels(PlotSheet *sheet);

/* The arrow of time: on the line, where it is farthest from the marks; none if all places are too
 * near. */
void plot_sheet_write_arrow(const PlotSheet *sheet, const PlotLine *line, const char *colour,
                            FILE *script);

/* The next point of the line to be drawn after a point: the last one that cannot be told from it,
 * or else the one behind it. count: there is none. */
int plot_sheet_next(const PlotSheet *sheet, const PlotLine *line, int point);

/* The ranges of the axes; equal: a unit is as long on both, and the sheet is as high as wide. */
void plot_sheet_write_ranges(const PlotSheet *sheet, bool equal, FILE *script);

/* Data of the marks ($m0 and so on) and the labels, before the plot command; and the marks in the
 * plot command, each beginning with ", ". */
void plot_sheet_write_marks(const PlotSheet *sheet, FILE *script);
void plot_sheet_plot_marks(const PlotSheet *sheet, FILE *script);

/* Entries that the marks have in the legend: one per meaning. */
int plot_sheet_meanings(const PlotSheet *sheet);

/* The marks in words: " meaning at (x, y);". */
void plot_sheet_describe_marks(const PlotSheet *sheet, FILE *description);

#endif
