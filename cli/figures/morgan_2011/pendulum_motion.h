/* Figure 3.1 of [M]: the pendulum in motion. */
#ifndef CAROM_CLI_FIGURES_MORGAN_2011_PENDULUM_MOTION_H
#define CAROM_CLI_FIGURES_MORGAN_2011_PENDULUM_MOTION_H

#include "figures/sheet.h"

FigureMake m_motion;

#endif
