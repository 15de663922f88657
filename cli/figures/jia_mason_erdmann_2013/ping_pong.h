/* Fig. 14 of [JME]: two ping-pong balls. */
#ifndef CAROM_CLI_FIGURES_JIA_MASON_ERDMANN_2013_PING_PONG_H
#define CAROM_CLI_FIGURES_JIA_MASON_ERDMANN_2013_PING_PONG_H

#include "figures/sheet.h"

FigureMake jme_figure_14;

#endif
