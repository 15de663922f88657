/* Figs. 4, 7 and 10 of [JW], single hodographs, and Fig. 5, the impulse curve. */
#ifndef CAROM_CLI_JW_HODOGRAPH_H
#define CAROM_CLI_JW_HODOGRAPH_H

#include "figures/sheet.h"

FigureMake jw_hodograph, jw_impulse;

#endif
