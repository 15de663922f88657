/* The process of an impact as rows to be drawn: equal steps of the clock, with rows at every event
 * between them, so that no corner is cut. */
#ifndef CAROM_CLI_PLOT_RUN_H
#define CAROM_CLI_PLOT_RUN_H

#include <stdbool.h>
#include <stdio.h>

#include "scene/scene.h"
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
    double *stored;   /* n per row: normal energy; before and after it falls there are two rows */
    double *held;     /* n per row: energy of the tangential spring; rigid: 0 */
    double *lost;     /* a number per row: normal energy that events have taken away so far */
    /* n per row: CaromMode of the contact, PLOT_MODE_UNKNOWN in the row of an event */
    unsigned char *mode;
    double *event_clock; /* a number per event of the solution */
} PlotRun;

/* Sample the scene. solved: its solution where there is one, which must stay; it is of use if it is
 * exact and complete, and else (or if NULL) the scene is solved again. On failure *run is all zero
 * and why (size > 0) says it. */
CaromStatus plot_run_make(const Scene *scene, const Solution *solved, PlotRun *run, char *why,
                          size_t size);

void plot_run_free(PlotRun *run);

/* Impulse and velocity of a contact in a row. */
const double *plot_run_impulse(const PlotRun *run, int row, int contact);
const double *plot_run_velocity(const PlotRun *run, int row, int contact);

/* The velocity of a contact before the impact, and its normal impulse in the end. */
void plot_run_start(const PlotRun *run, int contact, double v[3]);
double plot_run_total(const PlotRun *run, int contact);

/* What is smaller cannot be seen and need not be drawn, as a part of a panel's side: a quarter of a
 * pixel of the finest picture, where smooth curves still look smooth. */
#define PLOT_GRAIN (1.0 / 4000)

/* The next row to be drawn after a row: the last one within a pixel of it on an axis of the clock,
 * or else the one behind it. row_count: there is none. */
int plot_run_next(const PlotRun *run, int row);

/* As plot_run_next(), for a curve over the clock: the farthest row to which it can go straight
 * without leaving a value of a row between by more than grain. values: those of the first row, in
 * impulse or velocity. */
int plot_run_next_bend(const PlotRun *run, const double *values, double grain, int row);

/* The clock in the end. */
double plot_run_end(const PlotRun *run);

/* Is an event to be marked? All are but those of contacts that change between stick and slip, or
 * bounce, more often than can be seen: then the first ones. */
bool plot_run_shows(const PlotRun *run, int event);

/* There is a contact with friction. */
bool plot_has_friction(const Scene *scene);

/* What a contact is called: its index, and its bodies where the scene names them; columns at most.
 */
void plot_contact_name(const PlotRun *run, int contact, int columns, char *name, size_t size);

/* The contacts that a picture with so many places shows: all, or those with the largest normal
 * impulses; in order. Answers how many. */
int plot_choose_contacts(const PlotRun *run, int places, int *chosen);

#endif
