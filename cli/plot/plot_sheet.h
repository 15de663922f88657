/* A plane with curves, marks at events, and labels at free places. The legend is below the plane.
 */
#ifndef CAROM_CLI_PLOT_PLOT_SHEET_H
#define CAROM_CLI_PLOT_PLOT_SHEET_H

#include <stdbool.h>
#include <stdio.h>

#include "plot/plot_run.h"

/* Okabe and Ito's colours, which colour-blind readers can distinguish; with the dashes also in
 * grey. */
#define PLOT_BLUE "#0072B2"
#define PLOT_VERMILION "#D55E00"
#define PLOT_GREEN "#009E73"
#define PLOT_PURPLE "#CC79A7"
#define PLOT_ORANGE "#E69F00"
#define PLOT_SKY "#56B4E9"
#define PLOT_GREY "#777777"

/* The label of the y axis, for a format. gnuplot would place it beside the numbers of the axis, and
 * half outside the picture if these are long. */
#define PLOT_Y_LABEL(text)                                                                         \
    "set label 98 '" text "' at screen 0.026, graph 0.5 center rotate by 90\n"

/* The solid head of an arrow, and its length in half sides of the sheet; a shorter arrow would lose
 * its direction by rounding. */
#define PLOT_HEAD "head filled size screen 0.024,17 fixed front lw 1.5"
static const double plot_head = 0.055;

/* Most marks, and most lines to keep clear of; further ones are left out. */
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

/* A line as points (x, y) at a stride of numbers. The points are the caller's. */
typedef struct PlotLine {
    const double *x, *y;
    int count;
    int stride;
} PlotLine;

typedef struct PlotSheet {
    double centre[2], half[2]; /* the window: its centre, and half its sides */
    bool axes;                 /* draw the axes */
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

/* Name and style of an event's mark. One contact: c, s, r; with several contacts followed by the
 * contact's index. False: it has no mark. */
bool plot_event_mark(const PlotRun *run, const CaromEvent *event, PlotMark *mark);

/* Clip the line from at along a direction, t = low to high, to the inside of the window. False: no
 * part is inside. */
bool plot_sheet_span(const PlotSheet *sheet, const double at[2], const double along[2], double *low,
                     double *high);

/* The visible part of the line from at along a direction, t >= low, as its ends; labels keep clear
 * of it. False: none. */
bool plot_sheet_segment(PlotSheet *sheet, const double at[2], const double along[2], double low,
                        double ends[2][2]);

/* Put a label at every place with marks; marks that fall together share a label. */
void plot_sheet_place_labels(PlotSheet *sheet);

/* The arrow of time, on the line where it is farthest from the marks; none if all places are too
 * near. */
void plot_sheet_write_arrow(const PlotSheet *sheet, const PlotLine *line, const char *colour,
                            FILE *script);

/* The next point of the line to draw: the last one within a pixel of this point, or else the
 * following one. count: none. */
int plot_sheet_next(const PlotSheet *sheet, const PlotLine *line, int point);

/* The ranges of the axes; equal: with equal scales. */
void plot_sheet_write_ranges(const PlotSheet *sheet, bool equal, FILE *script);

/* Data of the marks ($m0 and so on) and the labels, before the plot command; and the marks in the
 * plot command, each beginning with ", ". */
void plot_sheet_write_marks(const PlotSheet *sheet, FILE *script);
void plot_sheet_plot_marks(const PlotSheet *sheet, FILE *script);

/* Number of entries of the marks in the legend, one per meaning. */
int plot_sheet_meanings(const PlotSheet *sheet);

/* The marks in words: " meaning at (x, y);". */
void plot_sheet_describe_marks(const PlotSheet *sheet, FILE *description);

#endif
