/* Fig. 18 of [J]: the pencil before and after the impact. */
#ifndef CAROM_CLI_J_PENCIL_MOTION_H
#define CAROM_CLI_J_PENCIL_MOTION_H

#include "figures/sheet.h"

FigureMake j_figure_18;

#endif
