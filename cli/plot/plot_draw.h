/* The kinds of pictures of a run, as commands for gnuplot. */
#ifndef CAROM_CLI_PLOT_DRAW_H
#define CAROM_CLI_PLOT_DRAW_H

#include <stdio.h>

#include "plot/plot_run.h"

/* Write the commands that draw the run (all but terminal and title) to script, and what it shows in
 * a few sentences to description, for those who cannot see it. The preamble has set the title, the
 * variables point (size of a point), small (a font), bottom and top (of the panel on the page), and
 * margins for one panel with the legend below it. */
typedef void PlotDraw(const PlotRun *run, FILE *script, FILE *description);

PlotDraw plot_hodograph, plot_energy, plot_velocity;
PlotDraw plot_impulse_space;  /* one contact in three dimensions */
PlotDraw plot_impulse_planar; /* one contact in a plane */
PlotDraw plot_impulse_pair;   /* two contacts */
PlotDraw plot_impulse_clock;  /* any number of contacts */
PlotDraw plot_states;         /* several contacts */

/* Height that a timeline of so many contacts takes, of at most so much. */
int plot_states_height(int contacts, int most);

/* As plot_draw(), but answers with the exit status of the command. */
int plot_draw_status(const Scene *scene, const char *source_name, const char *kind,
                     const char *path, char *why, size_t size);

/* Colour, dash and width of the line of the k-th of several contacts, in the words of gnuplot;
 * PLOT_STYLES of them differ. */
enum { PLOT_STYLES = 8 };
const char *plot_contact_style(int k);
const char *plot_contact_colour(int k);

/* Events as thin lines across a picture whose x axis is the clock, from 0 to end; named above the
 * frame if named is true, where those that crowd share one text. Too many of them are only counted.
 */
void plot_write_events(const PlotRun *run, double end, bool named, FILE *script);

/* A row per contact of the list from the top down, at y = 0, 1, 2 and so on, named at the left. */
enum { PLOT_ROWS = 40 };
void plot_write_rows(const PlotRun *run, const int *contacts, int count, FILE *script);

/* Say so if there are more contacts than rows. */
void plot_write_left_out(const PlotRun *run, FILE *script);

/* What the x axis is called where it is the clock. */
const char *plot_clock_label(const PlotRun *run);

/* A panel of a picture with several: from where to where it is, in parts of the only one's height.
 */
void plot_write_panel(double low, double high, FILE *script);

#endif
