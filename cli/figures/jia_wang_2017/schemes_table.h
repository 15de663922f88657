/* Table 1 of [JW]: three Euler schemes beside the exact method. */
#ifndef CAROM_CLI_FIGURES_JIA_WANG_2017_SCHEMES_TABLE_H
#define CAROM_CLI_FIGURES_JIA_WANG_2017_SCHEMES_TABLE_H

#include "figures/sheet.h"

FigureMake jw_table1;

#endif
