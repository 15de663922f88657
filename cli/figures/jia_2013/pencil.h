/* Figs. 17 and 18 of [J]: the impact of a pencil. */
#ifndef CAROM_CLI_FIGURES_JIA_2013_PENCIL_H
#define CAROM_CLI_FIGURES_JIA_2013_PENCIL_H

#include "figures/sheet.h"

FigureMake j_figure_17, j_figure_18;

#endif
