/* The figures of [JW]: Y.-B. Jia and F. Wang,
 * "Analysis and Computation of Two Body Impact in Three Dimensions". */
#ifndef CAROM_CLI_FIGURES_JIA_WANG_2017_JIA_WANG_2017_H
#define CAROM_CLI_FIGURES_JIA_WANG_2017_JIA_WANG_2017_H

#include "figures/sheet.h"

extern const FigurePaper paper_jia_wang_2017;

#endif
