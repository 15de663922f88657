/* The figures of [J]: Y.-B. Jia,
 * "Three-dimensional impact: energy-based modeling of tangential compliance". */
#ifndef CAROM_CLI_FIGURES_JIA_2013_JIA_2013_H
#define CAROM_CLI_FIGURES_JIA_2013_JIA_2013_H

#include "figures/sheet.h"

extern const FigurePaper paper_jia_2013;

#endif
