/* Fig. 1 of [J]: five bounces of the ball. */
#ifndef CAROM_CLI_J_BOUNCES_H
#define CAROM_CLI_J_BOUNCES_H

#include "figures/sheet.h"

FigureMake j_figure_1;

#endif
