/* Fig. 5 of [J]: the stored energy of a head-on impact. */
#ifndef CAROM_CLI_FIGURES_JIA_2013_PARTICLE_H
#define CAROM_CLI_FIGURES_JIA_2013_PARTICLE_H

#include "figures/sheet.h"

FigureMake j_figure_5;

#endif
