/* Fig. 17 of [J]: the impulse on the pencil. */
#ifndef CAROM_CLI_J_PENCIL_IMPULSE_H
#define CAROM_CLI_J_PENCIL_IMPULSE_H

#include "figures/sheet.h"

FigureMake j_figure_17;

#endif
