/* Figs. 11 and 12 of [J]: one impact of the ball. */
#ifndef CAROM_CLI_FIGURES_JIA_2013_IMPACT_H
#define CAROM_CLI_FIGURES_JIA_2013_IMPACT_H

#include "figures/sheet.h"

FigureMake j_figure_11, j_figure_12;

#endif
