/* Energies over the clock. */
#ifndef CAROM_CLI_PLOT_PLOT_ENERGY_H
#define CAROM_CLI_PLOT_PLOT_ENERGY_H

#include "plot/plot_run.h"

PlotDraw plot_energy;

#endif
