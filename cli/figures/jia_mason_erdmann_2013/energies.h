/* Fig. 8 and Table 1 of [JME]: velocities and stored energies. */
#ifndef CAROM_CLI_FIGURES_JIA_MASON_ERDMANN_2013_ENERGIES_H
#define CAROM_CLI_FIGURES_JIA_MASON_ERDMANN_2013_ENERGIES_H

#include "figures/sheet.h"

FigureMake jme_figure_8, jme_table_1;

#endif
