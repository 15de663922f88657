/* The impulse of one contact in three dimensions. */
#ifndef CAROM_CLI_PLOT_PLOT_IMPULSE_SPACE_H
#define CAROM_CLI_PLOT_PLOT_IMPULSE_SPACE_H

#include "plot/plot_run.h"

PlotDraw plot_impulse_space;

#endif
