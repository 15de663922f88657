/* The figures of [J], Y.-B. Jia, "Three-dimensional impact: energy-based modeling of tangential
 * compliance". */
#ifndef CAROM_CLI_FIGURES_J_H
#define CAROM_CLI_FIGURES_J_H

#include "figures/figure.h"

bool j_figure_1(FigureSheet *sheet);
bool j_figure_11(FigureSheet *sheet);
bool j_figure_12(FigureSheet *sheet);
bool j_table_1(FigureSheet *sheet);
bool j_figure_13(FigureSheet *sheet);
bool j_figure_14(FigureSheet *sheet);
bool j_figure_15(FigureSheet *sheet);
bool j_figure_17(FigureSheet *sheet);
bool j_figure_18(FigureSheet *sheet);

#endif
