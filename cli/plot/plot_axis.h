/* Common to pictures over the clock: marked events, line styles, panels. */
#ifndef CAROM_CLI_PLOT_PLOT_AXIS_H
#define CAROM_CLI_PLOT_PLOT_AXIS_H

#include "plot/plot_run.h"

/* Line style (colour, dash and width) and colour of the k-th of several contacts, as gnuplot text.
 * They repeat after PLOT_STYLES. */
enum { PLOT_STYLES = 8 };
const char *plot_contact_style(int k);
const char *plot_contact_colour(int k);

/* Events as thin vertical lines; named: also their names above the frame, where neighbours share a
 * text. end: of the clock on the x axis. If there are too many, a label only gives their number. */
void plot_write_events(const PlotRun *run, double end, bool named, FILE *script);

/* A row per contact of the list from the top down, at y = 0, 1, 2 and so on, named at the left. */
enum { PLOT_ROWS = 40 };
void plot_write_rows(const PlotRun *run, const int *contacts, int count, FILE *script);

/* A note if there are more contacts than rows. */
void plot_write_left_out(const PlotRun *run, FILE *script);

/* The label of the x axis. */
Words plot_clock_label(const PlotRun *run);

/* One of several panels: its range, in parts of the height of a single panel. */
void plot_write_panel(double low, double high, FILE *script);

#endif
