/* Figs. 1, 7 and 9 of [JME]: the impulses of the two contacts. */
#ifndef CAROM_CLI_FIGURES_JIA_MASON_ERDMANN_2013_IMPULSES_H
#define CAROM_CLI_FIGURES_JIA_MASON_ERDMANN_2013_IMPULSES_H

#include "figures/sheet.h"

FigureMake jme_impulses;

#endif
