/* The normal impulses of any number of contacts over the clock. */
#ifndef CAROM_CLI_PLOT_PLOT_IMPULSE_CLOCK_H
#define CAROM_CLI_PLOT_PLOT_IMPULSE_CLOCK_H

#include "plot/plot_run.h"

PlotDraw plot_impulse_clock;

#endif
