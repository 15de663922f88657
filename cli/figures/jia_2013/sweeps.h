/* Figs. 14 and 15 of [J]: the ball after the impact, over one parameter. */
#ifndef CAROM_CLI_FIGURES_JIA_2013_SWEEPS_H
#define CAROM_CLI_FIGURES_JIA_2013_SWEEPS_H

#include "figures/sheet.h"

FigureMake j_figure_14, j_figure_15;

#endif
