/* The process of an impact as rows to draw: samples at equal steps of the clock, and a row at every
 * event, so that corners are exact. */
#ifndef CAROM_CLI_PLOT_PLOT_RUN_H
#define CAROM_CLI_PLOT_PLOT_RUN_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "base/words.h"
#include "solve/solution.h"

enum { PLOT_MODE_UNKNOWN = 255 };

/* Owns its arrays. n contacts; vectors are (t1, t2, n), in a planar run (t, 0, n).
 * The clock is the normal impulse so far, of all contacts together. */
typedef struct PlotRun {
    const Scene *scene; /* the caller's */
    Solution solution;
    bool borrowed; /* the solution is the caller's */
    bool planar, compliant;
    int contacts; /* n */
    int row_count;
    double *clock;    /* a number per row */
    double *impulse;  /* 3n per row: so far */
    double *velocity; /* 3n per row: of the contacts */
    double *stored;   /* n per row: normal energy; two rows where it drops */
    double *held;     /* n per row: energy of the tangential spring; rigid: 0 */
    double *lost;     /* a number per row: normal energy that events have taken away so far */
    /* n per row: CaromMode of the contact, PLOT_MODE_UNKNOWN in the row of an event */
    unsigned char *mode;
    double *event_clock; /* a number per event of the solution */
} PlotRun;

/* Sample the scene. solved: its solution, which must stay valid; it is used if it is exact and
 * complete. Otherwise, or if NULL, the scene is solved again. On failure *run is all zero. */
CaromStatus plot_run_make(const Scene *scene, const Solution *solved, PlotRun *run, Error *error);

void plot_run_free(PlotRun *run);

/* Impulse and velocity of a contact in a row. */
const double *plot_run_impulse(const PlotRun *run, int row, int contact);
const double *plot_run_velocity(const PlotRun *run, int row, int contact);

/* The velocity of a contact before the impact, and its normal impulse at the end. */
void plot_run_start(const PlotRun *run, int contact, double v[3]);
double plot_run_total(const PlotRun *run, int contact);

/* Resolution of a picture, as a part of a panel's side: a quarter of a pixel in the finest format.
 */
#define PLOT_GRAIN (1.0 / 4000)

/* The next row to draw over the clock: the last one within a pixel of this row, or else the
 * following one. row_count: none. */
int plot_run_next(const PlotRun *run, int row);

/* As plot_run_next(), for a curve: the farthest row to which a straight line deviates from the rows
 * between by at most grain. values: the component of the first row, in impulse or velocity. */
int plot_run_next_bend(const PlotRun *run, const double *values, double grain, int row);

/* The clock at the end. */
double plot_run_end(const PlotRun *run);

/* Is an event marked? If a contact changes between stick and slip, or bounces, too often, only its
 * first events are. */
bool plot_run_shows(const PlotRun *run, int event);

/* A unit for the label of an axis. */
Words plot_unit(const PlotRun *run, UnitKind kind);

/* The name of a contact: its index, and its bodies if the scene has them; cut to columns. */
Words plot_contact_name(const PlotRun *run, int contact, int columns);

/* The contacts that a picture with this many places shows: all, or those with the largest normal
 * impulses, in order. Returns their number. */
int plot_choose_contacts(const PlotRun *run, int places, int *chosen);

/* Draw a run: write gnuplot commands (all but terminal and title) to script, and a description in
 * words to description. Set already: the title; the variables point (size of a point), small (a
 * font), bottom and top (of the panel on the page); margins for one panel with the legend below. */
typedef void PlotDraw(const PlotRun *run, FILE *script, FILE *description);

#endif
