/* The impulse of one planar contact. */
#ifndef CAROM_CLI_PLOT_IMPULSE_PLANAR_H
#define CAROM_CLI_PLOT_IMPULSE_PLANAR_H

#include "plot/plot_run.h"

PlotDraw plot_impulse_planar;

#endif
