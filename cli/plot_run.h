/* The process of one impact as rows to be drawn: equal steps of the clock, with a row at every
 * event between them, so that no corner is cut. */
#ifndef CAROM_CLI_PLOT_RUN_H
#define CAROM_CLI_PLOT_RUN_H

#include <stdbool.h>
#include <stdio.h>

#include "scene.h"

/* Vectors are (t1, t2, n), in a planar run (t, n, 0). */
typedef struct PlotRow {
    double p;    /* the clock: normal impulse so far */
    double I[3]; /* impulse so far */
    double v[3]; /* contact velocity */
    double E;    /* stored energy */
} PlotRow;

/* Owns rows; the rest is by value. */
typedef struct PlotRun {
    bool planar;
    double v_before[3];
    double mu;
    CaromResult result; /* its arrays are those below; impulse and velocity are not asked for */
    CaromEvent events[CAROM_RIGID_EVENTS]; /* vectors as in the rows */
    int event_count;                       /* of those stored */
    CaromInvariant invariants[4];
    int invariant_count; /* or CAROM_ALL_DIRECTIONS; 0 in a planar run */
    PlotRow *rows;
    int row_count;
} PlotRun;

/* Solve the scene, which has one rigid contact, and sample it. On failure *run is all zero but for
 * result.status and result.message. */
CaromStatus plot_run_make(const Scene *scene, PlotRun *run);

void plot_run_free(PlotRun *run);

/* A kind of picture: write the commands that draw the run (all but terminal and title) to script,
 * and what it shows in a few sentences to description, for those who cannot see it. */
typedef void PlotDraw(const PlotRun *run, FILE *script, FILE *description);

PlotDraw plot_hodograph, plot_energy;

#endif
