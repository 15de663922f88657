/* The hodograph: contact velocities in the tangent plane, or (v_t, v_n) if planar. */
#ifndef CAROM_CLI_PLOT_PLOT_HODOGRAPH_H
#define CAROM_CLI_PLOT_PLOT_HODOGRAPH_H

#include "plot/plot_run.h"

PlotDraw plot_hodograph;

#endif
