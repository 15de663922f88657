/* Fig. 11 of [JW]: the bowling pin and the ball from their geometry. */
#ifndef CAROM_CLI_FIGURES_JIA_WANG_2017_PIN_H
#define CAROM_CLI_FIGURES_JIA_WANG_2017_PIN_H

#include "figures/sheet.h"

FigureMake jw_pin;

#endif
