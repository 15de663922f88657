/* Contact velocities over the clock. */
#ifndef CAROM_CLI_PLOT_PLOT_VELOCITY_H
#define CAROM_CLI_PLOT_PLOT_VELOCITY_H

#include "plot/plot_run.h"

PlotDraw plot_velocity;

#endif
