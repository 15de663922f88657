/* Fig. 16 of [JME]: the path of the ball after a massé shot. */
#ifndef CAROM_CLI_FIGURES_JIA_MASON_ERDMANN_2013_MASSE_H
#define CAROM_CLI_FIGURES_JIA_MASON_ERDMANN_2013_MASSE_H

#include "figures/sheet.h"

FigureMake jme_figure_16;

#endif
