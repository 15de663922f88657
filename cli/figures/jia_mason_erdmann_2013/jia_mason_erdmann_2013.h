/* The figures of [JME]: Y.-B. Jia, M. T. Mason and M. A. Erdmann,
 * "Multiple impacts: a state transition diagram approach". */
#ifndef CAROM_CLI_FIGURES_JIA_MASON_ERDMANN_2013_JIA_MASON_ERDMANN_2013_H
#define CAROM_CLI_FIGURES_JIA_MASON_ERDMANN_2013_JIA_MASON_ERDMANN_2013_H

#include "figures/sheet.h"

extern const FigurePaper paper_jia_mason_erdmann_2013;

#endif
