/* Figs. 5 and 6 of [JME]: the ellipse that bounds the impulses, and its regions. */
#ifndef CAROM_CLI_FIGURES_JIA_MASON_ERDMANN_2013_REGION_H
#define CAROM_CLI_FIGURES_JIA_MASON_ERDMANN_2013_REGION_H

#include "figures/sheet.h"

FigureMake jme_figure_5, jme_figure_6;

#endif
