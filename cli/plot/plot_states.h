/* A timeline of several contacts: which of them act, and how. */
#ifndef CAROM_CLI_PLOT_PLOT_STATES_H
#define CAROM_CLI_PLOT_PLOT_STATES_H

#include "plot/plot_run.h"

PlotDraw plot_states;

/* Height of the panel, at most most. */
int plot_states_height(int contacts, int most);

#endif
