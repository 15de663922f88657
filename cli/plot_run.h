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
    double E;    /* stored in the normal direction */
    double T;    /* held by the tangential spring; rigid: 0 */
    double lost; /* at the ends of compression so far, by the energetic law */
} PlotRow;

/* Owns rows and events; the rest is by value. */
typedef struct PlotRun {
    bool planar, compliant;
    double v_before[3];
    double mu;
    CaromResult result; /* its events are those below; impulse and velocity are not asked for */
    CaromEvent *events; /* vectors as in the rows */
    int event_count;
    CaromInvariant invariants[4];
    int invariant_count; /* or CAROM_ALL_DIRECTIONS; 0 in a planar or compliant run */
    PlotRow *rows;
    int row_count;
} PlotRun;

/* Solve the scene, which has one contact, and sample it. On failure *run is all zero but for
 * result.status and result.message. */
CaromStatus plot_run_make(const Scene *scene, PlotRun *run);

void plot_run_free(PlotRun *run);

/* Is an event to be marked? All are but those of a contact that changes between stick and slip more
 * often than can be seen: then the first ones. */
bool plot_run_shows(const PlotRun *run, int event);

/* A kind of picture: write the commands that draw the run (all but terminal and title) to script,
 * and what it shows in a few sentences to description, for those who cannot see it. */
typedef void PlotDraw(const PlotRun *run, FILE *script, FILE *description);

PlotDraw plot_hodograph, plot_energy;

#endif
