/* Figs. 1 and 13 and Table 1 of [J]: bounces of the ball. */
#ifndef CAROM_CLI_FIGURES_JIA_2013_BOUNCES_H
#define CAROM_CLI_FIGURES_JIA_2013_BOUNCES_H

#include "figures/sheet.h"

FigureMake j_figure_1, j_table_1, j_figure_13;

#endif
