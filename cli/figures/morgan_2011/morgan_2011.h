/* The figures of [M]: D. Morgan,
 * "Algebraic Solution to the Planar Rigid Body Impact Problem". */
#ifndef CAROM_CLI_FIGURES_MORGAN_2011_MORGAN_2011_H
#define CAROM_CLI_FIGURES_MORGAN_2011_MORGAN_2011_H

#include "figures/sheet.h"

extern const FigurePaper paper_morgan_2011;

#endif
