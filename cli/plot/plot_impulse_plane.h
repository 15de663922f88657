/* Impulse planes: of one planar contact, and of two contacts. */
#ifndef CAROM_CLI_PLOT_PLOT_IMPULSE_PLANE_H
#define CAROM_CLI_PLOT_PLOT_IMPULSE_PLANE_H

#include "plot/plot_run.h"

/* Planar: (I_t, I_n). Pair: the normal impulses of two contacts. */
PlotDraw plot_impulse_planar, plot_impulse_pair;

#endif
