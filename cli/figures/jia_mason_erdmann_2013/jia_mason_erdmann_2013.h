/* The figures of [JME], Y.-B. Jia, M. Mason, M. Erdmann, "Multiple impacts: a state transition
 * diagram approach". */
#ifndef CAROM_CLI_FIGURES_JME_H
#define CAROM_CLI_FIGURES_JME_H

#include "figures/figure.h"

bool jme_figure_1(FigureSheet *sheet);
bool jme_figure_7(FigureSheet *sheet);
bool jme_figure_8(FigureSheet *sheet);
bool jme_table_1(FigureSheet *sheet);
bool jme_figure_9(FigureSheet *sheet);
bool jme_figure_14(FigureSheet *sheet);
bool jme_figure_16(FigureSheet *sheet);

#endif
