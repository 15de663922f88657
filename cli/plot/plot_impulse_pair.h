/* The normal impulses of two contacts. */
#ifndef CAROM_CLI_PLOT_IMPULSE_PAIR_H
#define CAROM_CLI_PLOT_IMPULSE_PAIR_H

#include "plot/plot_run.h"

PlotDraw plot_impulse_pair;

#endif
